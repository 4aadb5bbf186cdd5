import Foundation
import StrataQuakes
import StrataQuakesScreen
import Testing

@testable import StrataQuakesCommand

@Suite("Screen state") struct ScreenStateTests {
  private func state() throws -> ScreenState {
    ScreenState(ListContent(filter: try ScreenFilter("tonga"), view: nil, order: .time, isReversed: false))
  }

  @Test func `a text that fits an environment variable is kept as it is`() throws {
    var state = try state()
    #expect(state.shortened == state)
    state.prompt = .note(TextField("felt it"), of: "us1")
    #expect(state.shortened == state)
    (state.prompt, state.interrupted) = (nil, String(repeating: "x", count: ScreenState.maximumTextScalars))
    #expect(state.shortened == state)
  }

  /// The kernel takes 128 KB in a variable.
  @Test(arguments: [true, false]) func `a text that is too long is cut visibly`(isTyped: Bool) throws {
    let text = String(repeating: "\u{1F30B}", count: 100_000)
    var state = try state()
    if isTyped { state.prompt = .note(TextField(text), of: "us1") } else { state.interrupted = text }
    let shortened = state.shortened
    #expect(shortened.prompt == nil && shortened.filter == "tonga")
    let cut = try #require(shortened.interrupted)
    #expect(cut == String(repeating: "\u{1F30B}", count: 8_142) + "… (and 91858 more characters)")
    #expect(try JSONEncoder().encode(shortened).count < 1 << 16)
    #expect(state.shortened.shortened == shortened)
  }
}
