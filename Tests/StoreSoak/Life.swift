/// One process of a soak, from its start to its end, as the verdict needs it.
final class Life {
  /// Unique, and higher than those of the slot's processes before.
  let number: Int
  let slot: Int
  /// Whether it ended before it was told to, by a kill or because of a fault.
  var wasKilled = false
  /// When it was stopped and resumed, in nanoseconds.
  var naps: [(began: Int, ended: Int)] = []

  init(_ number: Int, slot: Int) {
    self.number = number
    self.slot = slot
  }

  func slept(within times: ClosedRange<Int>) -> Bool {
    naps.contains { $0.began <= times.upperBound && $0.ended >= times.lowerBound }
  }
}

/// What the verdict is about.
struct Outcome {
  let folder: String
  let store: any JudgedStore
  let lives: [Life]
  /// The initial contents of the store.
  let firstItems: [Int: ItemState]
  let firstCommit: Int
  /// The key of the last commit.
  let lastCommit: Int
  /// What went wrong so far.
  let faults: [String]
}
