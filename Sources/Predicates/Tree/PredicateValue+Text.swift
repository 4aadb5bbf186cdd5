import Foundation
import StrataFormats

/// Formats constants.
extension PredicateValue: CustomStringConvertible {
  package var description: String { text(.exact) }

  package func text(_ style: PredicateTextStyle) -> String {
    switch self {
    case .null: "nil"
    case .bool(let flag) where style == .format: flag ? "1" : "0"
    case .bool(let flag): flag ? "TRUE" : "FALSE"
    case .integer(let integer): String(integer)
    case .real(let real) where style == .format: Self.number(real)
    case .real(let real): real.isFinite ? String(real) : "CAST(\"\(real)\", \"NSNumber\")"
    case .decimal(let decimal) where style == .format: "\(decimal)"
    case .decimal(let decimal): "CAST(\"\(decimal)\", \"NSDecimalNumber\")"
    case .string(let string): string.predicateLiteral
    case .date(let date): "CAST(\(Self.seconds(date.timeIntervalSinceReferenceDate, style: style)), \"NSDate\")"
    case .data(let data): "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
    case .uuid(let uuid) where style == .format: uuid.uuidString
    case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
    case .url(let url) where style == .format: url.absoluteString
    case .url(let url): "CAST(\(url.absoluteString.predicateLiteral), \"NSURL\")"
    case .list(let values): "{\(values.map { $0.text(style) }.joined(separator: ", "))}"
    case .reference(let reference): "\(reference.object)"
    case .row(let bits): "<row \(bits)>"
    }
  }

  /// A number as `NSNumber` prints it: integers without a fraction.
  private static func number(_ real: Double) -> String {
    Int64(exactly: real).map { $0.magnitude < 1_000_000_000_000_000 ? "\($0)" : "\(real)" } ?? "\(real)"
  }

  /// Apple's text has microsecond precision.
  private static func seconds(_ seconds: Double, style: PredicateTextStyle) -> String {
    let text = String(format: "%.6f", seconds)
    return style == .format || Double(text) == seconds ? text : "\(seconds)"
  }
}
