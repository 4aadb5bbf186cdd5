import Foundation

/// What the program says to people and to other programs.
enum Console {
  /// A line on standard error.
  static func complain(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

  /// A value as JSON on standard output, its keys in snake case and in their order.
  static func print(json value: some Encodable) throws {
    Swift.print(try text(of: value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]))
  }

  /// The same in one line.
  static func printLine(json value: some Encodable) throws {
    Swift.print(try text(of: value, [.sortedKeys, .withoutEscapingSlashes]))
  }

  private static func text(of value: some Encodable, _ form: JSONEncoder.OutputFormatting) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = form
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Lines whose cells stand below each other, two blanks apart; the last cell of a line is as long as it is.
  static func table(_ rows: [[String]], indent: Int = 0) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.compactMap { $0.count > column + 1 ? $0[column].count : nil }.max() ?? 0
    }
    return rows.map { row in
      var line = String(repeating: " ", count: indent)
      for (cell, width) in zip(row.dropLast(), widths) {
        line += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      line += row.last ?? ""
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The text with blanks in place of control characters: a name in a file must not be able to drive the terminal.
  static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  /// C0, DEL, C1, the line and paragraph separators, and the marks that turn the direction of writing.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
