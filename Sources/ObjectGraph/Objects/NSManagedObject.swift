import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataRowStore
import StrataSupport

/// An object of an entity. Its values are read from its store on first access, and its changes are kept until its
/// context is saved.
///
/// ```swift
/// let quake = Quake(context: context)
/// quake.magnitude = 6.1
/// quake.setValue("Tonga", forKey: "place")
/// try context.save()
/// print(quake.objectID.uriRepresentation())
/// ```
///
/// An object belongs to one context. Use it only on that context's queue.
///
/// See <https://developer.apple.com/documentation/coredata/nsmanagedobject>
open class NSManagedObject: NSObject, _MadeFromSeed {
  // Only the context's queue uses an object, so access to its properties is exclusive without checks, which would cost
  // more than the accessors.
  /// The layout, retained by the model; accessors read it without counting a reference.
  final let heldLayout: Unmanaged<EntityLayout>
  /// The registry, retained once for all objects of a context, or by the object itself outside a context; life and
  /// flags.
  @exclusivity(unchecked) private final var state: ObjectState
  @exclusivity(unchecked) package final internal(set) var rowID: RowID
  /// The page, retained by the object, and the row in it.
  @exclusivity(unchecked) private final var rowReference = RowReference.none
  /// The edits, the prefetch cache or the last ID, retained like the page. Only `NSManagedObject+Extra.swift` uses it.
  @exclusivity(unchecked) final var extra = ObjectExtra.none

