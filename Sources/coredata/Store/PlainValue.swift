import CoreData
import Foundation
import StrataManagedModel
import StrataPredicates

/// A value of a model as JSON has it; what JSON does not have is a text.
enum PlainValue: Encodable, Equatable, CustomStringConvertible {
  case flag(Bool)
  case integer(Int64)
  case real(Double)
  /// A text in JSON, whose numbers are doubles to many readers.
  case decimal(Decimal)
  case text(String)

  /// - Parameter type: of the attribute that has the value.
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

  /// A predicate in its own language.
  static func text(of predicate: NSPredicate) -> String { (try? predicate.tree)?.description ?? "\(predicate)" }

  /// The program's own notes, as texts.
  static func texts(_ userInfo: [AnyHashable: Any]?) -> [String: String] {
    Dictionary((userInfo ?? [:]).map { ("\($0.key.base)", "\($0.value)") }, uniquingKeysWith: { first, _ in first })
  }
}
