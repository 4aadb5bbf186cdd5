import CoreData
import Foundation

/// A model of an entity with a rule of every kind, one where everything is required, and one whose objects they count.
enum Rules {
  static let model = makeModel()

  private static func makeModel() -> NSManagedObjectModel {
    let (part, item) = (NSEntityDescription(), NSEntityDescription())
    part.name = "Part"
    item.name = "Item"
    item.managedObjectClassName = NSStringFromClass(Item.self)
    item.properties = [
      attribute("title", .stringAttributeType, ["length >= 3", "length <= 5"]),
      attribute("mail", .stringAttributeType, ["SELF MATCHES '[^@]+@[^@]+'"]),
      attribute("amount", .integer32AttributeType, ["SELF >= 10", "SELF <= 20"]),
      attribute("ratio", .doubleAttributeType, ["SELF > 0 AND SELF < 1"]),
      attribute("day", .dateAttributeType, []),
      attribute("small", .integer16AttributeType, []),
      attribute("color", .stringAttributeType, ["SELF IN {'red', 'blue'}"], ["Red or blue, please."]),
      attribute("code", .stringAttributeType, ["length <= 2"], ["1660"]),
      attribute("nick", .stringAttributeType, ["length >= 3"], ["Longer, please."]),
      attribute("draft", .stringAttributeType, ["length <= 2"]),
      attribute("name", .stringAttributeType, []),
      relationship("parts", to: part, least: 2, most: 3), relationship("twins", to: part, least: 2, most: 2),
      relationship("all", to: part, least: 0, most: 0), relationship("first", to: part, least: 1, most: 1),
    ]
    item.attributesByName["draft"]?.isTransient = true
    item.attributesByName["day"]?.setValidationPredicates(
      [
        NSPredicate(format: "SELF >= %@", Date(timeIntervalSinceReferenceDate: 0) as NSDate),
        NSPredicate(format: "SELF <= %@", Date(timeIntervalSinceReferenceDate: 100) as NSDate),
      ], withValidationWarnings: nil)
    let strict = NSEntityDescription()
    strict.name = "Strict"
    strict.properties = [
      attribute("text", .stringAttributeType, []), attribute("draft", .undefinedAttributeType, []),
      relationship("one", to: part, least: 1, most: 1), relationship("many", to: part, least: 0, most: 0),
      relationship("pair", to: part, least: 2, most: 2), relationship("row", to: part, least: 0, most: 0),
      relationship("line", to: part, least: 1, most: 0),
    ]
    for property in strict.properties { property.isOptional = false }
    for name in ["row", "line"] { strict.relationshipsByName[name]?.isOrdered = true }
    strict.attributesByName["draft"]?.isTransient = true
    let model = NSManagedObjectModel()
    model.entities = [item, part, strict]
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, _ rules: [String], _ warnings: [String]? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, type)
    attribute.setValidationPredicates(rules.map { NSPredicate(format: $0) }, withValidationWarnings: warnings)
    return attribute
  }

  private static func relationship(
    _ name: String, to entity: NSEntityDescription, least: Int, most: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, entity)
    (relationship.minCount, relationship.maxCount) = (least, most)
    return relationship
  }
}

/// An item with rules of its own, which tests switch on by its name.
class Item: NSManagedObject {
  nonisolated(unsafe) static var asked: [String] = []

  private func own(_ code: Int) -> NSError { NSError(domain: "Items", code: code) }

  override func validateForInsert() throws {
    try super.validateForInsert()
    switch called {
    case "refused": throw own(1)
    case "trim": setValue("ab", forKey: "code")
    case "both": try throwBoth(NSMutableArray(array: [own(1), own(2)]))
    case "fixed": try throwBoth([own(1), own(2)] as [NSError])
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
    if called == "frozen" { throw own(3) }
  }

  override func validateForDelete() throws {
    try super.validateForDelete()
    if called == "eternal" { throw own(4) }
  }
}

/// An item that is asked about each value.
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
