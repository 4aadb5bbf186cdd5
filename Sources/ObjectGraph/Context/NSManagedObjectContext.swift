import Foundation
import StrataCClassMembers
import StrataCoreDataErrors
import StrataDiagnostics
import StrataFoundationGaps
import StrataManagedModel
import StrataRowStore
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
open class NSManagedObjectContext: NSObject, _MadeOfAnyClass, @unchecked Sendable {
  // Sendable: everything but the queue methods is used on the context's queue alone, as Apple's contract asks.

  /// Whether the context has a private queue or uses the main queue.
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  final let queue: DispatchQueue
  final let locking = NSRecursiveLock()

  /// The name of the context. Transactions record it in the history.
  @exclusivity(unchecked) public var name: String?

  /// The author of the context's changes. Transactions record it in the history.
  @exclusivity(unchecked) public var transactionAuthor: String?

  /// Information of the program's own.
  public let userInfo = NSMutableDictionary()

  /// Whether the context merges what others save to its parent, including other processes. Default: false.
  public var automaticallyMergesChangesFromParent: Bool {
    // No property of a context has an observer: Swift skips observers where an initializer of the class sets the
    // property, and an initializer that a program adds in an extension is one.
    get { registry.merges }
    set {
      registry.merges = newValue
      if newValue { source?.follow() }
    }
  }

  /// Whether the context keeps all its objects alive, instead of only those with unsaved changes. Default: false.
  public var retainsRegisteredObjects: Bool {
    get { registry.isStrong }
    set { registry.isStrong = newValue }
  }

  /// Whether an object whose row is missing counts as deleted, instead of stopping the program. Default: true.
  public var shouldDeleteInaccessibleFaults = true

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
  @exclusivity(unchecked) public var stalenessInterval: TimeInterval = -1

  /// Whether delete rules are applied when pending changes are processed, instead of only during a save. Default: true.
  @exclusivity(unchecked) public var propagatesDeletesAtEndOfEvent = true

  /// What the context hangs on: the coordinator or its parent.
  final package var source: (any ObjectSource)? {
    get { givenSource }
    set {
      givenSource = newValue
      if let newValue { registry.model = newValue.model }
      classEntities = []
      namedLayout = nil
      idOrigins = PerEntity()
      if automaticallyMergesChangesFromParent { newValue?.follow() }
      // A moment belongs to one coordinator's stores.
      advanceGeneration()
    }
  }
  @exclusivity(unchecked) final private var givenSource: (any ObjectSource)?
  /// The moment that the context reads; nil while it reads what is there.
  @exclusivity(unchecked) final var generation: QueryGeneration?

  /// What the context is for if it only finds out the name of a property; its objects then stay faults.
  @exclusivity(unchecked) final var probe: KeyPathProbe?

  final let registry = ObjectRegistry()
  /// Objects that a save may have to do with, held strongly, in the order in which they came.
  @exclusivity(unchecked) final var listed: [NSManagedObject] = []
  /// Objects that changed since the last ObjectsDidChange.
  @exclusivity(unchecked) final var event: [NSManagedObject] = []
  /// Deleted objects whose relationships are still as they were.
  @exclusivity(unchecked) final var deletions: [NSManagedObject] = []
  /// Objects that are gone, as long as whoever is told of it may ask them.
  @exclusivity(unchecked) final var departing: [NSManagedObject] = []
  /// What observers are being told; nil while nothing is.
  @exclusivity(unchecked) final var telling: ToldChanges?
  /// Whether what is told comes from a merge.
  @exclusivity(unchecked) final var tellsOfMerge = false
  /// Pages for rows that are not saved, by entity number.
  @exclusivity(unchecked) final var scratch = PerEntity<RowPage>()
  /// Rows of default values by entity number; an empty page for an entity without.
  @exclusivity(unchecked) final var templates = PerEntity<RowPage>()
  /// Whether all objects are plain `NSManagedObject`s, as in a migration: the program's classes may not fit a version.
  /// To be set before the context has objects.
  package final var makesPlainObjects = false
  /// The classes of objects by entity number, as far as they were needed.
  @exclusivity(unchecked) final var classes: [NSManagedObject.Type?] = []
  /// Held until the end of the block that runs on the context's queue.
  @exclusivity(unchecked) final var recent = RecentObjects()
  /// Clean objects that the next save is to check, and holds until then.
  @exclusivity(unchecked) final var checked: [NSManagedObject] = []
  final var policy: NSMergePolicy = .error
  /// What must hold of objects before they are saved, by entity number.
  @exclusivity(unchecked) final var validations: [ValidationPlan?] = []
  /// The entities that classes stand for, as far as they were asked for: the names of classes are made anew each time.
  @exclusivity(unchecked) final var classEntities: [(type: ObjectIdentifier, entity: NSEntityDescription)] = []
  /// The entity that was last fetched by name from a coordinator, whose model stays the same.
  @exclusivity(unchecked) final var namedLayout: (name: String, layout: EntityLayout)?
  /// What temporary ids became, while contexts below may still use them.
  final let retiredIDs = RetiredIDs()
  /// The retired ids of the parent, and how far they are known here.
  @exclusivity(unchecked) final var idsAbove: RetiredIDs?
  @exclusivity(unchecked) final var placeAbove = 0
  @exclusivity(unchecked) final var children: [ContextReference] = []
  /// The fault that is being made; nil while none is.
  @exclusivity(unchecked) final var seed: FaultSeed?
  /// Commits of others that wait to be merged, oldest first.
  final let mailbox = Mutex<[ObjectIDChanges]>([])
  /// What fetches read ahead and objects still refer to.
  @exclusivity(unchecked) final var readAheads: [WeakRowsReadAhead] = []
  final var followers: [WeakContextFollower] = []
  /// Whether a context above is on the main queue, and this one is not.
  @exclusivity(unchecked) final private(set) var isBelowMain = false
  /// How many blocks run or wait on the queue of a context below the main queue.
  @exclusivity(unchecked) final var blocks = 0
  /// Whether the context merges what others saved, and no block of the program runs.
  @exclusivity(unchecked) final var mergesByItself = false
  /// Objects with unsaved changes whose rows others changed, for the next block.
  @exclusivity(unchecked) final var outdated: [ObjectIdentifier: NSManagedObject] = [:]
  /// The loops over the context's changes; nil while there were none.
  final let feeds = Mutex<ChangeFeeds?>(nil)
  /// Changes of many objects that are going on, whose observers are told when all are made; nil while there are none.
  @exclusivity(unchecked) final var heldNotices: [ChangeNotice]?
  /// What the objects of the event were before it; nil without an undo manager.
  final var journal: UndoJournal? {
    get { givenJournal }
    set {
      givenJournal = newValue
      registry.keepsJournal = newValue != nil
    }
  }
  @exclusivity(unchecked) final private var givenJournal: UndoJournal?
  @exclusivity(unchecked) final var tracksChanges = true
  /// Whether objects are deleted at this moment, so that one whose row is gone simply goes.
  @exclusivity(unchecked) final var isDeleting = false
  @exclusivity(unchecked) final var isEventScheduled = false
  @exclusivity(unchecked) final var notices = NotificationUserInfoCache()
  /// What the ids of an entity have in common, by its number. Kept, as the ids that one save tells of have mostly gone when
  /// the next one makes some, and what they had in common with them.
  @exclusivity(unchecked) final var idOrigins = PerEntity<IDOrigin>()

