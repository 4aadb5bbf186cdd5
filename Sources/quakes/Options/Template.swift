import ArgumentParser
import Foundation
import StrataQuakes

/// A line of text with the names of fields in braces.
struct Template: Sendable {
  private enum Piece {
    case text(OutputText)
    case field(FactField)
  }

  private var pieces: [Piece] = []

  /// - Throws: `ValidationError` if a brace is not closed or a field unknown.
  init(_ text: String) throws {
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      pieces.append(.text(Self.literal(rest[..<open])))
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw ValidationError("a brace is not closed in \"\(text)\".")
      }
      pieces.append(.field(try ListingOptions.field(String(rest[rest.index(after: open)..<close]))))
      rest = rest[rest.index(after: close)...]
    }
    pieces.append(.text(Self.literal(rest)))
  }

  /// The text between fields, with escapes for tabs and line breaks.
  private static func literal(_ text: Substring) -> OutputText {
    text.components(separatedBy: "\\t")
      .map { part in part.components(separatedBy: "\\n").map { OutputText($0) }.joined(separator: "\n") }
      .joined(separator: "\t")
  }

  func has(_ name: String) -> Bool {
    pieces.contains { if case .field(let field) = $0 { field.name == name } else { false } }
  }

  /// The line of one earthquake. What is not known is empty.
  func line(_ quake: QuakeFacts) -> OutputText {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field): OutputText(field.value(quake).text)
      }
    }.joined(separator: "")
  }
}
