import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataRuntime
import StrataSupport
import Synchronization

/// Connects contexts with the stores that hold their objects.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
/// try coordinator.addPersistentStore(type: .sqlite, at: url)
/// let context = NSManagedObjectContext(.privateQueue)
/// context.persistentStoreCoordinator = coordinator
/// ```
///
/// Any thread may use a coordinator.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstorecoordinator>
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  // Sendable: what changes is in `state`, under its lock.

  /// The model, which can no longer be changed.
  public let managedObjectModel: NSManagedObjectModel

  struct State {
    var stores: [NSPersistentStore] = []
    var lastNumber = 0
    var name: String?
    /// Whether a context merges other processes' commits.
    var isFollowing = false

    // Every read of a relationship calls this. It is a loop because this module is compiled without specialized generic
    // functions: unspecialized ones took a tenth of such a read.
    func store(number: Int) -> NSPersistentStore? {
      for store in stores where store.storeIdentity.number == number { return store }
      return nil
    }
  }
  let state = Mutex(State())
  let contextList = ContextList()
  /// Leads the stores back to their coordinator.
  let reference = LivingReference<NSPersistentStoreCoordinator>()
  let work = CoordinatorWork()
  /// Posts notifications about commits.
  let announcements = DispatchQueue(label: "NSPersistentStoreCoordinator announcements", qos: .userInitiated)
  /// Adds stores asynchronously.
  let additions = DispatchQueue(label: "NSPersistentStoreCoordinator additions", qos: .userInitiated)

  /// Creates a coordinator without stores.
  public init(managedObjectModel model: NSManagedObjectModel) {
    model.use()
    managedObjectModel = model
    super.init()
    reference.begin(self)
  }

  /// Creates a coordinator with an empty model, as a placeholder. Apple's framework has this initializer too,
  /// undocumented.
  public override convenience init() { self.init(managedObjectModel: NSManagedObjectModel()) }

  deinit {
    reference.end()
    for store in state.withLock({ $0.stores }) {
      store.stopListening()
      store.backEnd.close()
    }
  }

  /// A description of the coordinator: its name, model, and the type, UUID, URL and configuration of each store.
  open override var debugDescription: String {
    let address = "<\(type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())>"
    let model = "model: \(managedObjectModel.versionChecksum), \(managedObjectModel.entities.count) entities"
    let stores = persistentStores.map { store in
      let rights = store.isReadOnly ? "; read-only" : ""
      return "\n  \(store.type) \(store.identifier ?? "") at \(store.url?.shownURL ?? "no URL"); "
        + "configuration: \(store.configurationName)\(rights)"
    }
    let parts = [name.map { "name: \($0)" }, model, stores.count == 1 ? "1 store" : "\(stores.count) stores"]
      .compactMap(\.self)
    return "\(address) (\(parts.joined(separator: "; ")))\(stores.joined())"
  }

  /// The name of the coordinator, for people.
  public var name: String? {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  /// The stores, in the order in which they were added.
  public var persistentStores: [NSPersistentStore] { state.withLock { $0.stores } }

  /// Returns the store at a URL; nil if the coordinator does not have it.
  public func persistentStore(for URL: URL) -> NSPersistentStore? {
    persistentStores.first { URL.isSameFile(as: $0.url) }
  }

  /// Returns the URL of a store.
  public func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

  /// Returns the type, UUID and version hashes of a store, and what the program added.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Returns the ID for a URI; nil if its store is not in the coordinator. The row need not exist. The URI of a
  /// temporary ID is only valid in its own process.
  ///
  /// ```swift
  /// let text = quake.objectID.uriRepresentation().absoluteString
  /// guard let uri = URL(string: text),
  ///   let id = coordinator.managedObjectID(forURIRepresentation: uri)
  /// else { return }  // The store has not been added.
  /// let quake = try? context.existingObject(with: id)  // Nil if it was deleted.
  /// ```
  public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = self
    return context.rowID(of: url).flatMap { publicID($0) }
  }

  func publicID(_ id: RowID) -> NSManagedObjectID? {
    let store = store(number: id.store)
    guard store != nil || id.isTemporary else { return nil }
    return NSManagedObjectID(rowID: id, entity: managedObjectModel.entity(number: id.entity), store: store)
  }
}

extension NSManagedObjectContext {
  /// The coordinator at the root of the context's parents. Set it before the context is used, and instead of a parent.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { (source as? NSPersistentStoreCoordinator) ?? parent?.persistentStoreCoordinator }
    set {
      guard newValue !== source else { return }
      if parent != nil { fatalError("Context already has a parent; cannot replace.") }
      guard
        source == nil
          || !hasRegisteredObjects && !childrenHaveObjects(unlike: newValue?.managedObjectModel)
      else {
        fatalError("Context already has a coordinator; cannot replace.")
      }
      let former = source as? NSPersistentStoreCoordinator
      source = newValue
      former?.contextList.remove(self)
      newValue?.attach(self)
    }
  }

  /// Assigns a new object to the store that it is saved to, instead of the first suitable one. An object that was
  /// saved, or has a permanent ID, stops the program.
  public func assign(_ object: Any, to store: NSPersistentStore) {
    guard let object = object as? NSManagedObject else { fatalError("Only objects are assigned to stores: \(object).") }
    assign(object, to: store.storeIdentity)
  }
}
