import Foundation

extension NSEntityDescription {
  /// All properties by name, including inherited ones.
  public var propertiesByName: [String: NSPropertyDescription] {
    Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { _, own in own })
  }

  /// All attributes by name, including inherited ones.
  public var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// All relationships by name, including inherited ones.
  public var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// The direct subentities by name.
  public var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(subentities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the relationships whose destination is `entity` itself.
  public func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
    properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
  }

  /// Returns whether the entity is `entity` or inherits from it.
  public func isKindOf(entity: NSEntityDescription) -> Bool {
    var next: NSEntityDescription? = self
    while let candidate = next {
      if candidate === entity { return true }
      next = candidate.superentity
    }
    return false
  }

  /// The root of the entity's hierarchy, whose table holds the rows of all its entities.
  package var rootEntity: NSEntityDescription {
    var root = self
    while let parent = root.superentity { root = parent }
    return root
  }

  /// The names in each uniqueness constraint that the entity itself declares; paths for elements of composite
  /// attributes.
  package var uniqueNames: [[String]] {
    uniquenessConstraints.map { $0.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription).map(path) } }
  }

  /// Returns the number of the index of a property alone, in order, over all rows.
  func ownIndex(of property: NSPropertyDescription) -> Int? {
    indexes.firstIndex { index in
      index.elements.count == 1 && index.elements[0].property === property && index.partialIndexPredicate == nil
        && index.elements[0].collationType == .binary
    }
  }

  /// Adds or removes the index of a property alone.
  func setOwnIndex(of property: NSPropertyDescription, to isIndexed: Bool) {
    let known = ownIndex(of: property)
    if let known, !isIndexed { indexes.remove(at: known) }
    guard isIndexed, known == nil else { return }
    let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
    indexes.append(NSFetchIndexDescription(name: property.name, elements: [element]))
  }

  /// Returns the relationship with a name that the entity itself declares.
  package func ownRelationship(named name: String) -> NSRelationshipDescription? {
    ownProperties.first { $0.name == name } as? NSRelationshipDescription
  }
}
