import StrataFormats

/// A relationship as stores need it. The entities that inherit it share it.
package final class RelationshipLayout: @unchecked Sendable {
  // @unchecked: the ends are set while the model is frozen; immutable afterwards.

  package let name: String
  /// The number of the entity that declares the relationship.
  package let declarer: Int
  package let isToMany: Bool
  package let isOrdered: Bool
  package let isOptional: Bool
  package let isTransient: Bool
  package let minCount: Int
  package let maxCount: Int
  package let deleteRule: NSDeleteRule
  // Not retained, because the ends refer to each other. The `ModelLayout` owns both.
  @exclusivity(unchecked) private unowned var end: EntityLayout?
  @exclusivity(unchecked) private unowned var otherSide: RelationshipLayout?

  init(_ relationship: NSRelationshipDescription, declarer: Int) {
    self.declarer = declarer
    name = relationship.name
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isOptional = relationship.isOptional
    isTransient = relationship.isTransient
    (minCount, maxCount) = (relationship.minCount, relationship.maxCount)
    deleteRule = relationship.deleteRule
  }

  // Set with the ends. `freeze()` assigns serial numbers under a lock, so those of an entity and its descendants follow each other.
  /// The serial numbers of the destination and its last descendant.
  @exclusivity(unchecked) private var firstSerial: UInt32 = 0
  @exclusivity(unchecked) private var lastSerial: UInt32 = 0

  /// Sets both ends, once.
  func link(to destination: EntityLayout, inverse: RelationshipLayout?) {
    (end, otherSide) = (destination, inverse)
    (firstSerial, lastSerial) = (destination.serial, destination.serial + UInt32(destination.subtreeNumbers.count - 1))
  }

  /// Whether objects of an entity can be at the other end. It does not count references, unlike `destination`.
  package func leads(to layout: EntityLayout) -> Bool {
    firstSerial <= layout.serial && layout.serial <= lastSerial
  }

  /// The entity of the related objects.
  package var destination: EntityLayout {
    guard let end else { fatalError("The relationship '\(name)' was followed before its model was frozen.") }
    return end
  }

  /// The relationship back to this one's entity; nil for none.
  package var inverse: RelationshipLayout? { otherSide }
}
