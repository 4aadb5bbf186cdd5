import Foundation

/// A property that refers to objects of an entity.
///
/// The destination and the inverse are not kept alive by the relationship. Those of a copy are found by their names in
/// the model that the copy is put into. See https://developer.apple.com/documentation/coredata/nsrelationshipdescription
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the objects at the other end.
  public var destinationEntity: NSEntityDescription? {
    get { isSettled ? settledDestination : givenDestination }
    set {
      willEdit()
      destinationPlace = newValue?.place
    }
  }

  /// The relationship that leads back; both ends name each other.
  public var inverseRelationship: NSRelationshipDescription? {
    get { isSettled ? settledInverse : givenInverse }
    set {
      willEdit()
      inversePlace = newValue?.place
      isInverseNamed = false
    }
  }

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

  /// What other relationships hold of this one.
  let place = Place<NSRelationshipDescription> { $0.name }
  var destinationPlace: Place<NSEntityDescription>?
  var inversePlace: Place<NSRelationshipDescription>?
  /// Whether the inverse is that of the relationship which this one is a copy of, and so only a name here.
  var isInverseNamed = false

  // Both ends in a frozen model, which holds them and takes them from here when it goes (`thaw`).
  @exclusivity(unchecked) private unowned(unsafe) var settledDestination: NSEntityDescription?
  @exclusivity(unchecked) private unowned(unsafe) var settledInverse: NSRelationshipDescription?
  @exclusivity(unchecked) private(set) var isSettled = false

  public override init() {
    super.init()
    place.begin(self)
  }

  deinit { place.end(name: name) }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSRelationshipDescription()
    copy.take(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSRelationshipDescription else { return false }
    return super.hasSameContent(as: other) && hasSameEnds(as: other)
  }

  package override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSRelationshipDescription else { return }
    destinationPlace = other.destinationPlace
    inversePlace = other.inversePlace
    isInverseNamed = other.inversePlace != nil
    maxCount = other.maxCount
    minCount = other.minCount
    deleteRule = other.deleteRule
    isOrdered = other.isOrdered
  }

  /// Settles both ends, when a coordinator uses the model.
  func settle(_ destination: NSEntityDescription?, _ inverse: NSRelationshipDescription?) {
    (settledDestination, settledInverse, isSettled) = (destination, inverse, true)
  }

  /// The model is gone, and the other ends may be.
  override func thaw() { (settledDestination, settledInverse, isSettled) = (nil, nil, false) }
}

extension NSRelationshipDescription {
  /// The destination as it was set; if that is in another model or gone, the entity of its name in this one.
  var givenDestination: NSEntityDescription? {
    guard let destinationPlace else { return nil }
    let given = destinationPlace.description
    guard let model = declaringEntity?.model, given == nil || given?.model !== model else { return given }
    let name = destinationPlace.name
    return model.entities.first { $0.name == name } ?? given
  }

  /// The inverse as it was set; if that is no property of the same model, or is only named, the one of its name that the
  /// destination has.
  var givenInverse: NSRelationshipDescription? {
    guard let inversePlace else { return nil }
    let given = inversePlace.description
    guard let own = declaringEntity else { return given }
    if !isInverseNamed, let home = given?.declaringEntity, home.model === own.model { return given }
    let named = inversePlace.name.flatMap { $0.isEmpty ? nil : destinationEntity?.relationship(named: $0) }
    if let named, named.leads(to: own) { return named }
    return isInverseNamed ? nil : given
  }

  private func leads(to entity: NSEntityDescription) -> Bool {
    guard let end = destinationEntity else { return true }
    return entity.isKindOf(entity: end) || end.isKindOf(entity: entity)
  }
}

extension NSEntityDescription {
  /// A relationship, also an inherited one.
  fileprivate func relationship(named name: String) -> NSRelationshipDescription? {
    sequence(first: self) { $0.superentity }.lazy.compactMap { $0.ownRelationship(named: name) }.first
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
