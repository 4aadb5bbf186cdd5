import StrataModelSource
import StrataSwiftSource

/// The Swift file with the classes and properties whose code generation is left to the build, as Xcode writes them.
struct ClassFile {
  let documents: [ModelDocument]

  var text: String {
    var text = "// Made by CoreDataModel from the target's models.\n"
    let bodies = documents.flatMap { document in
      document.entities.filter { $0.hasClass && $0.codeGeneration != .manual }.map { body(of: $0, in: document) }
    }
    if bodies.isEmpty { return text }
    // Public API needs a public import where imports are internal by default; it includes Foundation.
    text += "public import CoreData\n"
    return text + bodies.joined()
  }

  private func body(of entity: ModelDocument.Entity, in document: ModelDocument) -> String {
    (entity.codeGeneration == .class ? declaration(of: entity, in: document) : "")
      + extensions(of: entity, in: document)
  }

  /// The class declaration.
  func declaration(of entity: ModelDocument.Entity, in document: ModelDocument) -> String {
    let parent = document.entities.first { $0.name == entity.parentName }
    return "\npublic class \(swift(entity.className)): \(swift(parent?.className ?? "NSManagedObject")) {\n\n}\n"
  }

  /// The extensions generated with the class.
  func extensions(of entity: ModelDocument.Entity, in document: ModelDocument) -> String {
    var text = properties(of: entity, in: document)
    for relationship in entity.relationships where relationship.isToMany {
      text += accessors(of: relationship, of: entity, in: document)
    }
    if entity.parentName == nil { text += "\nextension \(swift(entity.className)): Identifiable {\n\n}\n" }
    return text
  }

  // MARK: Properties

  private func properties(of entity: ModelDocument.Entity, in document: ModelDocument) -> String {
    let name = swift(entity.className)
    var properties: [(name: String, type: String)] = entity.attributes.map { ($0.property.name, type(of: $0)) }
    properties += entity.relationships.map { ($0.property.name, type(of: $0, in: document)) }
    properties += entity.fetchedProperties.map { fetched in
      (fetched.property.name, "[\(className(of: fetched.request.entityName, in: document))]")
    }
    let lines = properties.sorted { $0.name < $1.name }.map {
      "    @NSManaged public var \(swift($0.name)): \($0.type)\n"
    }
    return """

      extension \(name) {

          @nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {
              return NSFetchRequest<\(name)>(entityName: "\(entity.name)")
          }

      \(lines.joined())
      }

      """
  }

  private func type(of attribute: ModelDocument.Attribute) -> String {
    let isScalar = attribute.usesScalarValueType
    return switch attribute.type {
    case .integer16AttributeType: isScalar ? "Int16" : "NSNumber?"
    case .integer32AttributeType: isScalar ? "Int32" : "NSNumber?"
    case .integer64AttributeType: isScalar ? "Int64" : "NSNumber?"
    case .doubleAttributeType: isScalar ? "Double" : "NSNumber?"
    case .floatAttributeType: isScalar ? "Float" : "NSNumber?"
    case .booleanAttributeType: isScalar ? "Bool" : "NSNumber?"
    case .decimalAttributeType: "NSDecimalNumber?"
    case .stringAttributeType: "String?"
    case .dateAttributeType: isScalar ? "TimeInterval" : "Date?"
    case .binaryDataAttributeType: "Data?"
    case .UUIDAttributeType: "UUID?"
    case .URIAttributeType: "URL?"
    case .objectIDAttributeType: "NSManagedObjectID?"
    case .compositeAttributeType: "[String: Any]?"
    case .transformableAttributeType, .undefinedAttributeType: customType(of: attribute)
    }
  }

  /// A custom class or Swift type; a leading dot stands for the target's module.
  private func customType(of attribute: ModelDocument.Attribute) -> String {
    guard let name = attribute.customClassName, !name.isEmpty else { return "NSObject?" }
    return (name.hasPrefix(".") ? String(name.dropFirst()) : name) + "?"
  }

  private func type(of relationship: ModelDocument.Relationship, in document: ModelDocument) -> String {
    if relationship.isToMany { return relationship.isOrdered ? "NSOrderedSet?" : "NSSet?" }
    return "\(className(of: relationship.destinationName, in: document))?"
  }

  private func className(of entityName: String, in document: ModelDocument) -> String {
    swift(document.entities.first { $0.name == entityName }?.className ?? "NSManagedObject")
  }

  // MARK: Accessors of to-many relationships

  private func accessors(
    of relationship: ModelDocument.Relationship, of entity: ModelDocument.Entity, in document: ModelDocument
  ) -> String {
    let property = relationship.property.name
    let (name, member) = (
      property.capitalizedFirst, className(of: relationship.destinationName, in: document)
    )
    let set = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    let ordered = [
      "insertInto\(name)(_ value: \(member), at idx: Int)", "removeFrom\(name)(at idx: Int)",
      "insertInto\(name)(_ values: [\(member)], at indexes: NSIndexSet)", "removeFrom\(name)(at indexes: NSIndexSet)",
      "replace\(name)(at idx: Int, with value: \(member))",
      "replace\(name)(at indexes: NSIndexSet, with values: [\(member)])",
    ]
    let functions =
      (relationship.isOrdered ? ordered : []) + [
        "addTo\(name)(_ value: \(member))", "removeFrom\(name)(_ value: \(member))", "addTo\(name)(_ values: \(set))",
        "removeFrom\(name)(_ values: \(set))",
      ]
    return """

      // MARK: Generated accessors for \(property)
      extension \(swift(entity.className)) {

      \(functions.map { "    @NSManaged public func \($0)\n" }.joined(separator: "\n"))
      }

      """
  }

  private func swift(_ name: String) -> String { escaped(name) }
}
