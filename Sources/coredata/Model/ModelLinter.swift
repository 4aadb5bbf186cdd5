import CoreData
import Foundation
import StrataManagedModel
import StrataModelSource
import StrataSupport

/// Finds in a model what Xcode's compiler warns of.
struct ModelLinter {
  /// In the order of the file, or by name if line numbers are unknown.
  private(set) var warnings: [ModelWarning] = []
  private let file: String
  /// The lines of entities and, behind a dot, of their properties.
  private var lines: [String: Int] = [:]

  /// - Parameter file: what was named, for a model without a source.
  init(_ location: ModelLocation, file: String) {
    let document = location.url.flatMap(Self.document)
    self.file = document?.file ?? file
    warnings = location.warnings
    for entity in document?.entities ?? [] {
      lines[entity.name] = entity.line
      for property in entity.attributes.map(\.property) + entity.relationships.map(\.property) {
        lines["\(entity.name).\(property.name)"] = property.line
      }
    }
    for entity in location.model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) { check(entity) }
    for entity in document?.entities ?? [] { checkScalars(of: entity) }
    warnings.sort { $0.line < $1.line }
  }

  /// The source, if the model is one.
  private static func document(_ url: URL) -> ModelDocument? {
    let file = url.appendingPathComponent("contents")
    guard let data = try? FileContents.read(file.path, limit: FileContents.sourceLimit) else { return nil }
    return try? ModelDocument(contents: Array(data), file: file.relativePath)
  }

  private mutating func warn(_ name: String, _ text: String) {
    warnings.append(ModelWarning(file: file, line: lines[name] ?? 0, "\(name) \(text)"))
  }

  private static let maximumProperties = 100

  private mutating func check(_ entity: NSEntityDescription) {
    let name = entity.name ?? ""
    if entity.isAbstract, entity.subentities.isEmpty { warn(name, "is abstract and has no children") }
    if entity.properties.count > Self.maximumProperties {
      warn(name, "has \(entity.properties.count) properties: more than \(Self.maximumProperties) make each object slow")
    }
    for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
      let path = "\(name).\(property.name)"
      if Self.methodNames.contains(property.name) {
        warn(path, "has the name of a method of NSManagedObject or NSObject")
      }
      switch property {
      case let relationship as NSRelationshipDescription: check(relationship, path)
      case let attribute as NSAttributeDescription: check(attribute, path)
      default: break
      }
    }
  }

  private mutating func check(_ relationship: NSRelationshipDescription, _ path: String) {
    if relationship.destinationEntity == nil {
      warn(path, "should have a destination")
    } else if relationship.inverseRelationship == nil {
      warn(path, "should have an inverse: without one, it is not set to nil when its destination is deleted")
    }
    if relationship.deleteRule == .noActionDeleteRule {
      warn(path, "has the delete rule No Action, which leaves references to deleted objects")
    }
  }

  private mutating func check(_ attribute: NSAttributeDescription, _ path: String) {
    if attribute.attributeType == .undefinedAttributeType, !attribute.isTransient { warn(path, "should have a type") }
    let insecure = ["", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName"]
    if attribute.attributeType == .transformableAttributeType, insecure.contains(attribute.valueTransformerName ?? "") {
      warn(path, "has no secure transformer: name NSSecureUnarchiveFromDataTransformer or one of your own")
    }
  }

  /// A missing number cannot be distinguished from 0.
  private mutating func checkScalars(of entity: ModelDocument.Entity) {
    let types: Set<NSAttributeType> = [
      .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .booleanAttributeType,
    ]
    for attribute in entity.attributes
    where attribute.usesScalarValueType && attribute.property.isOptional && attribute.defaultText == nil
      && types.contains(attribute.type) && !attribute.isDerived
    {
      warn(
        "\(entity.name).\(attribute.property.name)",
        "is an optional scalar without a default value: nil is read as 0")
    }
  }

  /// The instance methods and properties that a generated property would hide.
  private static let methodNames: Set<String> = [
    // NSObject
    "autorelease", "class", "copy", "dealloc", "debugDescription", "description", "hash", "init", "isProxy",
    "mutableCopy", "observationInfo", "release", "retain", "retainCount", "self", "superclass", "zone",
    // NSManagedObject
    "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent", "didTurnIntoFault", "didSave",
    "entity", "faultingState", "hasChanges", "hasPersistentChangedValues", "isDeleted", "isFault", "isInserted",
    "isUpdated", "managedObjectContext", "objectID", "objectWillChange", "prepareForDeletion", "willSave",
    "willTurnIntoFault",
  ]
}
