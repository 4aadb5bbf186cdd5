import Foundation
import StrataPredicates
import StrataSupport

extension AppleModelWriter {
  typealias Entry = (key: String, value: KeyedArchiveWriter.Value)

  mutating func write(_ property: NSPropertyDescription, of entity: NSEntityDescription) throws(ModelArchiveError) {
    try write(property, of: entity, at: self.property(property) ?? 0)
  }

  private mutating func write(
    _ property: NSPropertyDescription, of entity: NSEntityDescription, at target: KeyedArchive.UID
  ) throws(ModelArchiveError) {
    var entries = try common(property, of: entity)
    let ancestry: [String]
    switch property {
    case let derived as NSDerivedAttributeDescription:
      ancestry = ["NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription"]
      entries += try attribute(derived)
      entries.append(("NSIsReadOnly", .boolean(true)))
      entries.append(("NSFilteringPredicate", .object(nil)))
      entries.append(
        (
          "NSDerivationExpression",
          .object(try derived.givenDerivation.map { node throws(ModelArchiveError) in try expression(node) })
        ))
    case let composite as NSCompositeAttributeDescription:
      ancestry = ["NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription"]
      entries += try attribute(composite)
      entries.append(("NSElements", .object(try elements(of: composite, entity))))
    case let attribute as NSAttributeDescription:
      ancestry = ["NSAttributeDescription", "NSPropertyDescription"]
      entries += try self.attribute(attribute)
    case let relationship as NSRelationshipDescription:
      ancestry = ["NSRelationshipDescription", "NSPropertyDescription"]
      entries += self.relationship(relationship)
    case let fetched as NSFetchedPropertyDescription:
      ancestry = ["NSFetchedPropertyDescription", "NSPropertyDescription"]
      entries.append(("NSIsReadOnly", .boolean(true)))
      entries += try self.fetched(fetched, in: entity)
    default: throw ModelArchiveError("\(subject) is of the class \(type(of: property)), which is not a property")
    }
    archive.put(ancestry, entries: entries, at: target)
  }

  /// No archive of Apple's shows the key of the elements: the model cached in a store uses a plausible one, and writing
  /// a file for Apple's framework fails.
  private mutating func elements(
    of composite: NSCompositeAttributeDescription, _ entity: NSEntityDescription
  ) throws(ModelArchiveError) -> KeyedArchive.UID {
    guard isLenient else { throw ModelArchiveError("\(subject) is a composite attribute, whose archive is not known") }
    var targets: [KeyedArchive.UID] = []
    for element in composite.elements {
      targets.append(archive.reserve())
      try write(element, of: entity, at: targets[targets.count - 1])
    }
    return archive.list(["NSArray"], members: targets)
  }

  private mutating func common(
    _ property: NSPropertyDescription, of entity: NSEntityDescription
  ) throws(ModelArchiveError) -> [Entry] {
    var entries: [Entry] = [
      ("NSPropertyName", .object(archive.text(property.name))), ("NSEntity", .object(self.entity(entity))),
      ("NSRenamingIdentifier", .object(archive.text(property.renamingIdentifier ?? property.name))),
    ]
    if property.isOptional { entries.append(("NSIsOptional", .boolean(true))) }
    if property.isTransient { entries.append(("NSIsTransient", .boolean(true))) }
    if property.isIndexedBySpotlight { entries.append(("NSIndexedBySpotlight", .boolean(true))) }
    let isIndexed = entity.indexes.contains { $0.elements.count == 1 && $0.elements[0].path == property.name }
    if isIndexed { entries.append(("NSIsIndexed", .boolean(true))) }
    if let modifier = property.versionHashModifier {
      entries.append(("NSVersionHashModifier", .object(archive.text(modifier))))
    }
    if let notes = try notes(property.userInfo) { entries.append(("NSUserInfo", .object(notes))) }
    let rules = try rules(of: property)
    if !rules.isEmpty {
      entries.append(("NSValidationPredicates", .object(archive.list(["NSArray"], members: rules.map(\.predicate)))))
      entries.append(("NSValidationWarnings", .object(archive.list(["NSArray"], members: rules.map(\.warning)))))
    }
    entries.append(("_P", .integer(Self.flags(of: property, hasRules: !rules.isEmpty))))
    return entries
  }

  private mutating func rules(
    of property: NSPropertyDescription
  ) throws(ModelArchiveError) -> [(predicate: KeyedArchive.UID, warning: KeyedArchive.UID)] {
    var rules: [(predicate: KeyedArchive.UID, warning: KeyedArchive.UID)] = []
    for (rule, warning) in zip(property.validationPredicates, property.validationWarnings) {
      let written = try dispensable { writer throws(ModelArchiveError) in
        (predicate: try writer.predicate(rule) ?? 0, warning: try writer.constant(warning))
      }
      if let written { rules.append(written) }
    }
    return rules
  }

  /// Apple's flags: the kind of property in the lowest bits, then missing features.
  private static func flags(of property: NSPropertyDescription, hasRules: Bool) -> Int {
    let isReadOnly = property is NSDerivedAttributeDescription || property is NSFetchedPropertyDescription
    let isOrdered = (property as? NSRelationshipDescription)?.isOrdered == true
    return [
      (1, true), (2, property.isOptional), (4, isReadOnly), (8, property.isTransient),
      (16 + 32, !hasRules), (64, property.userInfo?.isEmpty != false),
      (128, property.versionHashModifier == nil), (1_024, isOrdered),
    ].reduce(0) { $1.1 ? $0 + $1.0 : $0 }
  }

