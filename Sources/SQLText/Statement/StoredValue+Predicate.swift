import Foundation
import StrataManagedModel
import StrataPredicates

extension StoredValue {
  /// A constant as a column of a kind holds it; nil if no value of the column equals it or has an order with it.
  init?(_ value: PredicateValue, comparedWith kind: SlotKind) {
    guard let family = ValueFamily(value), family == ValueFamily(kind) else { return nil }
    switch value {
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let integer): self = .integer(integer)
    case .real(let real):
      if real.isNaN { return nil }
      self = .real(real)
    case .decimal(let decimal): self.init(decimal, comparedWith: kind)
    case .string(let string): self = .text(string)
    case .url(let url): self = .text(url.absoluteString)
    case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
    case .data(let data): self = .blob(Array(data))
    case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .null, .list, .row, .reference: return nil
    }
  }

  /// A decimal column holds what SQLite made of the decimal's text, so it is compared with what it makes of the text.
  private init(_ decimal: Decimal, comparedWith kind: SlotKind) {
    let number = NSDecimalNumber(decimal: decimal)
    if kind == .decimal {
      self = .text(decimal.description)
    } else if Decimal(number.int64Value) == decimal {
      self = .integer(number.int64Value)
    } else {
      self = .real(number.doubleValue)
    }
  }

  /// The value as part of a text that can have no placeholders.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    // SQL has no word for infinity, but numbers that are as large.
    case .real(let real): real.isInfinite ? (real < 0 ? "-9e999" : "9e999") : String(real)
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .list(let list): list.values.map(\.literal).joined(separator: ", ")
    case .blob(let bytes): "X'\(bytes.map { String(format: "%02X", $0) }.joined())'"
    }
  }
}

extension SQLStatement {
  /// The text with the values in the place of the placeholders, for declarations.
  var inlined: String {
    var parts = text.split(separator: "?", omittingEmptySubsequences: false)[...]
    var inlined = String(parts.removeFirst())
    for (value, part) in zip(bindings, parts) { inlined += value.literal + part }
    return inlined
  }
}