  /// Creates a context without a parent.
  public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
    concurrencyType = ct
    queue = ct == .mainQueueConcurrencyType ? ContextQueue.main : ContextQueue.makePrivate()
    super.init()
    ConcurrencyDebug.start()
    ShortText.start()
    registry.setContext(self)
    if ct == .privateQueueConcurrencyType { queue.setSpecific(key: ContextQueue.owner, value: ObjectIdentifier(self)) }
  }

  deinit {
    for object in registry.objects() { object.detach() }
    registry.setContext(nil)
  }

  /// A description of the context: its name, queue, unsaved changes and parent. On another queue, the unsaved changes
  /// may be out of date.
  open override var debugDescription: String { debugText }

  /// The context that this one saves to. Set it before the context is used, and instead of a coordinator.
  public var parent: NSManagedObjectContext? {
    get { (source as? ParentSource)?.parent }
    set {
      guard newValue !== parent else { return }
      if source != nil, source is ParentSource == false {
        fatalError("Context already has a coordinator; cannot replace.")
      }
      guard registry.count == 0 else { fatalError("Context already has objects; cannot replace its parent.") }
      guard let newValue else { return source = nil }
      for above in sequence(first: newValue, next: \.parent) where above === self {
        fatalError("A context cannot be its own parent, directly or indirectly.")
      }
      idsAbove = newValue.retiredIDs
      placeAbove = newValue.retiredIDs.end
      isBelowMain =
        concurrencyType == .privateQueueConcurrencyType
        && sequence(first: newValue, next: \.parent).contains { $0.concurrencyType == .mainQueueConcurrencyType }
      source = ParentSource(newValue, of: self)
      source?.attach(self)
    }
  }

  /// What the context reads from, and saves to.
  func requireSource() throws -> any ObjectSource {
    if SQLDebug.isOn { SQLDebug.contextName = label }
    guard let source = generation == nil ? source : try pinnedSource() else {
      throw CocoaError.coreData(.noStores, "The context has neither a persistent store coordinator nor a parent.")
    }
    return source
  }

  /// The model of the coordinator at the root; without one that of the objects that were inserted.
  final var model: NSManagedObjectModel {
    guard let model = source?.model ?? registry.model else {
      fatalError("The context has neither a persistent store coordinator nor a parent, and so no model.")
    }
    return model
  }
}

extension _MadeOfAnyClass where Self: NSManagedObjectContext {
  /// Creates a context of the class at run time, without a parent.
  @_documentation(visibility: internal)
  public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
    let type = UInt(unsafeBitCast(ct, to: UInt8.self))
    self = AnyClassInitializer(strata_context_init(), words: (type, 0, 0)).make(Self.self)
  }

  /// Creates a context of the class at run time, without a parent.
  @_documentation(visibility: internal)
  public init(_ type: NSManagedObjectContext.ConcurrencyType) { self.init(concurrencyType: type.rawValue) }
}

/// The kind of queue that a context uses.
///
/// See <https://developer.apple.com/documentation/coredata/nsmanagedobjectcontextconcurrencytype>
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// A context confined to one thread. No longer available.
  @available(*, unavailable, message: "A context has a queue: .privateQueueConcurrencyType, .mainQueueConcurrencyType.")
  case confinementConcurrencyType = 0
  /// A private queue.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The kind of queue that a context uses, under its Swift name.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    /// The same kind as an `NSManagedObjectContextConcurrencyType`.
    public let rawValue: NSManagedObjectContextConcurrencyType
    /// Creates a kind of queue from an `NSManagedObjectContextConcurrencyType`.
    public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }
    /// A private queue.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }

  /// Creates a context without a parent.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

  /// When an awaited block runs.
  public enum ScheduledTaskType: Sendable {
    /// At once if the caller is already on the context's queue.
    case immediate
    /// After all blocks that are waiting on the context's queue.
    case enqueued
  }
}
