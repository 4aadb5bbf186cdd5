import Foundation

/// A property of an entity: the part that attributes and relationships have in common.
///
/// A description may be changed until a coordinator uses its model; afterwards a change stops the program, as on
/// Apple's systems. See https://developer.apple.com/documentation/coredata/nspropertydescription
open class NSPropertyDescription: NSObject, @unchecked Sendable {
  // Sendable: written by one thread while the model is made, and by nobody once it is frozen (`willEdit`).

  /// The entity that declares the property. Asking a property that belongs to no entity stops the program.
  public var entity: NSEntityDescription {
    guard let entity = declaringEntity else {
      fatalError("The property '\(name)' does not belong to an entity yet.")
    }
    return entity
  }
  // Taken away by the entity when that goes.
  package internal(set) unowned(unsafe) var declaringEntity: NSEntityDescription?

  /// The property's name; unique within its entity, and not a name of a method of NSObject or NSManagedObject.
  public var name: String {
    get { givenName }
    set { edit(&givenName, newValue) }
  }
  private var givenName = ""

  /// Whether an object may be saved while the property has no value. Default: true.
  public var isOptional: Bool {
    get { givenIsOptional }
    set { edit(&givenIsOptional, newValue) }
  }
  private var givenIsOptional = true

  /// Whether the property stays out of the store. Default: false.
  public var isTransient: Bool {
    get { givenIsTransient }
    set { edit(&givenIsTransient, newValue) }
  }
  private var givenIsTransient = false

  /// What the property was called in older versions of the model; its own name if it was never renamed.
  public var renamingIdentifier: String? {
    get { renamedFrom ?? name }
    set { edit(&renamedFrom, newValue) }
  }
  private var renamedFrom: String?

  /// Goes into the version hash, to tell apart what the model itself cannot.
  public var versionHashModifier: String? {
    get { givenVersionHashModifier }
    set { edit(&givenVersionHashModifier, newValue) }
  }
  private var givenVersionHashModifier: String?

  /// The program's own notes; none at first, but not nil, so that `userInfo?[key] = note` adds one. They may change while
  /// the model is in use, as on Apple's systems: a fetched property answers by them the next time that it is asked.
  public var userInfo: [AnyHashable: Any]? = [:]

  /// The rules that a value must satisfy when its object is saved; each is asked about the value itself.
  public private(set) var validationPredicates: [NSPredicate] = []

  /// For each of `validationPredicates` what its error says: a text, or the number of an error code.
  public private(set) var validationWarnings: [Any] = []

  /// Sets rules and what their errors say; the arrays are of one length.
  public func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    willEdit()
    self.validationPredicates = validationPredicates ?? []
    self.validationWarnings = validationWarnings ?? []
  }

  /// Sets rules and what their errors say as the model editor does: a text, or the number of an error code.
  package func setValidation(_ predicates: [NSPredicate], warnings: [Any]) {
    willEdit()
    validationPredicates = predicates
    validationWarnings = warnings
  }

  /// 32 bytes that change whenever the way the property is stored changes.
  public var versionHash: Data { Data(VersionHash.property(self)) }

  @available(*, unavailable, message: "Use indexes of the entity: an NSFetchIndexDescription of the property.")
  public var isIndexed: Bool {
    get { fatalError("Use indexes of the entity.") }
    set { fatalError("Use indexes of the entity.") }
  }

  /// Whether the property is in the index of the system's search; kept for the sake of models that say so.
  public var isIndexedBySpotlight: Bool {
    get { givenIsIndexedBySpotlight }
    set { edit(&givenIsIndexedBySpotlight, newValue) }
  }
  private var givenIsIndexedBySpotlight = false

  /// Whether the property is in the records of the system's search; kept for the sake of models that say so.
  public var isStoredInExternalRecord: Bool {
    get { givenIsStoredInExternalRecord }
    set { edit(&givenIsStoredInExternalRecord, newValue) }
  }
  private var givenIsStoredInExternalRecord = false

  public override init() { super.init() }

  /// A copy that belongs to no entity. A subclass adds its own part.
  package func makeCopy() -> NSPropertyDescription {
    let copy = NSPropertyDescription()
    copy.take(from: self)
    return copy
  }

  /// Takes over what all properties have.
  package func take(from other: NSPropertyDescription) {
    name = other.name
    isOptional = other.isOptional
    isTransient = other.isTransient
    renamedFrom = other.renamedFrom
    versionHashModifier = other.versionHashModifier
    userInfo = other.userInfo
    validationPredicates = other.validationPredicates
    validationWarnings = other.validationWarnings
    isIndexedBySpotlight = other.isIndexedBySpotlight
    isStoredInExternalRecord = other.isStoredInExternalRecord
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return self === other || Swift.type(of: self) == Swift.type(of: other) && hasSameContent(as: other)
  }

  open override var hash: Int { name.hashValue }

  /// Whether a property of the same class says the same. A subclass adds its own part.
  package func hasSameContent(as other: NSPropertyDescription) -> Bool { hasSameBasics(as: other) }

  /// Whether the property is an element of a composite attribute of a frozen model.
  var isFrozenElement = false

  /// Forgets what was settled when the property's model was frozen.
  func thaw() {}

  /// Stops a change of a model that a coordinator uses.
  package func willEdit() {
    precondition(declaringEntity?.isFrozen != true && !isFrozenElement, "Can't modify an immutable model.")
  }

  final func edit<Value>(_ held: inout Value, _ value: Value) {
    willEdit()
    held = value
  }
}
