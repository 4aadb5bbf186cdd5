import Foundation

/// The known values of an earthquake at one time. Absent values are unknown.
public struct QuakeState: Equatable, Sendable {
  public enum Value: Equatable, Sendable {
    case number(Double)
    case text(String)
    case date(Date)
  }

  /// Fields and their values; nil is an unknown value.
  public typealias Changes = [QuakeField: Value?]

  /// By the raw values of the fields: a million states are made of a million earthquakes, and dictionaries are slow.
  private var values = [Value?](repeating: nil, count: QuakeField.allCases.count)

  public init() {}

  public subscript(_ field: QuakeField) -> Value? {
    get { values[field.rawValue] }
    set { values[field.rawValue] = newValue }
  }

  public mutating func apply(_ changes: Changes) {
    for (field, value) in changes { self[field] = value }
  }

  /// The fields whose values differ from those of another state, with the values of this one.
  public func changes(from other: QuakeState) -> Changes {
    var changes: Changes = [:]
    for field in QuakeField.allCases where self[field] != other[field] { changes[field] = .some(self[field]) }
    return changes
  }

  public var standing: Standing {
    number(.standing).flatMap { Int16(exactly: $0) }.flatMap(Standing.init) ?? .live
  }

  public func number(_ field: QuakeField) -> Double? {
    if case .number(let value)? = self[field] { value } else { nil }
  }

  /// nil for a number with a fraction too.
  public func integer(_ field: QuakeField) -> Int? { number(field).flatMap { Int(exactly: $0) } }

  public func text(_ field: QuakeField) -> String? {
    if case .text(let value)? = self[field] { value } else { nil }
  }

  public func date(_ field: QuakeField) -> Date? {
    if case .date(let value)? = self[field] { value } else { nil }
  }

  /// The members of a list; empty if it is not known.
  public func list(_ field: QuakeField) -> [String] {
    (text(field) ?? "").split(separator: ",").map(String.init)
  }
}

extension QuakeState {
  /// The values by the names of their attributes, as a predicate reads them.
  var objects: [String: Any] {
    var objects: [String: Any] = ["standing": Standing.live.rawValue]
    for field in QuakeField.allCases {
      switch self[field] {
      case .number(let number)?: objects[field.name] = number
      case .text(let text)?: objects[field.name] = text
      case .date(let date)?: objects[field.name] = date
      case nil: continue
      }
    }
    return objects
  }

  /// Everything that readers show.
  public var facts: QuakeFacts { QuakeFacts(self) }
}

// MARK: - As JSON

extension QuakeState {
  /// `{"magnitude":4.4,"depth":null}`; dates are seconds since 2001-01-01 UTC, as in the store.
  public static func text(of changes: Changes) -> String {
    var text = JSONText()
    text.object { json in
      for (field, value) in changes.sorted(by: { $0.key.name < $1.key.name }) {
        switch value {
        case .number(let number)?: json.number(field.name, number)
        case .text(let text)?: json.string(field.name, text)
        case .date(let date)?: json.number(field.name, date.timeIntervalSinceReferenceDate)
        case nil: json.string(field.name, nil)
        }
      }
    }
    return text.text
  }

  /// Ignores fields that a later version may have written.
  public static func changes(of text: String) -> Changes {
    let members = try? JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
    var changes: Changes = [:]
    for (name, value) in members ?? [:] {
      guard let field = QuakeField(name: name) else { continue }
      switch (field.stored.kind, value) {
      case (_, .null): changes[field] = .some(nil)
      case (.text, .text(let text)), (.list, .text(let text)): changes[field] = .text(text)
      case (.number, .number(let number)), (.integer, .number(let number)): changes[field] = .number(number)
      case (.date, .number(let seconds)): changes[field] = .date(Date(timeIntervalSinceReferenceDate: seconds))
      default: continue
      }
    }
    return changes
  }

  private enum JSONValue: Decodable {
    case null
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }
}
