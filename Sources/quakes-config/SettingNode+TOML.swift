import TOMLKit

/// Where a text is not TOML, and why.
struct TOMLMistake: Error {
  var line: Int
  var column: Int
  var reason: String
}

/// A line that would be the header of a table, if no value is open there, but has no name. The parser stops the program
/// at such a header.
private struct NamelessHeader {
  /// The text before the line.
  var beginning: Substring
  var line: Int
  var column: Int

  static func all(in text: String) -> [NamelessHeader] {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { index, line in
      columnWithoutName(line).map { column in
        NamelessHeader(beginning: text[..<line.startIndex], line: index + 1, column: column)
      }
    }
  }

  /// Where the name is missing behind `[` or `[[`; nil if it is not.
  private static func columnWithoutName(_ line: Substring.UTF8View) -> Int? {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let mark = Array("\u{FEFF}".utf8)
    var rest = (line.starts(with: mark) ? line.dropFirst(mark.count) : line).drop(while: isBlank)
    guard rest.first == UInt8(ascii: "[") else { return nil }
    rest = rest.dropFirst()
    rest = (rest.first == UInt8(ascii: "[") ? rest.dropFirst() : rest).drop(while: isBlank)
    switch rest.first ?? 0 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "]"):
      return nil
    default: return line.count - rest.count + 1
    }
  }
}

extension SettingNode {
  static func tables(of text: String) throws(TOMLMistake) -> [String: SettingNode] {
    let headers = NamelessHeader.all(in: text)
    // Each costs a parse of what is before it, and no setting has lists in lists.
    let wrong = headers.count > 100 ? headers[100] : headers.first { (try? parsed(String($0.beginning))) != nil }
    if let wrong { throw TOMLMistake(line: wrong.line, column: wrong.column, reason: "expected the name of a table") }
    return try parsed(text)
  }

  private static func parsed(_ text: String) throws(TOMLMistake) -> [String: SettingNode] {
    do {
      return tables(of: try TOMLTable(string: text))
    } catch let error as TOMLParseError {
      throw TOMLMistake(
        line: error.source.begin.line, column: error.source.begin.column, reason: error.description)
    } catch {
      throw TOMLMistake(line: 1, column: 1, reason: "\(error)")
    }
  }

  private static func tables(of table: TOMLTable) -> [String: SettingNode] {
    var nodes: [String: SettingNode] = [:]
    for key in table.keys { nodes[key] = table[key].map(node) }
    return nodes
  }

  private static func node(_ value: any TOMLValueConvertible) -> SettingNode {
    value.table.map { .table(tables(of: $0)) } ?? .value(settingValue(value))
  }

  private static func settingValue(_ value: any TOMLValueConvertible) -> SettingValue {
    switch value.type {
    case .string: value.string.map { .text($0) } ?? .other("string")
    case .int: value.int.map { .integer($0) } ?? .other("number")
    case .double: value.double.map { .number($0) } ?? .other("number")
    case .bool: value.bool.map { .flag($0) } ?? .other("truth value")
    case .array: .list(value.array.map { $0.map(settingValue) } ?? [])
    case .date, .time, .dateTime: .other("date or time without quotes")
    case .table: .other("table")
    }
  }
}
