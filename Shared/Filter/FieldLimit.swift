import CoreData
import Foundation

/// A limit on the values of one field, such as `horizontal_error<=2`, `location_source=ci`, `alert>=yellow` or, for a member
/// of a list, `products=shakemap`. An unknown value is in no range.
public struct FieldLimit: Equatable, Sendable {
  public let field: QuakeField
  /// One of `>=`, `<=`, `>`, `<` and `=`.
  public let sign: String
  let value: Value

  enum Value: Equatable, Sendable {
    case number(Double)
    case text(String)
  }

  /// As they are typed; two equals signs mean the same as one.
  private static let signs = [">=", "<=", "==", ">", "<", "="]

  /// - Parameter text: a stored field's name as commands write it, also without its unit; a sign; a number, or a text with `=`;
  ///   alert levels have an order.
  /// - Returns: nil if the text is not that.
  public init?(_ text: String) {
    let name = text.prefix { $0.isLetter || $0 == "_" }
    let rest = text[name.endIndex...].drop { $0 == " " }
    guard let typed = Self.signs.first(where: rest.hasPrefix), let stored = Self.stored(String(name)) else {
      return nil
    }
    let sign = typed == "==" ? "=" : typed
    let value = rest.dropFirst(typed.count).trimmingCharacters(in: .whitespaces)
    switch stored.kind {
    case .number, .integer:
      guard let number = Double(value), number.isFinite else { return nil }
      self.value = .number(number)
    case .text where stored.field == .alert:
      guard let level = AlertLevel(rawValue: value.lowercased()) else { return nil }
      self.value = .text(level.rawValue)
    case .text where sign == "=" && !value.isEmpty, .list where sign == "=" && !value.isEmpty:
      self.value = .text(value)
    case .text, .date, .list: return nil
    }
    (field, self.sign) = (stored.field, sign)
  }

  /// Limits between commas.
  ///
  /// - Returns: nil if one of them is not a limit.
  public static func list(_ text: String) -> [FieldLimit]? {
    let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let limits = parts.compactMap { FieldLimit($0) }
    return limits.isEmpty || limits.count < parts.count ? nil : limits
  }

  /// The standing has names for people, and numbers in the store: the filter has other ways to limit it.
  private static func stored(_ name: String) -> StoredField? {
    guard let name = FactField.named(name)?.name, name != QuakeField.standing.name else { return nil }
    return StoredField.facts.first { $0.outputName == name }
  }

  /// `horizontal_error_km<=2`.
  public var text: String {
    let name = field.stored.outputName ?? field.name
    switch value {
    case .number(let number): return name + sign + DecimalText.shortest(number)
    case .text(let text): return name + sign + text
    }
  }

  var predicate: NSPredicate {
    switch value {
    case .number(let number): NSPredicate(format: "%K \(sign) %@", argumentArray: [field.name, number])
    case .text(let text) where field == .alert:
      NSPredicate(
        format: "%K IN %@", argumentArray: [field.name, AlertLevel(rawValue: text)?.levels(sign) ?? []])
    case .text(let text) where field.stored.kind == .list:
      NSPredicate(format: "%K CONTAINS[c] %@", argumentArray: [field.name, ",\(text),"])
    case .text(let text): NSPredicate(format: "%K ==[c] %@", argumentArray: [field.name, text])
    }
  }
}
