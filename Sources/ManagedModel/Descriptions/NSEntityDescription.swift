import Foundation

/// A kind of object: its name, class, properties and place in the inheritance tree.
///
/// ```swift
/// let quake = NSEntityDescription()
/// quake.name = "Quake"
/// quake.managedObjectClassName = "Quake"
/// let place = NSAttributeDescription()
/// place.name = "place"
/// place.type = .string
/// quake.properties = [place]
/// quake.uniquenessConstraints = [["place"]]
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nsentitydescription>
open class NSEntityDescription: NSObject, NSSecureCoding, @unchecked Sendable {
  // Sendable: one thread writes it while the model is built; immutable once it is frozen (`willEdit`).

  /// The name of the entity, unique within its model.
  public var name: String? {
    get { givenName }
    set { edit(&givenName, to: newValue) }
  }
  @exclusivity(unchecked) private var givenName: String?

  /// The name of the objects' class, with or without its module. Default: `NSManagedObject`.
  public var managedObjectClassName: String! {
    get { givenManagedObjectClassName }
    set { edit(&givenManagedObjectClassName, to: newValue) }
  }
  private var givenManagedObjectClassName: String! = "NSManagedObject"

  /// Where the entity's class is, if the program has several of its name: the module that the model is embedded in, or the
  /// bundle `Package_Target` of its file. nil for an entity made in code.
  package final var classHome: String?

