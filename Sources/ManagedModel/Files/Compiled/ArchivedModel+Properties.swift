import Foundation
import StrataFormats
import StrataPredicates
import StrataSupport

extension ArchivedModel {
  /// Skips inherited properties, which an entity's archive repeats.
  mutating func makeProperties() throws(FileFormatError) {
    for (entity, object) in sources {
      let inherited = inheritedNames(of: object)
      var properties: [NSPropertyDescription] = []
      for (name, value) in object.dictionary("NSProperties").sorted(by: { $0.key < $1.key }) {
        guard !inherited.contains(name), let source = archive.object(value),
          source.className != "_NSPropertyDescriptionProxy"
        else { continue }
        if let property = try property(source, named: name, of: entity.name ?? "") { properties.append(property) }
      }
      entity.properties = properties
    }
  }

  private func inheritedNames(of object: ArchivedObject) -> Set<String> {
    guard let parent = object.object("NSSuperentity") else { return [] }
    return Set(parent.dictionary("NSProperties").map(\.key))
  }

  private mutating func property(
    _ source: ArchivedObject, named name: String, of entity: String
  ) throws(FileFormatError) -> NSPropertyDescription? {
    let property: NSPropertyDescription
    switch source.className {
    case "NSAttributeDescription": property = attribute(NSAttributeDescription(), from: source, entity: entity)
    case "NSDerivedAttributeDescription": property = derivedAttribute(source, entity: entity)
    case "NSCompositeAttributeDescription": property = compositeAttribute(source, entity: entity)
    case "NSRelationshipDescription": property = relationship(source)
    case "NSFetchedPropertyDescription": property = fetchedProperty(source, name: name)
    default:
      warn("the property \(entity).\(name) is of the class \(source.className) and is left out")
      return nil
    }
    fill(property, from: source, entity: entity)
    return property
  }

  private mutating func fill(_ property: NSPropertyDescription, from source: ArchivedObject, entity: String) {
    property.name = source.text("NSPropertyName") ?? ""
    property.isOptional = source.flag("NSIsOptional")
    property.isTransient = source.flag("NSIsTransient")
    property.renamingIdentifier = source.text("NSRenamingIdentifier").flatMap { $0 == property.name ? nil : $0 }
    property.versionHashModifier = source.text("NSVersionHashModifier")
    property.userInfo = userInfo(of: source)
    property.isIndexedBySpotlight = source.flag("NSIndexedBySpotlight")
    property.isStoredInExternalRecord = source.flag("NSStoredInExternalRecord")
    setValidation(of: property, from: source, entity)
  }

  private mutating func setValidation(
    of property: NSPropertyDescription, from source: ArchivedObject, _ entity: String
  ) {
    let warnings = source.members("NSValidationWarnings")
    var rules: [(predicate: NSPredicate, warning: Any)] = []
    for (uid, member) in source.members("NSValidationPredicates").enumerated() {
      guard let predicate = predicate(archive.object(member), of: "\(entity).\(property.name)") else { continue }
      let warning = warnings.indices.contains(uid) ? archive.constant(warnings[uid]) : nil
      rules.append((predicate, warning ?? ""))
    }
    if !rules.isEmpty { property.setValidation(rules.map(\.predicate), warnings: rules.map(\.warning)) }
  }

  private mutating func attribute<Attribute: NSAttributeDescription>(
    _ attribute: Attribute, from source: ArchivedObject, entity: String
  ) -> Attribute {
    let type = source.integer("NSAttributeType").flatMap { NSAttributeType(rawValue: UInt(truncatingIfNeeded: $0)) }
    attribute.attributeType = type ?? .undefinedAttributeType
    attribute.attributeValueClassName = source.text("NSAttributeValueClassName").map(Self.className)
    attribute.valueTransformerName = source.text("NSValueTransformerName")
    let flags = source.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    attribute.allowsCloudEncryption = source.flag("NSAllowsCloudEncryption")
    if let value = source["NSDefaultValue"] {
      attribute.defaultValue = archive.constant(value).map { Self.number($0, as: attribute.attributeType) }
      if attribute.defaultValue == nil {
        let name = "\(entity).\(source.text("NSPropertyName") ?? "")"
        warn("the default of \(name) is an object of a class of the program's own and is left out")
      }
    }
    return attribute
  }