  /// Creates an object, and inserts it into a context if one is given.
  ///
  /// As on Apple's platforms, this initializer also runs for objects that are read from a store, including what a
  /// subclass does after `super.init`. `awakeFromInsert()` is called for new objects only.
  ///
  /// ```swift
  /// guard let entity = model.entitiesByName["Quake"] else { return }
  /// let quake = NSManagedObject(entity: entity, insertInto: context)
  /// quake.setValue("Tonga", forKey: "place")
  /// ```
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    // Runs once per fetched row: this is the fault that the context is creating.
    if let seed = context?.registry.pendingFault, seed.type == ObjectIdentifier(Self.self) {
      heldLayout = seed.layout
      // The context registers the object.
      state = ObjectState(Unmanaged.passUnretained(context.unsafelyUnwrapped.registry), .fault)
      rowID = seed.id
      context.unsafelyUnwrapped.registry.pendingFault = nil
      // The references are unretained: release them without counting.
      if seed.entity.toOpaque() == Unmanaged.passUnretained(entity).toOpaque() {
        _ = Unmanaged.passRetained(entity)
      } else {
        // A subclass passed another entity, and released this one.
        _ = seed.entity.retain()
      }
      _ = Unmanaged.passRetained(context.unsafelyUnwrapped)
      super.init()
      return
    }
    guard let layout = entity.layout(in: context) else {
      fatalError("An NSManagedObject of class '\(type(of: self))' must have a valid NSEntityDescription.")
    }
    heldLayout = Unmanaged.passUnretained(layout)
    state = ObjectState(
      Unmanaged.passRetained(context?.registry ?? ObjectRegistry(keeping: entity.managedObjectModel)), .detached)
    // A context assigns the ID when it inserts the object.
    rowID = context == nil ? .temporary(entity: layout.number) : .none
    super.init()
    context?.insert(self)
  }

  /// Creates an object of any class: a fault or a new object.
  public required convenience init(_seed seed: _ObjectSeed) {
    let context = seed.context?.takeRetainedValue()
    guard let entity = seed.entity?.takeRetainedValue() else {
      // A seed without an entity has a context.
      self.init(context: context.unsafelyUnwrapped)
      return
    }
    self.init(entity: entity, insertInto: context)
  }

  /// Inserts a new object of the entity that the class represents in the context's model. Call it on the context's
  /// queue.
  ///
  /// The object has a temporary ID until it is saved.
  ///
  /// ```swift
  /// let id = region.objectID
  /// try await otherContext.perform {
  ///   let quake = Quake(context: otherContext)
  ///   // `region` itself belongs to another context.
  ///   quake.region = otherContext.object(with: id) as? Region
  ///   try otherContext.save()
  /// }
  /// ```
  public convenience init(context moc: NSManagedObjectContext) {
    self.init(entity: moc.entity(of: Self.self), insertInto: moc)
  }

  deinit {
    if flags.contains(.observed) { ObjectObservers.forget(ObjectIdentifier(self)) }
    // Not through the context, which may be deinitializing on another thread.
    if life == .detached {
      heldRegistry.release()
    } else {
      heldRegistry._withUnsafeGuaranteedRef { $0.remove(self, id: rowID) }
    }
    heldPage?.release()
    extra.release()
  }

  package final var layout: EntityLayout {
    @inline(__always) get { heldLayout._withUnsafeGuaranteedRef { $0 } }
  }

  /// The registry of the object's context; retained for as long as the object lives, because it keeps the model alive.
  final var registry: ObjectRegistry {
    @inline(__always) get { heldRegistry._withUnsafeGuaranteedRef { $0 } }
  }

  /// Adds a new or detached object to a context.
  final func join(_ registry: ObjectRegistry, as id: RowID) {
    let old = heldRegistry
    heldRegistry = Unmanaged.passUnretained(registry)
    rowID = id
    life = .inserted
    registry.insert(self, id: id)
    old.release()
  }

  /// Turns a new object without a context into a fault, discarding values set so far.
  final func join(_ registry: ObjectRegistry, as seed: PendingFault) {
    let old = heldRegistry
    dropRow()
    (edits, flags) = (nil, flags.intersection(.observed))
    heldRegistry = Unmanaged.passUnretained(registry)
    rowID = seed.id
    life = .fault
    old.release()
  }

  /// Removes the object from its context.
  final func leaveRegistry() {
    _ = heldRegistry.retain()
    registry.remove(self, id: rowID)
    life = .detached
  }

  final private(set) var heldRegistry: Unmanaged<ObjectRegistry> {
    @inline(__always) get { state.registry }
    @inline(__always) set { state.registry = newValue }
  }

  package final internal(set) var life: ObjectLife {
    @inline(__always) get { state.life }
    @inline(__always) set { state.life = newValue }
  }

  final var flags: ObjectFlags {
    @inline(__always) get { state.flags }
    @inline(__always) set { state.flags = newValue }
  }

  /// The page; accessors read it without counting another reference.
  final var heldPage: Unmanaged<RowPage>? {
    @inline(__always) get { rowReference.page }
  }

  /// The index of the row in the page; without one, see `RowPosition`.
  final var rowIndex: Int {
    @inline(__always) get { rowReference.index }
  }

  /// The page with the object's row; nil for a fault whose row has not been read.
  final var page: RowPage? {
    @inline(__always) get { heldPage?.takeUnretainedValue() }
  }

  /// Adopts a row as the object's values.
  @inline(__always)
  final func use(_ page: RowPage, row index: Int) {
    let old = heldPage
    rowReference = RowReference(Unmanaged.passRetained(page), index)
    old?.release()
  }

  /// Uses a row as the values of an empty fault. The caller has retained the page, once for many objects.
  @inline(__always)
  final func use(unretained page: Unmanaged<RowPage>, _ index: Int) { rowReference = RowReference(page, index) }

  final func dropRow() {
    let old = heldPage
    rowReference = .none
    old?.release()
  }

  /// Gives a fault without a row its number among those that will be read.
  @inline(__always)
  final func waitForRow(number: Int) {
    heldPage?.release()
    rowReference = RowReference(waiting: number)
  }

  /// The context, while it exists and the object belongs to it.
  @inline(__always)
  final var context: NSManagedObjectContext? {
    life == .detached ? nil : heldRegistry._withUnsafeGuaranteedRef { $0.context }
  }

  // Every notification builds sets of objects; Foundation's own hash mixes the bits once more than needed.
  /// A hash of the object's identity.
  public final override var hash: Int { Int(bitPattern: ObjectIdentifier(self)) }

  /// The entity of the object.
  public var entity: NSEntityDescription { registry.entity(of: layout) }

  /// The context of the object; nil after a deletion was saved, and after the context was reset or released.
  public var managedObjectContext: NSManagedObjectContext? { context }

  /// The ID of the object. It changes once, when a new object gets its permanent ID.
  ///
  /// ```swift
  /// let quake = Quake(context: context)
  /// let early = quake.objectID
  /// try context.save()
  /// print(early == quake.objectID)  // false: keep the ID from after the save.
  /// ```
  public var objectID: NSManagedObjectID {
    lastID
      ?? NSManagedObjectID(rowID: rowID, entity: entity, store: context?.source?.store(number: rowID.store))
  }

  /// Whether the next save inserts the object.
  public var isInserted: Bool { life == .inserted }
  /// Whether the object has unsaved changes, including a value that was set to what it already was.
  public var isUpdated: Bool { life == .changed || isTouchedFault }
  /// Whether the next save deletes the object.
  ///
  /// It is also true after the deletion was saved or merged, until the context's next fetch, event or save.
  public var isDeleted: Bool { life == .deleted }
  /// Whether the object's values have not been read yet, or were discarded by a reset of its context.
  ///
  /// The first access to a property reads the values. A fault is not a missing object: to find out whether the row
  /// exists, use `existingObject(with:)` of the context.
  ///
  /// ```swift
  /// let quakes = try context.fetch(NSFetchRequest<Quake>(entityName: "Quake"))
  /// print(quakes[0].isFault)  // true, but its row is in memory already.
  /// print(quakes[0].place, quakes[0].isFault)  // Tonga false
  /// ```
  public var isFault: Bool { life == .fault || (life == .detached && heldPage == nil && lastID != nil) }
  /// 0 if the object is not a fault, and another number otherwise.
  public var faultingState: Int { isFault ? 1 : 0 }
  /// Whether the object is inserted, updated or deleted.
  public var hasChanges: Bool { life.isPending || isTouchedFault }

  // MARK: What a subclass may override

  /// Called once, when the object was inserted. Set initial values here, with primitive setters.
  ///
  /// ```swift
  /// final class Reading: NSManagedObject {
  ///   @NSManaged var time: Date
  ///
  ///   // An initializer would also run for every object that is fetched.
  ///   override func awakeFromInsert() {
  ///     super.awakeFromInsert()
  ///     setPrimitiveValue(Date.now, forKey: "time")
  ///   }
  /// }
  /// ```
  open func awakeFromInsert() {}

  /// Called when the object's values were read. Changes made here are not tracked.
  open func awakeFromFetch() {}

  /// Called after an undo, a rollback, a refresh or a merge policy set several values together. Changes made here are
  /// not tracked.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called before a refresh discards the values.
  ///
  /// It is not called when an object is released or its context is reset: use `deinit` for that.
  open func willTurnIntoFault() {}

  /// Called after the values were discarded.
  open func didTurnIntoFault() {}

  /// Called before the object is saved, even if it is deleted. A change made here is saved too, and calls it again,
  /// unless the change is made with `setPrimitiveValue(_:forKey:)`.
  ///
  /// ```swift
  /// final class Page: NSManagedObject {
  ///   @NSManaged var changedAt: Date
  ///
  ///   override func willSave() {
  ///     super.willSave()
  ///     if isDeleted || !hasPersistentChangedValues { return }
  ///     // The property's own setter would make the save call this again.
  ///     setPrimitiveValue(Date.now, forKey: "changedAt")
  ///   }
  /// }
  /// ```
  open func willSave() {}

  /// Called after the object was saved, or its deletion.
  open func didSave() {}

  /// Called when the object is about to be deleted, while its relationships are still intact.
  open func prepareForDeletion() {}

  /// Validates the object before a save deletes it.
  /// - Throws: `CocoaError` 1600 if a relationship with the deny rule still has objects.
  open func validateForDelete() throws { try validateDeletion() }

  /// Validates the object before a save inserts it. If it throws, the save throws too and writes nothing.
  ///
  /// An override calls `super`. A rule that also holds later belongs in ``validateForUpdate()`` as well.
  ///
  /// ```swift
  /// final class Trip: NSManagedObject {
  ///   @NSManaged var start: Date
  ///   @NSManaged var end: Date
  ///
  ///   override func validateForInsert() throws {
  ///     try super.validateForInsert()  // Checks the rules of the model.
  ///     if end < start { throw CocoaError(.managedObjectValidation) }
  ///   }
  ///   override func validateForUpdate() throws {
  ///     try super.validateForUpdate()
  ///     if end < start { throw CocoaError(.managedObjectValidation) }
  ///   }
  /// }
  /// ```
  /// - Throws: a validation `CocoaError` (1550…1690), or 1560 with several of them.
  open func validateForInsert() throws { try validateProperties() }

  /// Validates the object before a save updates it.
  /// - Throws: a validation `CocoaError` (1550…1690), or 1560 with several of them.
  open func validateForUpdate() throws { try validateProperties() }

  /// Validates a value for a property. Called for every property before a save, never by a setter.
  ///
  /// An override can replace the value, and calls `super`. Apple's framework also finds methods named `validate<Key>`
  /// through Objective-C. On Linux, override this method instead.
  ///
  /// ```swift
  /// final class Station: NSManagedObject {
  ///   override func validateValue(
  ///     _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
  ///     forKey key: String
  ///   ) throws {
  ///     try super.validateValue(value, forKey: key)
  ///     if key == "code", (value.pointee as? NSString)?.length != 4 {
  ///       throw CocoaError(.validationStringPatternMatching)
  ///     }
  ///   }
  /// }
  /// ```
  /// - Parameters:
  ///   - value: a pointer to the value, which can be replaced.
  ///   - key: the name of the property.
  /// - Throws: a validation `CocoaError` (1550…1690) if the value breaks a rule of the model.
  open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    try validateModeledValue(value.pointee, forKey: key)
  }

  /// Returns the value of a property, by name: what the class's own getter returns, if it has one. An unknown name
  /// stops the program, as on Apple's platforms.
  ///
  /// Numbers and Booleans are `NSNumber`s, to-many relationships `NSSet`s, or `NSOrderedSet`s if they are ordered.
  ///
  /// ```swift
  /// let place = quake.value(forKey: "place") as? String
  /// let magnitude = (quake.value(forKey: "magnitude") as? NSNumber)?.doubleValue
  /// let tags = (quake.value(forKey: "tags") as? NSSet)?.allObjects as? [Tag]
  /// ```
  open func value(forKey key: String) -> Any? {
    if let value = ownAccessorValue(forKey: key) { return value }
    return modeledValue(forKey: key)
  }

  /// Sets the value of a property, by name: with the class's own setter, if it has one. An unknown name, and a value of
  /// another type than the property's, stop the program.
  ///
  /// ```swift
  /// let json: [String: Any] = ["place": "Tonga", "magnitude": 6.1, "url": ""]
  /// for (key, value) in json where quake.entity.attributesByName[key] != nil {
  ///   quake.setValue(value, forKey: key)
  /// }
  /// ```
  open func setValue(_ value: Any?, forKey key: String) {
    if setWithOwnAccessor(value, forKey: key) { return }
    setModeledValue(value, forKey: key)
  }

  /// Returns the value for a name that the model does not have.
  ///
  /// The default stops the program, except for what every object has, such as `objectID`.
  open func value(forUndefinedKey key: String) -> Any? { ownValue(forKey: key) }

  /// Called by `setValue(_:forKey:)` for a name that the model does not have. The default stops the program.
  open func setValue(_ value: Any?, forUndefinedKey key: String) { unknown(key) }

  /// Returns the entity that the class represents in the models that coordinators use.
  ///
  /// For `NSManagedObject` itself, and with a warning for a class that no model names, it is an entity without a name,
  /// so that `entity().name ?? "Quake"` works before a model is loaded. As in Apple's framework, only a container or a
  /// coordinator loads a model: this method loads none, even if the program embeds it. A class that represents several
  /// entities must override it.
  ///
  /// ```swift
  /// let entity = Quake.entity()  // The name may differ from that of the class.
  /// let request = NSFetchRequest<Quake>(entityName: entity.name ?? "Quake")
  /// ```
  open class func entity() -> NSEntityDescription {
    if self == NSManagedObject.self { return NSEntityDescription() }
    guard let entity = ObjectClasses.entity(of: self) else {
      ObjectClasses.warnOfMissingEntity(of: self)
      return NSEntityDescription()
    }
    return entity
  }

  /// Returns a fetch request for the objects of the class's entity. The method that Xcode generates for a class takes
  /// precedence.
  ///
  /// ```swift
  /// final class Volcano: NSManagedObject {
  ///   @NSManaged var name: String
  ///
  ///   // Typed: the inherited method returns a request for any kind of result.
  ///   @nonobjc class func fetchRequest() -> NSFetchRequest<Volcano> {
  ///     NSFetchRequest(entityName: "Volcano")
  ///   }
  /// }
  /// let names = try context.fetch(Volcano.fetchRequest()).map(\.name)
  /// ```
  @_disfavoredOverload
  open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity()
    return request
  }

  /// Returns the key paths that a property's value is computed from. Observers of the property are notified of their
  /// changes. Default: none.
  ///
  /// Apple's framework also finds class methods named `keyPathsForValuesAffecting<Key>` through Objective-C. On Linux,
  /// override this method instead.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// Called when a value that this object observes has changed. The default stops the program, as on Apple's platforms.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  ) {
    fatalError(
      "An -observeValueForKeyPath:ofObject:change:context: message was received but not handled. Key path: \(keyPath ?? "")"
    )
  }

  /// Whether `willChangeValue(forKey:)` ignores names that the model does not have. If false, they mark the object as
  /// changed. Default: true.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  /// A description of the object: its entity, ID and values. Reads nothing.
  open override var description: String { describe() }
}

// An object belongs to its context's queue: https://developer.apple.com/documentation/coredata/nsmanagedobject
@available(*, unavailable)
extension NSManagedObject: Sendable {}
