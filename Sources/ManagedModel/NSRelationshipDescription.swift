import Foundation

/// A property that refers to objects of an entity.
/// See https://developer.apple.com/documentation/coredata/nsrelationshipdescription
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the objects at the other end.
  public var destinationEntity: NSEntityDescription? {
    get { givenDestinationEntity }
    set { edit(&givenDestinationEntity, newValue) }
  }
  @exclusivity(unchecked) private unowned(unsafe) var givenDestinationEntity: NSEntityDescription?

  /// The relationship that leads back; both ends name each other.
  public var inverseRelationship: NSRelationshipDescription? {
    get { givenInverseRelationship }
    set { edit(&givenInverseRelationship, newValue) }
  }
  @exclusivity(unchecked) private unowned(unsafe) var givenInverseRelationship: NSRelationshipDescription?

  /// The most objects at the other end: 1 is a to-one relationship, 0 a to-many without a bound. Default: 0.
  public var maxCount: Int {
    get { givenMaxCount }
    set { edit(&givenMaxCount, newValue) }
  }
  @exclusivity(unchecked) private var givenMaxCount = 0

  /// The fewest objects at the other end, of a relationship that is not empty. Default: 0.
  public var minCount: Int {
    get { givenMinCount }
    set { edit(&givenMinCount, newValue) }
  }
  private var givenMinCount = 0

  /// What becomes of the objects at the other end when an object is deleted. Default: nullify.
  public var deleteRule: NSDeleteRule {
    get { givenDeleteRule }
    set { edit(&givenDeleteRule, newValue) }
  }
  private var givenDeleteRule: NSDeleteRule = .nullifyDeleteRule

  /// Whether the objects of a to-many relationship have an order. Default: false.
  public var isOrdered: Bool {
    get { givenIsOrdered }
    set { edit(&givenIsOrdered, newValue) }
  }
  @exclusivity(unchecked) private var givenIsOrdered = false

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
