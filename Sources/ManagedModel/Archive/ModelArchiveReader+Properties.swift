import Foundation
import StrataFormats
import StrataPredicates

extension ModelArchiveReader {
  mutating func indexedExpression(
    named name: String, index: String
  ) throws(ModelArchiveError) -> NSExpressionDescription? {
    let description = NSExpressionDescription()
    description.name = name
    description.expressionResultType =
      NSAttributeType(rawValue: UInt(bitPattern: try number())) ?? .undefinedAttributeType
    guard let text = try text() else { return description }
    guard let node = expression(text, of: "an element of the index \(index)") else { return nil }
    description.expression = .expression(with: node)
    return description
  }

  mutating func property() throws(ModelArchiveError) -> NSPropertyDescription {
    guard let kind = ModelArchiveFormat.PropertyKind(rawValue: try flags()) else {
      throw damage("an unknown kind of property")
    }
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
    let name = property.name
    let rules = try list { reader throws(ModelArchiveError) in
      (predicate: try reader.predicate(of: "a rule of \(name)"), code: try reader.constant() ?? "")
    }.filter { $0.predicate != nil }
    if !rules.isEmpty { property.setValidation(rules.compactMap(\.predicate), warnings: rules.map(\.code)) }
    switch property {
    case let attribute as NSAttributeDescription: try read(attribute)
    case let relationship as NSRelationshipDescription: try read(relationship)
    case let fetched as NSFetchedPropertyDescription:
      fetched.template = try optional { reader throws(ModelArchiveError) in
        try reader.template(of: "the fetched property \(name)")
      }?.flatMap(\.self)
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
      derived.givenDerivation = expression(text, of: "the derivation of \(attribute.name)")
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      composite.elements = try list { reader throws(ModelArchiveError) in
        guard let element = try reader.property() as? NSAttributeDescription else {
          throw reader.damage("an element of a composite that is not an attribute")
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

  /// Returns nil, with a warning, for an invalid predicate: without it, the request would select other objects.
  mutating func template(of what: String) throws(ModelArchiveError) -> FetchTemplate? {
    var template = FetchTemplate(entityName: try text())
    let count = warnings.count
    template.predicate = try predicate(of: what)
    template.havingPredicate = try predicate(of: what)
    let isValid = warnings.count == count
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
    return isValid ? template : nil
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
