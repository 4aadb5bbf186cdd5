import Foundation
import StrataFormats

/// The base class of attributes, relationships and fetched properties.
///
/// A description can be changed until a coordinator uses its model. After that, changing it stops the program, as on
/// Apple's platforms.
///
/// See <https://developer.apple.com/documentation/coredata/nspropertydescription>
open class NSPropertyDescription: NSObject, NSSecureCoding, @unchecked Sendable {
  // Sendable: one thread writes it while the model is built; immutable once it is frozen (`willEdit`).

  /// The entity that declares the property. While no entity does, a new entity without a name and properties: Apple's
  /// framework returns nil there, and the members of nil read as nil or empty.
  public var entity: NSEntityDescription { declaringEntity ?? NSEntityDescription() }
  // Cleared by the entity when it is released.
  @exclusivity(unchecked) package internal(set) unowned(unsafe) var declaringEntity: NSEntityDescription?

  /// The name of the property, unique within its entity. It must not be the name of a method of `NSObject` or
  /// `NSManagedObject`.
  public var name: String {
    get { givenName }
    set { edit(&givenName, to: newValue) }
  }
  @exclusivity(unchecked) private var givenName = ""

  /// Whether an object can be saved without a value for the property. Default: true.
  public var isOptional: Bool {
    get { givenIsOptional }
    set { edit(&givenIsOptional, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIsOptional = true

  /// Whether the property is left out of the store. Default: false.
  public var isTransient: Bool {
    get { givenIsTransient }
    set { edit(&givenIsTransient, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIsTransient = false

  /// The property's name in older versions of the model; its current name if it was never renamed.
  ///
  /// ```swift
  /// // In the new version of the model, the attribute `title` is called `place`.
  /// let place = newModel.entitiesByName["Quake"]?.attributesByName["place"]
  /// place?.renamingIdentifier = "title"  // Otherwise its values are lost.
  /// ```
  public var renamingIdentifier: String? {
    get { renamedFrom ?? name }
    set { edit(&renamedFrom, to: newValue) }
  }
  @exclusivity(unchecked) private var renamedFrom: String?

  /// A string that is part of the version hash. Set it to mark a change that the model itself does not show.
  public var versionHashModifier: String? {
    get { givenVersionHashModifier }
    set { edit(&givenVersionHashModifier, to: newValue) }
  }
  @exclusivity(unchecked) private var givenVersionHashModifier: String?

  /// Information of the program's own. Initially empty, not nil, so that `userInfo?[key] = value` adds an entry.
  ///
  /// It can change while the model is in use, as on Apple's platforms. A fetched property uses the new values the next
  /// time it is evaluated.
  public var userInfo: [AnyHashable: Any]? = [:]

  /// The predicates that a value must satisfy when its object is saved. Each is evaluated with the value as `SELF`.
  public private(set) var validationPredicates: [NSPredicate] = []

  /// The message, or the error code, for each of `validationPredicates`.
  public private(set) var validationWarnings: [Any] = []

  /// Sets the validation predicates and their messages. The arrays must have the same length.
  public func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    willEdit()
    self.validationPredicates = validationPredicates ?? []
    self.validationWarnings = validationWarnings ?? []
  }

  /// Sets validation predicates with the model editor's warnings: a message, or the number of an error code.
  package func setValidation(_ predicates: [NSPredicate], warnings: [Any]) {
    willEdit()
    validationPredicates = predicates
    validationWarnings = warnings
  }

  /// A 32-byte hash that changes whenever the way the property is stored changes.
  public var versionHash: Data { Data(VersionHash.Property(self).hash) }

  /// Whether the entity has a fetch index of the property alone, in order. Setting it adds such an index, with the
  /// property's name, or removes it.
  @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
  public var isIndexed: Bool {
    get { declaringEntity.map { $0.ownIndex(of: self) != nil } ?? awaitsIndex }
    set {
      willEdit()
      if let declaringEntity { declaringEntity.setOwnIndex(of: self, to: newValue) } else { awaitsIndex = newValue }
    }
  }
  /// Whether the entity that gets the property indexes it. Only of a property without an entity.
  var awaitsIndex = false

  /// Whether Spotlight indexes the property. Kept for models that set it; it has no effect here.
  public var isIndexedBySpotlight: Bool {
    get { givenIsIndexedBySpotlight }
    set { edit(&givenIsIndexedBySpotlight, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIsIndexedBySpotlight = false

  /// Whether the property is written to Spotlight's external records. Kept for models that set it; it has no effect
  /// here.
  public var isStoredInExternalRecord: Bool {
    get { givenIsStoredInExternalRecord }
    set { edit(&givenIsStoredInExternalRecord, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIsStoredInExternalRecord = false

  /// Creates a property without a name.
  public override init() { super.init() }

  // MARK: Archives

  /// The model of the archive that the property was read from: it has the entities that this one refers to.
  private var archivedModel: NSManagedObjectModel?

  /// True: a property can be archived with secure coding.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the property, and the model or the entities that it refers to.
  open func encode(with coder: NSCoder) { DescriptionPath.of(self).encode(with: coder) }

  /// Creates a property from an archive made by this framework; nil for any other archive.
  ///
  /// It is equal to the archived property and belongs to no entity.
  public required init?(coder: NSCoder) {
    super.init()
    guard isPlaced else { return }
    guard let (property, model) = DescriptionPath.property(from: coder) else { return nil }
    copyContents(from: property)
    archivedModel = model
  }

  /// Whether an archive contains the property as a part of a model.
  package var isPlaced: Bool { true }

  /// Returns a copy that belongs to no entity. Subclasses add their part.
  package func makeCopy() -> NSPropertyDescription {
    let copy = NSPropertyDescription()
    copy.copyContents(from: self)
    return copy
  }

  /// Copies what all properties have.
  package func copyContents(from other: NSPropertyDescription) {
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
    awaitsIndex = other.awaitsIndex
  }

  /// Returns whether another property of the same class has the same content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return self === other || Swift.type(of: self) == Swift.type(of: other) && hasSameContent(as: other)
  }

  /// A hash of the name.
  open override var hash: Int { name.hashValue }

  /// Whether a property of the same class has the same contents. Subclasses add their part.
  package func hasSameContent(as other: NSPropertyDescription) -> Bool { hasSameBasics(as: other) }

  /// Whether the property is an element of a composite attribute of a frozen model.
  @exclusivity(unchecked) var isFrozenElement = false

  /// Discards what freezing the model determined.
  func thaw() {}

  /// Stops the program if the model is in use by a coordinator.
  package func willEdit() {
    precondition(declaringEntity?.isFrozen != true && !isFrozenElement, "Can't modify an immutable model.")
    declaringEntity?.model?.archivedHashesAreValid = false
  }

  final func edit<Value>(_ held: inout Value, to value: Value) {
    willEdit()
    held = value
  }
}
