import Foundation
import StrataPredicates

extension ModelArchiveReader {
  mutating func indexedExpression(named name: String) throws(ModelArchiveError) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expressionResultType =
      NSAttributeType(rawValue: UInt(bitPattern: try number())) ?? .undefinedAttributeType
    if let text = try text() { description.expression = .expression(with: try expression(text)) }
    return description
  }

  mutating func property() throws(ModelArchiveError) -> NSPropertyDescription {
    guard let kind = ArchivedPropertyKind(rawValue: try flags()) else { throw damage("an unknown kind of property") }
    let property = kind.description
    property.name = try text() ?? ""
    let flags = try flags()
    property.isOptional = flags & 1 != 0
    property.isTransient = flags & 2 != 0
    property.isIndexedBySpotlight = flags & 4 != 0
    property.isStoredInExternalRecord = flags & 8 != 0
    property.renamingIdentifier = try text()
    property.versionHashModifier = try text()
    property.userInfo = try userInfo()
    let rules = try list { reader throws(ModelArchiveError) in (try reader.predicate(), try reader.constant() ?? "") }
    if !rules.isEmpty { property.setValidation(rules.compactMap(\.0), warnings: rules.map(\.1)) }
    switch property {
    case let attribute as NSAttributeDescription: try read(attribute)
    case let relationship as NSRelationshipDescription: try read(relationship)
    case let fetched as NSFetchedPropertyDescription:
      fetched.template = try optional { reader throws(ModelArchiveError) in try reader.template() }
    default: break
    }
    return property
  }

  mutating func read(_ attribute: NSAttributeDescription) throws(ModelArchiveError) {
    guard let type = NSAttributeType(rawValue: UInt(bitPattern: try number())) else {
      throw damage("an unknown type of attribute")
    }
    attribute.attributeType = type
    attribute.attributeValueClassName = try text()
    attribute.valueTransformerName = try text()
    let flags = try flags()
    attribute.allowsExternalBinaryDataStorage = flags & 1 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 2 != 0
    attribute.allowsCloudEncryption = flags & 4 != 0
    attribute.defaultValue = try constant()
    if let derived = attribute as? NSDerivedAttributeDescription, let text = try text() {
      derived.givenDerivation = try expression(text)
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      composite.elements = try list { reader throws(ModelArchiveError) in
        guard let element = try reader.property() as? NSAttributeDescription else {
          throw reader.damage("an element of a composite that is no attribute")
        }
        return element
      }
    }
  }

  mutating func read(_ relationship: NSRelationshipDescription) throws(ModelArchiveError) {
    relationship.destinationEntity = try entity()
    if let name = try text() { inverses.append((relationship, name)) }
    relationship.minCount = Int(try signed())
    relationship.maxCount = Int(try signed())
    relationship.deleteRule = NSDeleteRule(rawValue: UInt(bitPattern: try number())) ?? .nullifyDeleteRule
    relationship.isOrdered = try flags() & 1 != 0
  }

  mutating func template() throws(ModelArchiveError) -> FetchTemplate {
    var template = FetchTemplate(entityName: try text())
    template.predicate = try predicate()
    template.havingPredicate = try predicate()
    template.sortDescriptors = try list { reader throws(ModelArchiveError) in try reader.sort() }
    template.fetchLimit = try number()
    template.fetchOffset = try number()
    template.fetchBatchSize = try number()
    template.resultType = UInt(bitPattern: try number())
    let flags = try flags()
    template.includesSubentities = flags & 1 != 0
    template.includesPropertyValues = flags & 2 != 0
    template.includesPendingChanges = flags & 4 != 0
    template.returnsObjectsAsFaults = flags & 8 != 0
    template.returnsDistinctResults = flags & 16 != 0
    template.propertiesToFetch = try names()
    template.propertiesToGroupBy = try names()
    template.relationshipKeyPathsForPrefetching = try names()
    return template
  }

  mutating func names() throws(ModelArchiveError) -> [String]? {
    try optional { reader throws(ModelArchiveError) in
      try reader.list { reader throws(ModelArchiveError) in try reader.text() ?? "" }
    }
  }

  mutating func sort() throws(ModelArchiveError) -> NSSortDescriptor {
    let (key, flags, selector) = (try text(), try flags(), try text() ?? "compare:")
    return NSSortDescriptor(key: key, ascending: flags & 1 != 0, selector: Selector(selector))
  }
}