  /// Whether only subentities can have objects. Default: false.
  public var isAbstract: Bool {
    get { givenIsAbstract }
    set { edit(&givenIsAbstract, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIsAbstract = false

  /// The model that the entity belongs to.
  public var managedObjectModel: NSManagedObjectModel {
    guard let model else { fatalError("The entity '\(name ?? "")' does not belong to a model yet.") }
    return model
  }
  // This and the next are cleared by the model and the superentity when they are released.
  @exclusivity(unchecked) package internal(set) unowned(unsafe) var model: NSManagedObjectModel?

  /// The entity that this one inherits from. Set through that entity's `subentities`.
  @exclusivity(unchecked) public private(set) unowned(unsafe) var superentity: NSEntityDescription?

  /// The entities that inherit from this one.
  ///
  /// An entity has at most one superentity, and never itself. Adding an entity here removes it from its previous
  /// superentity.
  ///
  /// ```swift
  /// let aftershock = NSEntityDescription()
  /// aftershock.name = "Aftershock"
  /// aftershock.managedObjectClassName = "Aftershock"
  /// quakeEntity.subentities = [aftershock]
  /// model.entities = [quakeEntity, aftershock]  // The model lists both.
  /// ```
  public var subentities: [NSEntityDescription] {
    get { givenSubentities }
    set {
      willEdit()
      for entity in givenSubentities { entity.superentity = nil }
      givenSubentities = newValue.filter { !isKindOf(entity: $0) }
      for entity in givenSubentities where entity.superentity !== self {
        entity.willEdit()
        entity.superentity?.givenSubentities.removeAll { $0 === entity }
        entity.superentity = self
      }
    }
  }
  private var givenSubentities: [NSEntityDescription] = []

  /// The properties that the entity itself declares.
  package private(set) var ownProperties: [NSPropertyDescription] = []

  /// The inherited properties, followed by the entity's own. Setting it replaces the entity's own.
  ///
  /// A property belongs to one entity. If a property of another entity is set, the entity takes a copy.
  public var properties: [NSPropertyDescription] {
    get { (superentity?.properties ?? []) + ownProperties }
    set {
      willEdit()
      for property in ownProperties { property.declaringEntity = nil }
      ownProperties = newValue.compactMap { property in
        guard let other = property.declaringEntity else { return property }
        return isKindOf(entity: other) ? nil : property.makeCopy()
      }
      for property in ownProperties {
        property.declaringEntity = self
        guard property.awaitsIndex else { continue }
        property.awaitsIndex = false
        setOwnIndex(of: property, to: true)
      }
    }
  }

  /// The uniqueness constraints: each is a list of attributes, by name or description, whose combined values must be
  /// unique.
  ///
  /// The merge policy of the context decides what a save does with a duplicate.
  ///
  /// ```swift
  /// // Two constraints, the second over a pair of values.
  /// quakeEntity.uniquenessConstraints = [["code"], ["place", "time"]]
  /// // By default, saving a duplicate throws.
  /// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// ```
  public var uniquenessConstraints: [[Any]] {
    get { givenUniquenessConstraints }
    set { edit(&givenUniquenessConstraints, to: newValue) }
  }
  private var givenUniquenessConstraints: [[Any]] = []

  /// The fetch indexes that the store keeps. Set them after the properties.
  public var indexes: [NSFetchIndexDescription] {
    get { givenIndexes }
    set {
      willEdit()
      for index in givenIndexes where index.entity === self { index.entity = nil }
      givenIndexes = newValue
      for index in givenIndexes { index.entity = self }
    }
  }
  private var givenIndexes: [NSFetchIndexDescription] = []

  @available(*, unavailable, message: "Use indexes: an NSFetchIndexDescription for each list of names.")
  public var compoundIndexes: [[Any]] {
    get { fatalError("Use indexes.") }
    set { fatalError("Use indexes.") }
  }

  /// The entity's name in older versions of the model; its current name if it was never renamed.
  public var renamingIdentifier: String? {
    get { renamedFrom ?? name }
    set { edit(&renamedFrom, to: newValue) }
  }
  private var renamedFrom: String?

  /// A string that is part of the version hash. Set it to mark a change that the model itself does not show.
  public var versionHashModifier: String? {
    get { givenVersionHashModifier }
    set { edit(&givenVersionHashModifier, to: newValue) }
  }
  private var givenVersionHashModifier: String?

  /// Information of the program's own. Initially empty, not nil, so that `userInfo?[key] = value` adds an entry.
  public var userInfo: [AnyHashable: Any]? {
    get { givenUserInfo }
    set { edit(&givenUserInfo, to: newValue) }
  }
  private var givenUserInfo: [AnyHashable: Any]? = [:]

  /// A 32-byte hash that changes whenever the way the entity is stored changes.
  public var versionHash: Data {
    if let layout { return layout.versionHash }
    if let archivedHash, model?.archivedHashesAreValid == true { return archivedHash }
    return Data(contentHash)
  }
  /// The hash in the archive that the model was read from.
  var archivedHash: Data?

  /// The layout of the entity's rows; set when the model is frozen.
  @exclusivity(unchecked) package internal(set) var layout: EntityLayout!

  package var isFrozen: Bool { layout != nil }

  /// The reference that relationships use for the entity.
  let reference = DescriptionReference<NSEntityDescription> { $0.name }

  /// Creates an entity without a name or properties.
  public override init() {
    super.init()
    reference.begin(self)
  }

  // MARK: Archives

  /// The model of the archive that the entity was read from: it has the entities that this one refers to.
  private var archivedModel: NSManagedObjectModel?

  /// True: an entity can be archived with secure coding.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the entity, and the model or the entities that it refers to.
  open func encode(with coder: NSCoder) { DescriptionPath.of(self).encode(with: coder) }

  /// Creates an entity from an archive made by this framework; nil for any other archive.
  ///
  /// It is equal to the archived entity and belongs to no model. In a model with the other entities of the archive, its
  /// relationships lead to those.
  public required init?(coder: NSCoder) {
    super.init()
    reference.begin(self)
    guard let (entity, model) = DescriptionPath.entity(from: coder) else { return nil }
    copyContents(from: entity)
    (superentity, givenSubentities) = (entity.superentity, entity.givenSubentities)
    archivedModel = model
  }

  /// Takes over what an entity declares itself, as copies.
  private func copyContents(from other: NSEntityDescription) {
    copyFacts(from: other)
    properties = other.ownProperties.map { $0.makeCopy() }
    for case let relationship as NSRelationshipDescription in ownProperties
    where relationship.destinationEntity === other {
      relationship.destinationEntity = self
    }
    uniquenessConstraints = other.uniqueNames
    indexes = other.indexes.map { index in
      index.copyAlone { property in property.map { self.property(at: other.path(of: $0)) ?? $0 } }
    }
  }

  deinit {
    reference.end(name: name)
    for entity in givenSubentities where entity.superentity === self { entity.superentity = nil }
    for property in ownProperties where property.declaringEntity === self { property.declaringEntity = nil }
    for index in givenIndexes where index.entity === self { index.entity = nil }
  }

  /// Called when the model is released: the entity becomes mutable again.
  func leave(_ model: NSManagedObjectModel) {
    guard self.model === model else { return }
    (self.model, layout) = (nil, nil)
    for property in ownProperties { property.thaw() }
  }

  /// Returns whether another entity has the same content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityDescription else { return false }
    return self === other || hasSameContent(as: other)
  }

  /// A hash of the name.
  open override var hash: Int { name?.hashValue ?? 0 }

  /// Stops the program if the model is in use by a coordinator.
  func willEdit() {
    precondition(!isFrozen, "Can't modify an immutable model.")
    model?.archivedHashesAreValid = false
  }

  private func edit<Value>(_ held: inout Value, to value: Value) {
    willEdit()
    held = value
  }
}
