/// A setting: its key in the file, its accepted values and its description.
public struct Setting<Value: Sendable>: SettingRow {
  public let table: String
  public let name: String
  public let wanted: String
  public let defaultValue: String?
  public let example: String
  public let help: String
  public let variables: [SettingVariable]
  /// - Returns: nil if the setting does not take the value.
  let read: @Sendable (SettingValue) -> Value?
  /// The mistake in a value that it does not take; nil if `wanted` says everything.
  private let mistake: @Sendable (SettingValue) -> String?

  init(
    _ table: String, _ name: String, _ wanted: String, default value: String, variables: [SettingVariable] = [],
    _ help: String,
    _ read: @escaping @Sendable (SettingValue) -> Value?
  ) {
    (self.table, self.name, self.wanted, defaultValue, example) = (table, name, wanted, value, value)
    (self.variables, self.help, self.read) = (variables, help, read)
    mistake = { _ in nil }
  }

  /// A setting without a default value.
  init(
    _ table: String, _ name: String, _ wanted: String, example: String, _ help: String,
    mistake: @escaping @Sendable (SettingValue) -> String? = { _ in nil },
    _ read: @escaping @Sendable (SettingValue) -> Value?
  ) {
    (self.table, self.name, self.wanted, defaultValue, self.example) = (table, name, wanted, nil, example)
    (variables, self.help, self.read, self.mistake) = ([], help, read, mistake)
  }

  public func accepts(_ value: SettingValue) -> Bool { read(value) != nil }

  public func mistake(in value: SettingValue) -> String? { mistake(value) }
}

/// A setting, independent of its type.
public protocol SettingRow: Sendable {
  /// The table of its key in the file.
  var table: String { get }
  var name: String { get }
  /// The accepted values; completes "must be …".
  var wanted: String { get }
  /// The default value in TOML; nil without one.
  var defaultValue: String? { get }
  /// A valid value in TOML.
  var example: String { get }
  /// Its description.
  var help: String { get }
  /// The environment variables that override it, the first one first.
  var variables: [SettingVariable] { get }

  func accepts(_ value: SettingValue) -> Bool

  /// The mistake in a value that it does not take; nil if `wanted` says everything.
  func mistake(in value: SettingValue) -> String?
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
