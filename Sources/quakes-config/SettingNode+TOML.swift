import TOMLKit

/// Where a text is not TOML, and why.
struct TOMLMistake: Error {
  var line: Int
  var column: Int
  var reason: String
}

extension SettingNode {
  static func tables(of text: String) throws(TOMLMistake) -> [String: SettingNode] {
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
