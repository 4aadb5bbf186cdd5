import Foundation
import StrataManagedModel
import StrataPredicates

extension StoredValue {
  /// A constant as a column of a kind stores it; nil if it cannot be compared with the column's values.
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

  /// A decimal column is compared with the decimal's text, as its values were stored from texts.
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
}
