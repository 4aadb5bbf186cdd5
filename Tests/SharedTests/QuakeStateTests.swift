import Foundation
import Testing

@testable import StrataQuakes

struct QuakeStateTests {
  @Test func `changes round-trip through text`() {
    let changes: QuakeState.Changes = [
      .magnitude: .number(4.4), .place: .text("12 km \"N\" of Lorengau"), .depth: nil,
      .updated: .date(Date(timeIntervalSinceReferenceDate: 419_147_750.934_999_94)),
    ]
    #expect(QuakeState.changes(of: QuakeState.text(of: changes)) == changes)
  }

  /// A store may be damaged, or written by a later version.
  @Test(arguments: [
    #"{"standing":1e9}"#, #"{"standing":0.5}"#, #"{"standing":-40000}"#, #"{"standing":7}"#, #"{"standing":null}"#,
    #"{"standing":"live"}"#, #"{"colour":1}"#, "[]", "",
  ])
  func `an unknown standing counts as live`(text: String) {
    var state = QuakeState()
    state.apply(QuakeState.changes(of: text))
    #expect(state.standing == .live)
  }

  @Test func `FNV1a matches the reference test vectors`() {
    // The test vectors of the algorithm's authors.
    #expect(FNV1a("").value == 0xCBF2_9CE4_8422_2325)
    #expect(FNV1a("a").value == 0xAF63_DC4C_8601_EC8C)
    #expect(FNV1a("foobar").value == 0x8594_4171_F739_67E8)
  }
}
