import CoreData
import Foundation
import StrataManagedModel
import StrataPredicates

/// The values of attributes in JSON: exact, so that what is read back is what was written.
enum AttributeForm {
  /// - Parameter value: as `value(forKey:)` returns it.
  static func node(_ value: Any?, of attribute: NSAttributeDescription) -> JSONNode {
    guard let value, !(value is NSNull) else { return .null }
    if let composite = attribute as? NSCompositeAttributeDescription {
      let values = value as? [String: Any] ?? [:]
      return .members(
        composite.elements.sorted { $0.name < $1.name }.compactMap { element in
          values[element.name].map { .init(element.name, node($0, of: element)) }
        })
    }
    switch (attribute.attributeType, value) {
    case (.booleanAttributeType, let number as NSNumber): return .flag(number.boolValue)
    case (.decimalAttributeType, let number as NSNumber): return .text("\(number.decimalValue)")
    case (.floatAttributeType, let number as NSNumber): return real(Double("\(number.floatValue)") ?? .nan)
    case (.doubleAttributeType, let number as NSNumber): return real(number.doubleValue)
    case (_, let number as NSNumber): return .integer(number.int64Value)
    case (_, let text as String): return .text(text)
    case (_, let date as Date): return self.node(date)
    case (_, let data as Data): return .text(data.base64EncodedString())
    case (_, let uuid as UUID): return .text(uuid.uuidString)
    case (_, let url as URL): return .text(url.absoluteString)
    default: return .text("\(value)")
    }
  }

  private static func real(_ number: Double) -> JSONNode { number.isFinite ? .real(number) : .text("\(number)") }

  /// Outside the years of ISO 8601, the seconds since 2001.
  private static func node(_ date: Date) -> JSONNode {
    ISODate.text(date).map(JSONNode.text) ?? real(date.timeIntervalSinceReferenceDate)
  }

  /// The reason why a JSON value does not fit an attribute; continues "the attribute 'x' …".
  struct Refusal: Error { let reason: String }

  /// The value of a JSON value; nil for null.
  static func value(_ node: JSONNode, of attribute: NSAttributeDescription) throws(Refusal) -> Any? {
    if case .null = node { return nil }
    if let composite = attribute as? NSCompositeAttributeDescription { return try values(node, of: composite) }
    if let value = plainValue(node, of: attribute.attributeType) { return value }
    throw Refusal(reason: "is \(attribute.attributeType.modelWord), not \(text(node))")
  }

  private static func values(
    _ node: JSONNode, of composite: NSCompositeAttributeDescription
  ) throws(Refusal) -> [String: Any] {
    guard case .members(let members) = node else { throw Refusal(reason: "is composite, not \(text(node))") }
    var values: [String: Any] = [:]
    for member in members {
      guard let element = composite.elements.first(where: { $0.name == member.name }) else {
        throw Refusal(reason: "has no element '\(member.name)'")
      }
      values[member.name] = try value(member.value, of: element)
    }
    return values
  }

  /// nil for a value of another type.
  private static func plainValue(_ node: JSONNode, of type: NSAttributeType) -> Any? {
    switch (type, node) {
    case (.booleanAttributeType, .flag(let flag)): return NSNumber(value: flag)
    case (.integer16AttributeType, .integer(let number)): return Int16(exactly: number).map { NSNumber(value: $0) }
    case (.integer32AttributeType, .integer(let number)): return Int32(exactly: number).map { NSNumber(value: $0) }
    case (.integer64AttributeType, .integer(let number)): return NSNumber(value: number)
    case (.decimalAttributeType, let node): return decimal(node).map { NSDecimalNumber(decimal: $0) }
    case (.floatAttributeType, let node): return real(node).map { NSNumber(value: Float($0)) }
    case (.doubleAttributeType, let node): return real(node).map { NSNumber(value: $0) }
    case (.stringAttributeType, .text(let text)): return text
    case (.dateAttributeType, .text(let text)): return ISODate.date(text) ?? real(node).map(Self.date)
    case (.dateAttributeType, let node): return real(node).map(Self.date)
    case (.binaryDataAttributeType, .text(let text)), (.transformableAttributeType, .text(let text)):
      return Data(base64Encoded: text)
    case (.UUIDAttributeType, .text(let text)): return UUID(uuidString: text)
    case (.URIAttributeType, .text(let text)): return URL(string: text)
    default: return nil
    }
  }

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  private static func decimal(_ node: JSONNode) -> Decimal? {
    switch node {
    case .text(let text):
      text == "NaN" || text.allSatisfy { "0123456789+-.eE".contains($0) } ? Decimal(string: text) : nil
    case .integer(let number): Decimal(number)
    case .real(let number): Decimal(string: number.description)
    default: nil
    }
  }

  private static func real(_ node: JSONNode) -> Double? {
    switch node {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text("nan"): .nan
    case .text("inf"): .infinity
    case .text("-inf"): -.infinity
    default: nil
    }
  }

  /// A short form for messages.
  static func text(_ node: JSONNode) -> String {
    switch node {
    case .list, .members: node.kind
    default: node.line.count > 60 ? node.kind : node.line
    }
  }
}