  private mutating func attribute(_ attribute: NSAttributeDescription) throws(ModelArchiveError) -> [Entry] {
    let value = try dispensable { writer throws(ModelArchiveError) in
      // A composite attribute's default is that of its elements.
      guard !(attribute is NSCompositeAttributeDescription) else { return nil as KeyedArchive.UID? }
      return try attribute.defaultValue.map { value throws(ModelArchiveError) in try writer.constant(value) }
    }
    var entries: [Entry] = [
      ("NSAttributeType", .integer(Int(attribute.attributeType.rawValue))),
      ("NSAttributeValueClassName", .object(attribute.attributeValueClassName.map { archive.text($0) })),
      ("NSDefaultValue", .object(value)),
      ("NSValueTransformerName", .object(attribute.valueTransformerName.map { archive.text($0) })),
      (
        "NSFlagsKey",
        .integer(
          (attribute.allowsExternalBinaryDataStorage ? 4 : 0) + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0))
      ),
    ]
    if attribute.allowsCloudEncryption { entries.append(("NSAllowsCloudEncryption", .boolean(true))) }
    return entries
  }

  private mutating func relationship(_ relationship: NSRelationshipDescription) -> [Entry] {
    let destination = relationship.destinationEntity
    let inverse = relationship.inverseRelationship
    var entries: [Entry] = [
      ("NSDestinationEntity", .object(self.entity(destination))),
      ("_NSDestinationEntityName", .object(destination?.name.map { archive.text($0) })),
      ("NSInverseRelationship", .object(self.property(inverse))),
      ("_NSInverseRelationshipName", .object(inverse.map { archive.text($0.name) })),
      ("NSMinCount", .integer(relationship.minCount)), ("NSMaxCount", .integer(relationship.maxCount)),
      ("NSDeleteRule", .integer(Int(relationship.deleteRule.rawValue))),
    ]
    if relationship.isOrdered { entries.append(("NSIsOrdered", .boolean(true))) }
    return entries
  }

  private mutating func fetched(
    _ fetched: NSFetchedPropertyDescription, in entity: NSEntityDescription
  ) throws(ModelArchiveError) -> [Entry] {
    guard let template = fetched.template else { return [("NSFetchRequest", .object(nil))] }
    let target = template.entityName.flatMap { entity.model?.entitiesByName[$0] }
    let request = try dispensable { writer throws(ModelArchiveError) in try writer.request(template, target: target) }
    return [
      ("NSFetchRequest", .object(request)),
      ("_NSFetchRequestEntityName", .object(template.entityName.map { archive.text($0) })),
    ]
  }

  mutating func request(
    _ template: FetchTemplate, target: NSEntityDescription?
  ) throws(ModelArchiveError) -> KeyedArchive.UID {
    archive.add(
      ["NSFetchRequest", "NSPersistentStoreRequest"],
      entries: [
        ("NSEntity", .object(entity(target))), ("NSPredicate", .object(try predicate(template.predicate))),
        ("NSHavingPredicate", .object(try predicate(template.havingPredicate))),
        ("NSSortDescriptors", .object(try sorts(template.sortDescriptors))),
        ("NSFetchLimit", .integer(template.fetchLimit)), ("NSFetchOffset", .integer(template.fetchOffset)),
        ("NSBatchSize", .integer(template.fetchBatchSize)), ("NSResultType", .integer(Int(template.resultType))),
        ("NSHasFetchRequestFlags", .boolean(true)), ("NSFetchRequestFlags", .integer(template.flags)),
        ("NSAllocationType", .integer(0)), ("NSValuesToFetch", .object(names(template.propertiesToFetch))),
        ("NSValuesToGroupBy", .object(names(template.propertiesToGroupBy))),
        ("NSRelationshipKeyPathsForPrefetching", .object(names(template.relationshipKeyPathsForPrefetching))),
      ])
  }

  private mutating func names(_ names: [String]?) -> KeyedArchive.UID? {
    guard let names else { return nil }
    let members = names.map { archive.text($0) }
    return archive.list(["NSArray"], members: members)
  }

  private mutating func sorts(_ descriptors: [NSSortDescriptor]) throws(ModelArchiveError) -> KeyedArchive.UID? {
    guard !descriptors.isEmpty else { return nil }
    var uids: [KeyedArchive.UID] = []
    for descriptor in descriptors {
      guard let sort = try? descriptor.fetchable else {
        throw ModelArchiveError("\(subject) is sorted by \(descriptor), which has no text")
      }
      uids.append(
        archive.add(
          ["NSSortDescriptor"],
          entries: [
            ("NSKey", .object(archive.text(sort.keyPath.joined(separator: ".")))),
            ("NSAscending", .boolean(sort.isAscending)), ("NSReverseNullOrder", .boolean(false)),
            ("NSSelector", .object(archive.text(sort.comparison.selector.description))),
          ]))
    }
    return archive.list(["NSArray"], members: uids)
  }
}
