import Foundation

/// Constants as `CAST(text, "class")`, for values that have no literal of their own.
extension PredicateValue {
  /// The value that a text stands for in a class of Foundation; nil if it stands for none.
  init?(text: String, castTo type: String) {
    switch type {
    case "NSDate": self.init(Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) })
    case "NSDecimalNumber": self.init(Decimal(string: text).map(PredicateValue.decimal))
    case "NSNumber": self.init(Double(text).map(PredicateValue.real))
    case "NSUUID": self.init(UUID(uuidString: text).map(PredicateValue.uuid))
    case "NSURL": self.init(URL(string: text).map(PredicateValue.url))
    case "NSData": self.init(Data(base64Encoded: text).map(PredicateValue.data))
    default: return nil
    }
  }

  private init?(_ value: PredicateValue?) {
    guard let value else { return nil }
    self = value
  }
}
