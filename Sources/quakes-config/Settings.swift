import StrataQuakes

/// The contents of the settings file. Settings that it does not contain have their defaults.
public struct Settings: Sendable {
  public let file: SettingsFile
  /// By `Setting.key`.
  private(set) var values: [String: SettingValue] = [:]
  /// The words of each named filter.
  private(set) var filters: [String: [String: SettingValue]] = [:]
  /// The views by their names.
  var views: [String: SavedView] = [:]
  /// The keys of the live screen by its commands, as they are written.
  public internal(set) var keys: [String: [String]] = [:]
  /// Keys in the file that are not settings.
  public internal(set) var unknownKeys: [SettingKey] = []
  var mistakes: [Mistake] = []

  /// A setting that cannot be used, and the rest of the sentence about it.
  struct Mistake {
    var key: SettingKey
    var text: String

    init(key: SettingKey, text: String) { (self.key, self.text) = (key, text) }

    /// A setting with a value that it does not take.
    init(key: SettingKey, wanted: String, value: SettingValue, reason: String? = nil) {
      self.init(key: key, text: "must be \(wanted), not \(value.text)" + (reason.map { ": \($0)" } ?? ""))
    }
  }

  /// The default settings.
  public init(of file: SettingsFile) { self.file = file }

  public subscript<Value>(_ setting: Setting<Value>) -> Value? { values[setting.key].flatMap(setting.read) }

  /// The value in the file; nil if it does not set it.
  public func value(of row: any SettingRow) -> SettingValue? { values[row.key] }

  public var filterNames: [String] { filters.keys.sorted() }

  public var viewNames: [String] { views.keys.sorted() }

  /// The words of a named filter, in the order of the options.
  public func words(ofFilter name: String) -> [(name: String, value: SettingValue)] {
    Self.filterWords.compactMap { word in filters[name]?[word.name].map { (word.name, $0) } }
  }
}

extension Settings {
  /// All settings but those of filters, in the order of the file that `quakes config edit` makes.
  public static let all: [any SettingRow] = [
    units, time, clock, color, pager,
    limit, sort, place, columns, listMinimumMagnitude, listSince,
    format, template, maximumWidth, summaryMinimumMagnitude, whenNone, staleAfter,
    feeds, interval,
  ]

  private static let tables = ["display", "list", "filter", "views", "keys", "summary", "fetch"]

  /// Takes what a file has, table by table.
  mutating func take(_ document: [String: SettingNode]) {
    for (name, node) in document.sorted(by: { $0.key < $1.key }) {
      guard Self.tables.contains(name) else {
        unknownKeys.append([name])
        continue
      }
      guard case .table(let table) = node else {
        mistakes.append(Mistake(key: [name], wanted: "a table, as [\(name)]", value: node.value))
        continue
      }
      switch name {
      case "filter": takeFilters(table)
      case "views": takeViews(table)
      case "keys": takeKeys(table)
      default: take(table, of: name)
      }
    }
  }

  private mutating func take(_ table: [String: SettingNode], of name: String) {
    for (key, node) in table.sorted(by: { $0.key < $1.key }) {
      guard let row = Self.all.first(where: { $0.table == name && $0.name == key }) else {
        unknownKeys.append([name, key])
        continue
      }
      if row.accepts(node.value) {
        values[row.key] = node.value
      } else {
        let reason = row.mistake(in: node.value)
        mistakes.append(Mistake(key: [name, key], wanted: row.wanted, value: node.value, reason: reason))
      }
    }
  }

  private mutating func takeKeys(_ table: [String: SettingNode]) {
    for (name, node) in table.sorted(by: { $0.key < $1.key }) {
      if let words = node.value.string.map({ [$0] }) ?? node.value.strings {
        keys[name] = words
      } else {
        mistakes.append(
          Mistake(key: ["keys", name], wanted: #"a key such as "q", or a list of keys"#, value: node.value))
      }
    }
  }

  private mutating func takeFilters(_ table: [String: SettingNode]) {
    for (name, node) in table.sorted(by: { $0.key < $1.key }) {
      guard case .table(let words) = node else {
        mistakes.append(Mistake(key: ["filter", name], wanted: "a table, as [filter.\(name)]", value: node.value))
        continue
      }
      filters[name] = [:]
      for (word, node) in words.sorted(by: { $0.key < $1.key }) { takeWord(word, node.value, ofFilter: name) }
    }
  }

  /// Options are written with hyphens, keys with underscores: both mean the same.
  private mutating func takeWord(_ written: String, _ value: SettingValue, ofFilter name: String) {
    let key = ["filter", name, written]
    guard let word = Self.filterWords.first(where: { $0.name == written.replacing("-", with: "_") }) else {
      unknownKeys.append(key)
      return
    }
    if filters[name]?[word.name] != nil {
      let names = "\(word.name.replacing("_", with: "-")) and \(word.name)"
      mistakes.append(Mistake(key: key, text: "is given twice: \(names) are the same; remove one of them"))
    } else if word.accepts(value) {
      filters[name]?[word.name] = value
    } else {
      mistakes.append(Mistake(key: key, wanted: word.wanted, value: value))
    }
  }
}

/// The names of tables and of a value in the last of them.
public typealias SettingKey = [String]

/// The setting or table of a key in the file.
enum SettingNode: Equatable {
  case table([String: SettingNode])
  case value(SettingValue)

  var value: SettingValue { if case .value(let value) = self { value } else { .other("table") } }
}
