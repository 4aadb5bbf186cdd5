import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataRowStore
import StrataRuntime
import StrataSupport
import Synchronization

/// A space for objects and their changes. What is fetched, inserted, changed and deleted stays here until it is saved
/// to the parent: a coordinator or another context.
///
/// ```swift
/// try await context.perform {
///   let quake = Quake(context: context)
///   quake.place = "Tonga"
///   quake.magnitude = 6.1
///   try context.save()
/// }
/// ```
///
/// Use a context and its objects only on the context's queue: inside `perform` and `performAndWait`, or on the main
/// queue for a main-queue context.
///
/// See <https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext>
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  // Sendable: everything except the queue methods is used only on the context's queue, as Apple's contract requires.

  // The context is a facade over these parts, each with state of its own. They are used on the context's queue, so exclusive
  // access is not checked. No function of a structure here calls back into the context; releasing an object may, so one that
  // empties a list returns it. Notifications are posted by a class, `ContextNotifier`.
  final let executor: ContextExecutor
  @exclusivity(unchecked) final var settings = ContextSettings()
  @exclusivity(unchecked) final var sourceState = ContextSource(nil)
  final let registry = ObjectRegistry()
  @exclusivity(unchecked) final var tracker = ChangeTracker()
  @exclusivity(unchecked) final var relationships = RelationshipCache()
  final let notifier = ContextNotifier()
  final let mergeQueue = MergeQueue()
  @exclusivity(unchecked) final var family = ContextFamily()
  @exclusivity(unchecked) final var failures = ReadFailures()
  @exclusivity(unchecked) final private var givenJournal: UndoJournal?

  /// Whether the context has a private queue or uses the main queue.
  public var concurrencyType: NSManagedObjectContextConcurrencyType { executor.concurrencyType }

  /// The name of the context. Transactions record it in the history.
  public var name: String? {
    get { settings.name }
    set { settings.name = newValue }
  }

  /// The author of the context's changes, which transactions record in the history. Default: nil.
  ///
  /// Give each part of a program that saves its own author, so that readers of the history can skip their own
  /// transactions.
  ///
  /// ```swift
  /// context.transactionAuthor = "importer"  // Before the save that it names.
  /// try context.save()
  ///
  /// let follower = try HistoryFollower(of: store, name: "indexer")
  /// for try await transaction in follower.transactions
  /// where transaction.author != "importer" {
  ///   try await index.update(transaction.changes ?? [])
  /// }
  /// ```
  public var transactionAuthor: String? {
    get { settings.transactionAuthor }
    set { settings.transactionAuthor = newValue }
  }

  /// The policy that resolves the conflicts of a save, an `NSMergePolicy`. Default: `NSMergePolicy.error`, with which a
  /// save throws if others changed the same objects.
  ///
  /// The policy is the context's own: set it for every context that may have conflicts.
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// quake.magnitude = 6.2  // Wins if others changed the magnitude too.
  /// try context.save()
  /// ```
  public var mergePolicy: Any {
    get { settings.mergePolicy }
    set {
      guard let new = newValue as? NSMergePolicy else {
        fatalError("A merge policy is an NSMergePolicy; this is a \(type(of: newValue)).")
      }
      settings.mergePolicy = new
    }
  }

  /// Information of the program's own, for use on the context's queue. It is not saved.
  ///
  /// ```swift
  /// context.userInfo["source"] = "import"
  /// NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
  /// ) { notification in
  ///   let context = notification.object as? NSManagedObjectContext
  ///   if context?.userInfo["source"] as? String == "import" { redrawSoon() }
  /// }
  /// ```
  public var userInfo: NSMutableDictionary { settings.userInfo }

  /// Whether the context merges what others save to its parent. Default: false.
  ///
  /// Objects keep their unsaved changes. Saves of other processes are merged if the store has a history: see
  /// ``NSPersistentHistoryTrackingKey``.
  ///
  /// ```swift
  /// let viewContext = container.viewContext
  /// viewContext.automaticallyMergesChangesFromParent = true
  /// // A save of merged objects can still have conflicts.
  /// viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// ```
  public var automaticallyMergesChangesFromParent: Bool {
    // No property of a context has an observer: Swift skips observers while an initializer of the class sets the
    // property, including an initializer that a program adds in an extension.
    get { registry.merges.load(ordering: .relaxed) }
    set {
      registry.merges.store(newValue, ordering: .relaxed)
      if newValue { source?.follow() }
    }
  }

  /// Whether saves that arrive while the context is busy are merged together, with one notification about their net
  /// effect. Default: false, each save is merged and reported separately. An addition to Apple's API.
  ///
  /// Set this if the program shows only the newest state of a frequently written store: it saves work. What was
  /// inserted and deleted again in the meantime is then not reported. It may be set on any thread, and applies from the
  /// next merge on.
  ///
  /// ```swift
  /// let viewContext = container.viewContext
  /// viewContext.automaticallyMergesChangesFromParent = true
  /// viewContext.combinesPendingMerges = true  // Only the newest state is shown.
  /// ```
  public var combinesPendingMerges: Bool {
    get { registry.combines.load(ordering: .relaxed) }
    set { registry.combines.store(newValue, ordering: .relaxed) }
  }

  /// Whether the context keeps all its objects alive, instead of only those with unsaved changes. Default: false.
  public var retainsRegisteredObjects: Bool {
    get { registry.isStrong }
    set { registry.isStrong = newValue }
  }

  /// Whether an object whose row is missing counts as deleted, instead of stopping the program. Default: true.
  public var shouldDeleteInaccessibleFaults: Bool {
    get { settings.shouldDeleteInaccessibleFaults }
    set { settings.shouldDeleteInaccessibleFaults = newValue }
  }

  /// Returns whether an object whose row is missing is treated as deleted, with nil values. If the result is false, the
  /// program stops.
  ///
  /// It is not called where an error can be thrown instead, nor while the object is being deleted.
  /// - Parameters:
  ///   - fault: the object whose row is missing.
  ///   - oid: the ID of the object.
  ///   - property: the property that was read; nil if it was the whole object.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }

  /// The maximum age, in seconds, of a fetched row when its object is first read. An older row is read again. A
  /// negative number means any age. Default: -1.
  ///
  /// Objects that have been read already do not change. A fault without a fetched row always reads from the store.
  public var stalenessInterval: TimeInterval {
    get { settings.stalenessInterval }
    set { settings.stalenessInterval = newValue }
  }

  /// Whether delete rules are applied when pending changes are processed, instead of only during a save. Default: true.
  public var propagatesDeletesAtEndOfEvent: Bool {
    get { settings.propagatesDeletesAtEndOfEvent }
    set { settings.propagatesDeletesAtEndOfEvent = newValue }
  }

  final package var source: (any ObjectSource)? {
    get { sourceState.source }
    set {
      use(newValue)
      if automaticallyMergesChangesFromParent { newValue?.follow() }
    }
  }
  /// The class of all objects; nil for the classes that the entities name. Set before the context has objects.
  package final var objectClass: NSManagedObject.Type? {
    get { settings.objectClass }
    set { settings.objectClass = newValue }
  }

  /// The state of each changed object before the current event; nil without an undo manager.
  final var journal: UndoJournal? {
    get { givenJournal }
    set {
      givenJournal = newValue
      registry.keepsJournal = newValue != nil
    }
  }
  /// Creates a context without a parent.
  public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
    executor = ContextExecutor(ct)
    super.init()
    start()
  }

  /// Creates a context that its owner uses on one thread at a time, without a queue. What others enqueue waits until the owner
  /// calls `runEnqueuedBlocks()`.
  package init(confinedTo owner: Void) {
    executor = ContextExecutor(confined: ())
    super.init()
    start()
  }

  private func start() {
    ConcurrencyDebug.start()
    RuntimeChecks.run()
    registry.setContext(self)
  }

  /// Creates a context for the main queue if the caller is on it, and with a private queue otherwise.
  ///
  /// Apple's framework confines such a context to the thread that uses it; here, every context has a queue.
  @available(*, deprecated, message: "Use -initWithConcurrencyType: instead")
  public override convenience init() {
    self.init(concurrencyType: MainQueue.isCurrent ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
  }

  deinit {
    let objects = registry.objects()
    // The objects may outlive the contexts above, whose model they have.
    if registry.model == nil, !objects.isEmpty { registry.model = model }
    for object in objects { object.detach() }
    registry.setContext(nil)
  }

  /// A description of the context: its name, queue, unsaved changes and parent. On another queue, the unsaved changes
  /// may be out of date.
  open override var debugDescription: String { debugText }

  /// The context that this one saves to, instead of to a coordinator. It can be set while this context has no objects.
  ///
  /// ```swift
  /// let draft = NSManagedObjectContext(.privateQueue)
  /// draft.parent = viewContext
  /// try await draft.perform {
  ///   Quake(context: draft).place = "Tonga"
  ///   try draft.save()  // To the parent, not to the store.
  /// }
  /// try await viewContext.perform { try viewContext.save() }
  /// ```
  public var parent: NSManagedObjectContext? {
    get { (source as? ParentSource)?.parent }
    set {
      guard newValue !== parent else { return }
      if source != nil, source is ParentSource == false {
        fatalError("Context already has a coordinator; cannot replace.")
      }
      guard registry.count == 0, !childrenHaveObjects(unlike: newValue?.registry.model) else {
        fatalError("Context already has objects; cannot replace its parent.")
      }
      (source as? ParentSource)?.detach(self)
      guard let newValue else {
        family.setParent(nil)
        source = nil
        return
      }
      for above in sequence(first: newValue, next: \.parent) where above === self {
        fatalError("A context cannot be its own parent, directly or indirectly.")
      }
      family.setParent(newValue)
      source = ParentSource(newValue, of: self)
      source?.attach(self)
    }
  }

  /// Returns the source that the context reads from and saves to.
  /// - Throws: code 134020 without a source; the error of the source if it cannot take a snapshot.
  func requireSource() throws -> any ObjectSource {
    if SQLDebug.isOn { SQLDebug.contextName = label }
    guard let source = sourceState.generation == nil ? source : try pinnedSource() else {
      throw CocoaError.coreData(.noStores, "The context has neither a persistent store coordinator nor a parent.")
    }
    return source
  }

  /// The model of the root's coordinator; without one, that of the inserted objects.
  final var model: NSManagedObjectModel {
    guard let model = source?.model ?? registry.model else {
      fatalError("The context has neither a persistent store coordinator nor a parent, and so no model.")
    }
    return model
  }

  // MARK: What a subclass can override
  // Swift overrides only what is declared in a class itself. The context's own work, and that of the contexts below it,
  // goes past these: an override that does less must not stop it. A new object is the exception: it calls `insert(_:)`.

  /// Runs a block on the context's queue asynchronously, and processes pending changes afterwards.
  ///
  /// Does not wait for the block. The blocks of a context run one at a time.
  ///
  /// ```swift
  /// func rename(_ id: NSManagedObjectID, to place: String) {
  ///   context.perform {
  ///     let quake = context.object(with: id) as? Quake
  ///     quake?.place = place
  ///     do {
  ///       try context.save()
  ///     } catch {
  ///       print("The name is not saved: \(error)")  // Nothing else reports it.
  ///     }
  ///   }
  /// }
  /// ```
  open func perform(_ block: @escaping () -> Void) { schedule(block) }

  /// Runs a block on the context's queue and waits for it. If the caller is already on the queue, the block runs
  /// immediately.
  ///
  /// The block may also throw, and return a result, which this method then returns. Return values or object IDs: an
  /// object may only be used inside the block. In asynchronous code, await `perform` instead, which does not block a
  /// thread.
  ///
  /// ```swift
  /// let count = try context.performAndWait {
  ///   try context.count(for: Book.fetchRequest())
  /// }
  /// ```
  open func performAndWait(_ block: () -> Void) { wait(for: block) }

  /// Saves the context's changes to its parent. A save that throws writes nothing, except with code 134040: then some of
  /// several stores have committed. What `willSave`, validation and a merge policy changed in objects stays changed.
  ///
  /// A save without changes posts the will-save and did-save notifications, and writes a store's metadata if they were
  /// set.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch {
  ///   context.rollback()  // The changes are still there, and fail again.
  ///   throw error
  /// }
  /// ```
  /// - Throws: `CocoaError` with a validation code (1550…1690), a conflict (133020, 133021), or the store's error.
  open func save() throws {
    checkQueue()
    var operation = SaveOperation(of: self)
    try operation.run()
  }

  /// Whether there are unsaved changes. An object counts as changed once a property is set, even to the same value.
  ///
  /// ```swift
  /// // A save without changes runs too, and posts its notifications.
  /// if context.hasChanges { try context.save() }
  /// ```
  open var hasChanges: Bool { hasPendingChanges }

  /// The objects that the next save inserts.
  open var insertedObjects: Set<NSManagedObject> { pendingInsertions }
  /// The objects that the next save may update.
  open var updatedObjects: Set<NSManagedObject> { pendingUpdates }
  /// The objects that the next save deletes, and those whose deletion was merged in the current block.
  open var deletedObjects: Set<NSManagedObject> { pendingDeletions }
  /// All objects that the context has.
  open var registeredObjects: Set<NSManagedObject> { knownObjects }

  /// Returns the object with an ID if the context has it; nil otherwise. Reads nothing.
  ///
  /// ```swift
  /// let id = quake.objectID
  /// if let shown = context.registeredObject(for: id) as? Quake {
  ///   show(shown.place)
  /// }  // Otherwise the quake may still be in the store.
  /// ```
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { knownObject(for: objectID) }

  /// Returns the object with an ID, as a fault if the context does not have it yet. Reads nothing, and does not check
  /// that the row exists.
  ///
  /// It is the way to the same object in another context. If the row may be missing, use ``existingObject(with:)``.
  ///
  /// ```swift
  /// let id = quake.objectID  // Permanent, because the quake was saved.
  /// try await otherContext.perform {
  ///   let quake = otherContext.object(with: id) as? Quake
  ///   quake?.magnitude = 6.2
  ///   try otherContext.save()
  /// }
  /// ```
  @discardableResult
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objectOrFault(with: objectID) }

  /// Returns the object with an ID after making sure that it exists: from the context, or by reading its row.
  ///
  /// ```swift
  /// do {
  ///   let quake = try context.existingObject(with: quake.objectID) as? Quake
  ///   show(quake?.place)
  /// } catch CocoaError.managedObjectReferentialIntegrity {
  ///   show("The quake was deleted.")
  /// }
  /// ```
  /// - Throws: `CocoaError` 133000 if the store has no such row; the store's error if it cannot be read.
  @discardableResult
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try verifiedObject(with: objectID)
  }

  /// Executes a request directly in the stores, and returns when it has ended. Objects in contexts do not change until
  /// the result is merged, with ``mergeChanges(fromRemoteContextSave:into:)``.
  ///
  /// The result is of the class that belongs to the request, such as `NSBatchDeleteResult`: cast it.
  ///
  /// ```swift
  /// let quakes = NSFetchRequest<Quake>(entityName: "Quake")
  /// try context.execute(NSBatchDeleteRequest(fetchRequest: quakes))
  /// context.reset()  // Its objects still had the values of the deleted rows.
  /// ```
  /// - Throws: `CocoaError` 134091 for a request that no store supports, such as a save; otherwise the errors of the
  ///   kind of request.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { try run(request) }

  /// Inserts an object that was created without a context, and calls its `awakeFromInsert()`. The next save inserts its
  /// row.
  ///
  /// An object that is already in this context stays as it is, unless it was deleted. `init(context:)` inserts by
  /// itself.
  ///
  /// ```swift
  /// let quake = Quake(entity: Quake.entity(), insertInto: nil)
  /// quake.place = "Tonga"  // A draft, which no save concerns.
  /// context.insert(quake)
  /// ```
  open func insert(_ object: NSManagedObject) { add(object) }

  /// Marks an object for deletion. The next save deletes its row.
  ///
  /// An object that was never saved is removed once the delete rules have been applied. An object that is already
  /// deleted stays so.
  ///
  /// ```swift
  /// for quake in region.quakes where quake.magnitude < 2 {
  ///   context.delete(quake)
  /// }
  /// try context.save()  // Until then, the rows exist.
  /// ```
  open func delete(_ object: NSManagedObject) { markDeleted(object) }

  /// Replaces the temporary IDs of new objects with permanent ones before they are saved. The objects stay inserted.
  ///
  /// ```swift
  /// let quake = Quake(context: context)
  /// try context.obtainPermanentIDs(for: [quake])
  /// let uri = quake.objectID.uriRepresentation()  // The same after the save.
  /// ```
  /// - Throws: the store's error if it cannot create IDs.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try givePermanentIDs(to: objects) }

  /// Turns an object into a fault, so that its next access reads the row again.
  ///
  /// Transient values are lost. With `mergeChanges`, an object with unsaved changes does not become a fault: its row is
  /// read now, and the changes are applied on top. Without it, the changes are lost. A new object then loses its
  /// insertion, and reading it finds no row.
  ///
  /// ```swift
  /// quake.place = "Tonga"
  /// context.refresh(quake, mergeChanges: true)
  /// print(quake.place)  // Tonga: only the other values are read again.
  /// ```
  /// - Parameters:
  ///   - object: the object.
  ///   - flag: whether unsaved changes are kept.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { refault(object, mergeChanges: flag) }

  /// Refreshes all objects of the context and keeps unsaved changes: unchanged objects become faults, which release
  /// their values.
  ///
  /// ```swift
  /// context.refreshAllObjects()
  /// print(quake.magnitude)  // Read again. After reset(), `quake` is unusable.
  /// ```
  open func refreshAllObjects() { refaultAll() }

  /// Merges what another context saved: updated objects are refreshed and keep their unsaved changes, deleted objects
  /// are removed, inserted ones become known. Call it on this context's queue.
  ///
  /// The notification can hold objects or IDs. Updated objects that this context does not have are ignored. A context
  /// with `automaticallyMergesChangesFromParent` does not need it.
  ///
  /// ```swift
  /// NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextDidSaveObjectIDs, object: otherContext,
  ///   queue: nil
  /// ) { notification in  // It has only IDs, which any thread may use.
  ///   context.perform { context.mergeChanges(fromContextDidSave: notification) }
  /// }
  /// ```
  open func mergeChanges(fromContextDidSave notification: Notification) { merge(notification) }

  /// Makes the next save check an object for conflicts even if it is unchanged: if others have changed or deleted it
  /// since it was read, the save fails or uses the merge policy.
  open func detectConflicts(for object: NSManagedObject) { watchForConflicts(object) }

  /// Applies delete rules and posts `NSManagedObjectContextObjectsDidChange`, if anything changed since the last time.
  ///
  /// The end of a `perform` block and a save call it.
  ///
  /// ```swift
  /// context.delete(region)
  /// context.processPendingChanges()
  /// print(quake.isDeleted)  // True now if the delete rule is cascade.
  /// ```
  open func processPendingChanges() { endEvent() }

  /// Discards all unsaved changes: objects take the values last read or saved, deleted ones are restored, and new ones
  /// leave the context. The undo actions of the context are removed too.
  ///
  /// ```swift
  /// let draft = Quake(context: context)
  /// quake.magnitude = 9.9
  /// context.rollback()
  /// print(quake.hasChanges, draft.managedObjectContext == nil)  // false true
  /// ```
  open func rollback() { discardChanges() }

  /// Removes all objects and changes from the context. Objects that the program still holds must no longer be used.
  ///
  /// ```swift
  /// for places in [["Tonga", "Chile"], ["Japan", "Peru"]] {
  ///   for place in places { Quake(context: context).place = place }
  ///   try context.save()
  ///   context.reset()  // The memory of a long import stays the same.
  /// }
  /// ```
  open func reset() { forgetAll() }

  /// Undoes the last changes, saved or not. Saved changes are undone by new changes. Without an ``undoManager`` this
  /// has no effect.
  ///
  /// ```swift
  /// let undoManager = UndoManager()
  /// undoManager.groupsByEvent = false  // A step per processPendingChanges().
  /// context.undoManager = undoManager
  /// quake.magnitude = 6.2
  /// context.processPendingChanges()
  /// quake.place = "Tonga"
  /// context.undo()  // Takes back the place, and not the magnitude.
  /// ```
  open func undo() { undoEvent() }

  /// Redoes what the last `undo()` undid.
  open func redo() { redoEvent() }
}
