import CoreData
import Foundation
import StrataTestSupport

/// A model with an entity that has a rule of every kind, an entity whose properties are required, and their destination.
enum Rules {
  static let model: NSManagedObjectModel = {
    let part = makeEntity("Part")
    let item = makeEntity(
      "Item", of: Item.self,
      [
        checked("title", ["length >= 3", "length <= 5"]), checked("mail", ["SELF MATCHES '[^@]+@[^@]+'"]),
        checked("amount", ["SELF >= 10", "SELF <= 20"], type: .integer32),
        checked("ratio", ["SELF > 0 AND SELF < 1"], type: .double),
        attribute("day", .date), attribute("small", .integer16),
        checked("color", ["SELF IN {'red', 'blue'}"], ["Red or blue, please."]),
        checked("code", ["length <= 2"], ["1660"]), checked("nick", ["length >= 3"], ["Longer, please."]),
        checked("draft", ["length <= 2"]), attribute("name"),
        counted("parts", to: part, minimum: 2, maximum: 3), counted("twins", to: part, minimum: 2, maximum: 2),
        counted("all", to: part, minimum: 0, maximum: 0), counted("first", to: part, minimum: 1, maximum: 1),
      ])
    item.attributesByName["draft"]?.isTransient = true
    item.attributesByName["day"]?.setValidationPredicates(
      [
        NSPredicate(format: "SELF >= %@", Date(timeIntervalSinceReferenceDate: 0) as NSDate),
        NSPredicate(format: "SELF <= %@", Date(timeIntervalSinceReferenceDate: 100) as NSDate),
      ], withValidationWarnings: nil)
    let strict = makeEntity(
      "Strict",
      [
        attribute("text"), attribute("draft", .undefined, transient: true),
        counted("one", to: part, minimum: 1, maximum: 1), counted("many", to: part, minimum: 0, maximum: 0),
        counted("pair", to: part, minimum: 2, maximum: 2), counted("row", to: part, minimum: 0, maximum: 0),
        counted("line", to: part, minimum: 1, maximum: 0),
      ])
    for property in strict.properties { property.isOptional = false }
    for name in ["row", "line"] { strict.relationshipsByName[name]?.isOrdered = true }
    return makeModel(item, part, strict)
  }()

  private static func checked(
    _ name: String, _ rules: [String], _ warnings: [String]? = nil,
    type: NSAttributeDescription.AttributeType = .string
  ) -> NSAttributeDescription {
    let attribute = attribute(name, type)
    attribute.setValidationPredicates(rules.map { NSPredicate(format: $0) }, withValidationWarnings: warnings)
    return attribute
  }

  private static func counted(
    _ name: String, to entity: NSEntityDescription, minimum: Int, maximum: Int
  ) -> NSRelationshipDescription {
    let relationship = relationship(name, to: entity, max: maximum)
    relationship.minCount = minimum
    return relationship
  }
}

/// An item with additional rules, which tests enable by its name.
class Item: NSManagedObject {
  nonisolated(unsafe) static var asked: [String] = []

  private func makeError(_ code: Int) -> NSError { NSError(domain: "Items", code: code) }

  override func validateForInsert() throws {
    try super.validateForInsert()
    switch called {
    case "refused": throw makeError(1)
    case "trim": setValue("ab", forKey: "code")
    case "both": try throwBoth(NSMutableArray(array: [makeError(1), makeError(2)]))
    case "fixed": try throwBoth([makeError(1), makeError(2)] as [NSError])
    case "endless": setValue("endless", forKey: "name")
    case "restless": setValue(((value(forKey: "small") as? Int) ?? 0) + 1, forKey: "small")
    default: break
    }
  }

  private func throwBoth(_ list: Any) throws {
    throw NSError(
      domain: CocoaError.errorDomain, code: NSValidationMultipleErrorsError, userInfo: [NSDetailedErrorsKey: list])
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if called == "frozen" { throw makeError(3) }
  }

  override func validateForDelete() throws {
    try super.validateForDelete()
    if called == "eternal" { throw makeError(4) }
  }
}

/// An item that records the key of each value it validates.
class CheckedItem: Item {
  override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    Item.asked.append(key)
    if key == "title", let text = value.pointee as? String {
      value.pointee = text.trimmingCharacters(in: .whitespaces) as AnyObject
    }
    try super.validateValue(value, forKey: key)
    if key == "name", value.pointee as? String == "forbidden" { throw NSError(domain: "Items", code: 5) }
  }
}
