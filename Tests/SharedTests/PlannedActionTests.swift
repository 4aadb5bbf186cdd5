import Testing

@testable import StrataQuakes

@MainActor @Suite struct PlannedActionTests {
  private final class Counter {
    var runs = 0
    var action: PlannedAction?

    /// Lets the main queue continue until the action has run so often, and then a few turns more.
    @MainActor func wait(for count: Int) async {
      while runs < count { await Task.yield() }
      for _ in 0..<20 { await Task.yield() }
    }
  }

  @Test func `requests within one turn of the main queue run the action once, after it`() async {
    let counter = Counter()
    let action = PlannedAction { counter.runs += 1 }
    for turn in 1...3 {
      for _ in 0..<4 { action.plan() }
      #expect(counter.runs == turn - 1)
      await counter.wait(for: turn)
      #expect(counter.runs == turn)
    }
  }

  @Test func `the action can plan the next run`() async {
    let counter = Counter()
    counter.action = PlannedAction {
      counter.runs += 1
      if counter.runs < 3 { counter.action?.plan() }
    }
    counter.action?.plan()
    await counter.wait(for: 3)
    #expect(counter.runs == 3)
    counter.action = nil
  }
}
