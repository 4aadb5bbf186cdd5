import Foundation

/// Output for people and for other programs.
enum Console {
  /// Writes a line to standard error. Ignores write errors.
  static func printError(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Prints a value as JSON, its keys in snake case and in declaration order.
  static func print(json value: some Encodable) throws {
    Swift.print(try text(of: value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]))
  }

  /// Prints a value as JSON on one line.
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

  /// Lines with aligned columns, two spaces apart; the last cell of a line is not padded.
  static func table(_ rows: [[String]], indent: Int = 0) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.compactMap { $0.count > column + 1 ? $0[column].count : nil }.max() ?? 0
    }
    return rows.map { String(repeating: " ", count: indent) + line($0, widths: widths) }
  }

  /// A line of a table, without blanks at its end.
  static func line(_ row: [String], widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(row.dropLast(), widths) {
      line += cell + String(repeating: " ", count: max(0, width - cell.count) + 2)
    }
    line += row.last ?? ""
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  static func bytes(_ count: Int) -> String {
    count < 10_240 ? "\(count) bytes" : count < 10_485_760 ? "\(count / 1_024) KiB" : "\(count / 1_048_576) MiB"
  }

  /// Replaces control characters by spaces: a name in a file must not control the terminal.
  static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  /// C0, DEL, C1, the line and paragraph separators, and the bidirectional controls.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