  /// A default of type float is archived as a double.
  private static func number(_ value: Any, as type: NSAttributeType) -> Any {
    guard type == .floatAttributeType, let number = value as? NSNumber else { return value }
    return NSNumber(value: number.floatValue)
  }

  private mutating func derivedAttribute(_ source: ArchivedObject, entity: String) -> NSAttributeDescription {
    let derived = attribute(NSDerivedAttributeDescription(), from: source, entity: entity)
    guard let object = source.object("NSDerivationExpression") else { return derived }
    do throws(ArchivedPredicate.Unreadable) {
      derived.givenDerivation = try ArchivedPredicate(archive: archive).expression(object)
    } catch {
      warn("the derivation of \(entity).\(source.text("NSPropertyName") ?? "") has \(error.problem) and is left out")
    }
    return derived
  }

  /// The key of the elements is unknown: all attributes in it are taken as elements.
  private mutating func compositeAttribute(
    _ source: ArchivedObject, entity: String, within outer: [KeyedArchive.UID] = []
  ) -> NSAttributeDescription {
    let composite = attribute(NSCompositeAttributeDescription(), from: source, entity: entity)
    composite.attributeType = .compositeAttributeType
    for key in source.keys {
      let objects = source.members(key).compactMap(archive.object)
      let uids = outer + [source.uid]
      guard let first = objects.first, first.className.hasSuffix("AttributeDescription"), uids.count < 100 else {
        continue
      }
      var elements: [NSAttributeDescription] = []
      for object in objects where !uids.contains(object.uid) {
        let isComposite = object.className == "NSCompositeAttributeDescription"
        let element =
          isComposite
          ? compositeAttribute(object, entity: entity, within: uids)
          : attribute(NSAttributeDescription(), from: object, entity: entity)
        fill(element, from: object, entity: entity)
        elements.append(element)
      }
      composite.elements = elements
    }
    return composite
  }

  private func relationship(_ source: ArchivedObject) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.minCount = source.integer("NSMinCount") ?? 0
    relationship.maxCount = source.integer("NSMaxCount") ?? 0
    relationship.isOrdered = source.flag("NSIsOrdered")
    let rule = source.integer("NSDeleteRule").flatMap { NSDeleteRule(rawValue: UInt(truncatingIfNeeded: $0)) }
    relationship.deleteRule = rule ?? .noActionDeleteRule
    return relationship
  }

  private mutating func fetchedProperty(_ source: ArchivedObject, name: String) -> NSFetchedPropertyDescription {
    let fetched = NSFetchedPropertyDescription()
    if let request = source.object("NSFetchRequest") {
      let entityName = source.text("_NSFetchRequestEntityName") ?? request.object("NSEntity")?.text("NSEntityName")
      fetched.template = template(request, entityName: entityName, name: name)
    }
    return fetched
  }

  /// Connects destinations and inverses by the names next to the references: a model cached in a store has only names.
  mutating func connectRelationships() {
    for (entity, object) in sources {
      for (name, value) in object.dictionary("NSProperties") {
        guard let relationship = entity.ownRelationship(named: name), let source = archive.object(value) else {
          continue
        }
        let destinationName =
          source.text("_NSDestinationEntityName") ?? source.object("NSDestinationEntity")?.text("NSEntityName")
        guard let destination = destinationName.flatMap({ entities[$0] }) else {
          warn("the relationship \(entity.name ?? "").\(name) leads to no entity of the model")
          continue
        }
        relationship.destinationEntity = destination
        let inverseName =
          source.text("_NSInverseRelationshipName") ?? source.object("NSInverseRelationship")?.text("NSPropertyName")
        relationship.inverseRelationship = inverseName.flatMap { destination.relationshipsByName[$0] }
      }
    }
  }
}
