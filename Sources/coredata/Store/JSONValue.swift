import CoreData
import Foundation
import StrataManagedModel
import StrataPredicates

/// A model's value as JSON; values that JSON cannot represent become strings.
enum JSONValue: Encodable, Equatable, CustomStringConvertible {
  case flag(Bool)
  case integer(Int64)
  case real(Double)
  /// Encoded as a string, because many readers decode JSON numbers as doubles.
  case decimal(Decimal)
  case text(String)

  /// - Parameter type: the type of the value's attribute.
  init(_ value: Any, of type: NSAttributeType) {
    if type == .booleanAttributeType, let number = value as? NSNumber {
      self = .flag(number.boolValue)
      return
    }
    switch PredicateValue(argument: value) {
    case .bool(let flag): self = .flag(flag)
    case .integer(let integer): self = .integer(integer)
    case .real(let real) where real.isFinite: self = .real(real)
    case .decimal(let decimal): self = .decimal(decimal)
    case .string(let text): self = .text(text)
    case .date(let date): self = .text(date.formatted(.iso8601))
    case .data(let data): self = .text(data.base64EncodedString())
    case .uuid(let uuid): self = .text(uuid.uuidString)
    case .url(let url): self = .text(url.absoluteString)
    default: self = .text("\(value)")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .flag(let flag): try container.encode(flag)
    case .integer(let integer): try container.encode(integer)
    case .real(let real): try container.encode(real)
    case .decimal(let decimal): try container.encode(decimal.description)
    case .text(let text): try container.encode(text)
    }
  }

  var description: String {
    switch self {
    case .flag(let flag): flag ? "YES" : "NO"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .decimal(let decimal): decimal.description
    case .text(let text): "\"\(text)\""
    }
  }

  /// A predicate in predicate format syntax.
  static func text(of predicate: NSPredicate) -> String { (try? predicate.tree)?.description ?? "\(predicate)" }

  /// The userInfo dictionary as strings.
  static func texts(_ userInfo: [AnyHashable: Any]?) -> [String: String] {
    Dictionary((userInfo ?? [:]).map { ("\($0.key.base)", "\($0.value)") }, uniquingKeysWith: { first, _ in first })
  }
}
