import Foundation

/// A property that refers to objects of an entity.
///
/// ```swift
/// let region = NSRelationshipDescription()
/// region.name = "region"
/// region.destinationEntity = regionEntity
/// region.maxCount = 1
///
/// let quakes = NSRelationshipDescription()
/// quakes.name = "quakes"
/// quakes.destinationEntity = quakeEntity
/// quakes.deleteRule = .cascadeDeleteRule
///
/// region.inverseRelationship = quakes
/// quakes.inverseRelationship = region
/// ```
///
/// The relationship does not keep its destination and inverse alive. A copy finds its own by name in the model that it
/// is added to.
///
/// See <https://developer.apple.com/documentation/coredata/nsrelationshipdescription>
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the related objects.
  public var destinationEntity: NSEntityDescription? {
    get { isResolved ? resolvedDestination : givenDestination }
    set {
      willEdit()
      destinationReference = newValue?.reference
    }
  }

  /// The relationship back to this one's entity. Set it on both sides.
  public var inverseRelationship: NSRelationshipDescription? {
    get { isResolved ? resolvedInverse : givenInverse }
    set {
      willEdit()
      inverseReference = newValue?.reference
      isInverseNamed = false
    }
  }

  /// The maximum number of related objects: 1 for a to-one relationship, 0 for a to-many relationship without a limit.
  /// Default: 0.
  public var maxCount: Int {
    get { givenMaxCount }
    set { edit(&givenMaxCount, to: newValue) }
  }
  @exclusivity(unchecked) private var givenMaxCount = 0

  /// The minimum number of related objects, if there are any. Default: 0.
  public var minCount: Int {
    get { givenMinCount }
    set { edit(&givenMinCount, to: newValue) }
  }
  @exclusivity(unchecked) private var givenMinCount = 0

  /// The effect on the related objects when an object is deleted. Default: nullify.
  ///
  /// It is the rule of the side that is deleted: each side of a relationship has its own.
  ///
  /// ```swift
  /// let quakes = regionEntity.relationshipsByName["quakes"]
  /// quakes?.deleteRule = .cascadeDeleteRule  // Deletes the quakes of a region.
  /// quakes?.inverseRelationship?.deleteRule = .nullifyDeleteRule
  /// ```
  public var deleteRule: NSDeleteRule {
    get { givenDeleteRule }
    set { edit(&givenDeleteRule, to: newValue) }
  }
  @exclusivity(unchecked) private var givenDeleteRule: NSDeleteRule = .nullifyDeleteRule

  /// Whether a to-many relationship is ordered. Default: false.
  public var isOrdered: Bool {
    get { givenIsOrdered }
    set { edit(&givenIsOrdered, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIsOrdered = false

  /// Whether the relationship can refer to more than one object.
  public var isToMany: Bool { maxCount != 1 }

  /// The reference that other relationships use for this one.
  let reference = DescriptionReference<NSRelationshipDescription> { $0.name }
  var destinationReference: DescriptionReference<NSEntityDescription>?
  var inverseReference: DescriptionReference<NSRelationshipDescription>?
  /// Whether the inverse belongs to the relationship that this one was copied from, so that only its name is used.
  var isInverseNamed = false

  // Both ends in a frozen model, which retains them and clears these references when it is released (`thaw`).
  @exclusivity(unchecked) private unowned(unsafe) var resolvedDestination: NSEntityDescription?
  @exclusivity(unchecked) private unowned(unsafe) var resolvedInverse: NSRelationshipDescription?
  @exclusivity(unchecked) private(set) var isResolved = false

  /// Creates a relationship without a destination.
  public override init() {
    super.init()
    reference.begin(self)
  }

  /// Creates a relationship from an archive made by this framework; nil for any other archive.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    reference.begin(self)
  }

  deinit { reference.end(name: name) }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSRelationshipDescription()
    copy.copyContents(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSRelationshipDescription else { return false }
    return super.hasSameContent(as: other) && hasSameEnds(as: other)
  }

  package override func copyContents(from other: NSPropertyDescription) {
    super.copyContents(from: other)
    guard let other = other as? NSRelationshipDescription else { return }
    destinationReference = other.destinationReference
    inverseReference = other.inverseReference
    isInverseNamed = other.inverseReference != nil
    maxCount = other.maxCount
    minCount = other.minCount
    deleteRule = other.deleteRule
    isOrdered = other.isOrdered
  }

  /// Sets both ends when the model is frozen.
  func resolve(destination: NSEntityDescription?, inverse: NSRelationshipDescription?) {
    (resolvedDestination, resolvedInverse, isResolved) = (destination, inverse, true)
  }

  /// Called when the model is released: the other ends may be gone too.
  override func thaw() { (resolvedDestination, resolvedInverse, isResolved) = (nil, nil, false) }
}

extension NSRelationshipDescription {
  /// The destination as set; if it is in another model or gone, the entity with its name in this one.
  var givenDestination: NSEntityDescription? {
    guard let destinationReference else { return nil }
    let given = destinationReference.description
    guard let model = declaringEntity?.model, given == nil || given?.model !== model else { return given }
    let name = destinationReference.name
    return model.entities.first { $0.name == name } ?? given
  }

  /// The inverse as set; if it is not a property of the same model, or known only by name, the destination's
  /// relationship with its name.
  var givenInverse: NSRelationshipDescription? {
    guard let inverseReference else { return nil }
    let given = inverseReference.description
    guard let own = declaringEntity else { return given }
    if !isInverseNamed, let home = given?.declaringEntity, home.model === own.model { return given }
    let named = inverseReference.name.flatMap { $0.isEmpty ? nil : destinationEntity?.relationship(named: $0) }
    if let named, named.leads(to: own) { return named }
    return isInverseNamed ? nil : given
  }

  private func leads(to entity: NSEntityDescription) -> Bool {
    guard let end = destinationEntity else { return true }
    return entity.isKindOf(entity: end) || end.isKindOf(entity: entity)
  }
}

extension NSEntityDescription {
  /// Returns a relationship with a name, declared or inherited.
  fileprivate func relationship(named name: String) -> NSRelationshipDescription? {
    sequence(first: self) { $0.superentity }.lazy.compactMap { $0.ownRelationship(named: name) }.first
  }
}
