import Foundation
import StrataQuakes

/// An object a line, with the names of `quakes list --json`.
struct JSONLinesWriter: EventWriter {
  mutating func head(count: Int, at time: Date) -> String { "" }

  mutating func event(_ state: QuakeState, of service: String?) -> String {
    var text = JSONText()
    text.quake(nil, state.facts)
    return text.text + "\n"
  }

  mutating func tail() -> String { "" }
}
