import Foundation

/// The classes that `CAST(value, "class")` supports: rule (17).
package enum CastType: String, Hashable, Sendable, CaseIterable {
  case date = "NSDate"
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case string = "NSString"
  case uuid = "NSUUID"
  case url = "NSURL"
  case data = "NSData"

  /// Converts a value to this class; `.null` if that is impossible.
  package func cast(_ value: PredicateValue) -> PredicateValue {
    let cast: PredicateValue? =
      switch self {
      case .date: if case .date = value { value } else { seconds(value).map { .date($0) } }
      case .number: number(value)
      case .decimal: decimal(value).map(PredicateValue.decimal)
      case .string: text(value).map(PredicateValue.string)
      case .uuid: if case .uuid = value { value } else { value.text.flatMap(UUID.init).map(PredicateValue.uuid) }
      case .url: value.text.flatMap { URL(string: $0) }.map(PredicateValue.url)
      case .data:
        if case .data = value {
          value
        } else {
          value.text.flatMap { Data(base64Encoded: $0) }.map(PredicateValue.data)
        }
      }
    return cast ?? .null
  }

  /// A date from seconds since 2001-01-01 00:00 UTC.
  private func seconds(_ value: PredicateValue) -> Date? {
    (value.realNumber ?? value.text.flatMap(Double.init)).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  private func number(_ value: PredicateValue) -> PredicateValue? {
    switch value {
    case .date(let date): return .real(date.timeIntervalSinceReferenceDate)
    case .string(let text): return Int64(text).map(PredicateValue.integer) ?? Double(text).map(PredicateValue.real)
    default: return value.isNumber ? value : nil
    }
  }

  private func decimal(_ value: PredicateValue) -> Decimal? {
    switch value {
    case .decimal(let decimal): decimal
    case .string(let text): Decimal(string: text)
    case .real(let real): real.isFinite ? Decimal(string: String(real)) : nil
    default: value.wholeNumber.map { Decimal($0) }
    }
  }

  /// A real without a fraction is written without a decimal point, as Apple's numbers describe themselves.
  private func text(_ value: PredicateValue) -> String? {
    switch value {
    case .string, .url: value.text
    case .real(let real): abs(real) < 1e15 ? Int64(exactly: real).map { String($0) } ?? String(real) : String(real)
    case .decimal(let decimal): decimal.description
    case .date(let date): date.description
    case .uuid(let uuid): uuid.uuidString
    default: value.wholeNumber.map { String($0) }
    }
  }
}
