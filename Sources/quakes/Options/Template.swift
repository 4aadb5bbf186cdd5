import ArgumentParser
import Foundation
import StrataQuakes

/// A line of text with the names of fields in braces.
struct Template: Sendable {
  private enum Piece {
    case text(String)
    case field(FactField)
  }

  private var pieces: [Piece] = []

  /// - Throws: `ValidationError` if a brace is not closed or a field unknown.
  init(_ text: String) throws {
    var rest = text.replacingOccurrences(of: "\\t", with: "\t").replacingOccurrences(of: "\\n", with: "\n")[...]
    while let open = rest.firstIndex(of: "{") {
      pieces.append(.text(String(rest[..<open])))
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw ValidationError("a brace is not closed in \"\(text)\".")
      }
      pieces.append(.field(try FormOptions.field(String(rest[rest.index(after: open)..<close]))))
      rest = rest[rest.index(after: close)...]
    }
    pieces.append(.text(String(rest)))
  }

  /// The line of one earthquake. What is not known is empty.
  func line(_ quake: QuakeFacts) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field): Terminal.printable(field.value(quake).text)
      }
    }.joined()
  }
}
