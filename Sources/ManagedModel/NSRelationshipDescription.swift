import Foundation

/// A property that refers to objects of an entity.
/// See https://developer.apple.com/documentation/coredata/nsrelationshipdescription
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the objects at the other end.
  @exclusivity(unchecked) public unowned(unsafe) var destinationEntity: NSEntityDescription? {
    willSet { willEdit() }
  }

  /// The relationship that leads back; both ends name each other.
  @exclusivity(unchecked) public unowned(unsafe) var inverseRelationship: NSRelationshipDescription? {
    willSet { willEdit() }
  }

  /// The most objects at the other end: 1 is a to-one relationship, 0 a to-many without a bound. Default: 0.
  @exclusivity(unchecked) public var maxCount: Int = 0 { willSet { willEdit() } }

  /// The fewest objects at the other end, of a relationship that is not empty. Default: 0.
  public var minCount: Int = 0 { willSet { willEdit() } }

  /// What becomes of the objects at the other end when an object is deleted. Default: nullify.
  public var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { willEdit() } }

  /// Whether the objects of a to-many relationship have an order. Default: false.
  @exclusivity(unchecked) public var isOrdered: Bool = false { willSet { willEdit() } }

  /// Whether the relationship may lead to more than one object.
  public var isToMany: Bool { maxCount != 1 }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSRelationshipDescription()
    copy.take(from: self)
    return copy
  }

  package override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSRelationshipDescription else { return }
    destinationEntity = other.destinationEntity
    inverseRelationship = other.inverseRelationship
    maxCount = other.maxCount
    minCount = other.minCount
    deleteRule = other.deleteRule
    isOrdered = other.isOrdered
  }
}

/// What becomes of related objects when an object is deleted.
/// See https://developer.apple.com/documentation/coredata/nsdeleterule
public enum NSDeleteRule: UInt, Sendable {
  /// The other end keeps pointing to an object that is gone.
  case noActionDeleteRule = 0
  case nullifyDeleteRule = 1
  case cascadeDeleteRule = 2
  /// The save fails while the relationship leads anywhere.
  case denyDeleteRule = 3
}
