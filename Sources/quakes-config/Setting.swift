/// A setting: where it stands in the file, what it takes and what it does.
public struct Setting<Value: Sendable>: SettingRow {
  public let table: String
  public let name: String
  public let wanted: String
  public let usual: String?
  public let example: String
  public let help: String
  public let variables: [SettingVariable]
  /// - Returns: nil if the setting does not take the value.
  let read: @Sendable (SettingValue) -> Value?

  init(
    _ table: String, _ name: String, _ wanted: String, usual: String, variables: [SettingVariable] = [], _ help: String,
    _ read: @escaping @Sendable (SettingValue) -> Value?
  ) {
    (self.table, self.name, self.wanted, self.usual, example) = (table, name, wanted, usual, usual)
    (self.variables, self.help, self.read) = (variables, help, read)
  }

  /// A setting that is not set unless somebody sets it.
  init(
    _ table: String, _ name: String, _ wanted: String, example: String, _ help: String,
    _ read: @escaping @Sendable (SettingValue) -> Value?
  ) {
    (self.table, self.name, self.wanted, usual, self.example) = (table, name, wanted, nil, example)
    (variables, self.help, self.read) = ([], help, read)
  }

  public func accepts(_ value: SettingValue) -> Bool { read(value) != nil }
}

/// What is known of a setting, whatever its type.
public protocol SettingRow: Sendable {
  /// The table of the file that it stands in.
  var table: String { get }
  var name: String { get }
  /// What it takes; completes "must be …".
  var wanted: String { get }
  /// The value that counts if nobody sets it, as the file would have it; nil if there is none.
  var usual: String? { get }
  /// A value that the file may have.
  var example: String { get }
  /// What it does.
  var help: String { get }
  /// The environment variables that override it, the first one first.
  var variables: [SettingVariable] { get }

  func accepts(_ value: SettingValue) -> Bool
}

extension SettingRow {
  public var key: String { "\(table).\(name)" }
}

/// An environment variable that overrides a setting.
public struct SettingVariable: Sendable {
  public let name: String
  /// The setting's value that a value of the variable means; nil if it means nothing.
  public let value: @Sendable (String) -> SettingValue?

  init(_ name: String, _ value: @escaping @Sendable (String) -> SettingValue?) {
    (self.name, self.value) = (name, value)
  }
}
