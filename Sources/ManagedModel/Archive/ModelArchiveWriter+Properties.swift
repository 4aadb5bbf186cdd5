import Foundation
import StrataFormats
import StrataPredicates

extension ModelArchiveWriter {
  mutating func property(_ property: NSPropertyDescription) throws(ModelArchiveError) {
    kind(try ModelArchiveFormat.PropertyKind(property))
    text(property.name)
    flags([
      property.isOptional, property.isTransient, property.isIndexedBySpotlight, property.isStoredInExternalRecord,
    ])
    text(property.renamingIdentifier == property.name ? nil : property.renamingIdentifier)
    text(property.versionHashModifier)
    try userInfo(property.userInfo)
    number(property.validationPredicates.count)
    for (rule, warning) in zip(property.validationPredicates, property.validationWarnings) {
      try predicate(rule)
      try constant(warning)
    }
    switch property {
    case let attribute as NSAttributeDescription: try self.attribute(attribute)
    case let relationship as NSRelationshipDescription: try self.relationship(relationship)
    case let fetched as NSFetchedPropertyDescription:
      try optional(fetched.template) { writer, template throws(ModelArchiveError) in try writer.template(template) }
    default: break
    }
  }

  mutating func attribute(_ attribute: NSAttributeDescription) throws(ModelArchiveError) {
    number(Int(attribute.attributeType.rawValue))
    text(attribute.attributeValueClassName)
    text(attribute.valueTransformerName)
    flags([
      attribute.allowsExternalBinaryDataStorage, attribute.preservesValueInHistoryOnDeletion,
      attribute.allowsCloudEncryption,
    ])
    // A composite attribute's default is that of its elements.
    try constant(attribute is NSCompositeAttributeDescription ? nil : attribute.defaultValue)
    if let derived = attribute as? NSDerivedAttributeDescription { text(derived.givenDerivation?.description) }
    if let composite = attribute as? NSCompositeAttributeDescription {
      number(composite.elements.count)
      for element in composite.elements { try property(element) }
    }
  }

  mutating func relationship(_ relationship: NSRelationshipDescription) throws(ModelArchiveError) {
    guard let destination = relationship.destinationEntity, entityNumbers[ObjectIdentifier(destination)] != nil else {
      throw ModelArchiveError("\(subject) leads to no entity of the model")
    }
    entity(destination)
    text(relationship.inverseRelationship?.name)
    signed(Int64(relationship.minCount))
    signed(Int64(relationship.maxCount))
    number(Int(relationship.deleteRule.rawValue))
    flags([relationship.isOrdered])
  }

  mutating func template(_ template: FetchTemplate) throws(ModelArchiveError) {
    text(template.entityName)
    try predicate(template.predicate)
    try predicate(template.havingPredicate)
    number(template.sortDescriptors.count)
    for descriptor in template.sortDescriptors { try sort(descriptor) }
    for value in [template.fetchLimit, template.fetchOffset, template.fetchBatchSize, Int(template.resultType)] {
      number(value)
    }
    flags([
      template.includesSubentities, template.includesPropertyValues, template.includesPendingChanges,
      template.returnsObjectsAsFaults, template.returnsDistinctResults,
    ])
    for names in [
      template.propertiesToFetch, template.propertiesToGroupBy, template.relationshipKeyPathsForPrefetching,
    ] {
      optional(names) { writer, names in writer.list(names) { $0.text($1) } }
    }
  }

  mutating func sort(_ descriptor: NSSortDescriptor) throws(ModelArchiveError) {
    guard let sort = try? descriptor.fetchable else {
      throw ModelArchiveError("\(subject) is sorted by \(descriptor), which has no text")
    }
    text(sort.keyPath.joined(separator: "."))
    flags([sort.isAscending])
    text(sort.comparison.selector.description)
  }
}

extension ModelArchiveFormat.PropertyKind {
  init(_ property: NSPropertyDescription) throws(ModelArchiveError) {
    switch property {
    case is NSDerivedAttributeDescription: self = .derived
    case is NSCompositeAttributeDescription: self = .composite
    case is NSAttributeDescription: self = .attribute
    case is NSRelationshipDescription: self = .relationship
    case is NSFetchedPropertyDescription: self = .fetched
    default: throw ModelArchiveError("\(property.name) is of the class \(type(of: property)), which is not a property")
    }
  }

  var description: NSPropertyDescription {
    switch self {
    case .attribute: NSAttributeDescription()
    case .derived: NSDerivedAttributeDescription()
    case .composite: NSCompositeAttributeDescription()
    case .relationship: NSRelationshipDescription()
    case .fetched: NSFetchedPropertyDescription()
    }
  }
}
