import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// A store that a program writes itself and that is read and written as a whole: a file in a format of its own.
///
/// A subclass overrides `load()`, `save()`, `newReferenceObject(for:)`, `newCacheNode(for:)` and `updateCacheNode(_:from:)`;
/// it is registered with `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)` before a store is added. All
/// rows are in memory as long as the store is open; fetches, conflicts and uniqueness constraints are the framework's
/// work. The objects that the methods get are copies of those that are saved: with the same class, id, values and changes,
/// in a context of the store's own. Methods are called by one thread at a time, on that context's queue.
/// See https://developer.apple.com/documentation/coredata/nsatomicstore
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  // Sendable: nodes are used by one thread at a time, under the back end's lock.

  var rows: AtomicBackEnd { backEnd as! AtomicBackEnd }  // `init` makes it so.

  /// A store of a coordinator; a subclass may read its file's metadata here.
  public init(
    persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?, configurationName: String?, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    let coordinator = Self.required(coordinator)
    let rows = AtomicBackEnd(in: coordinator, configuration: configurationName)
    super.init(_parts: _StoreParts(keptBy: rows, in: coordinator, configurationName, url, options))
  }

  public required convenience init(_seed seed: _StoreSeed) {
    self.init(
      persistentStoreCoordinator: seed.coordinator, configurationName: seed.configuration, at: seed.url,
      options: seed.options)
  }

  // MARK: To be overridden

  /// Reads everything and hands it over with `addCacheNodes(_:)`. Called once, when the store is added.
  open func load() throws { fatalError("\(Swift.type(of: self)) must override load().") }

  /// Writes all of `cacheNodes()`, and the metadata, to `url`. What it throws, the save throws, and nothing has changed.
  open func save() throws { fatalError("\(Swift.type(of: self)) must override save().") }

  /// A reference object for a new object: a value that no other object of the entity has or had, and that the store can
  /// find the row by, such as a String or a NSNumber.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    fatalError("\(Swift.type(of: self)) must override newReferenceObject(for:).")
  }

  /// A node for a new object; the framework registers it. What this class makes has all stored properties of the object,
  /// relationships to other new objects once their nodes are there, too.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    rows.fill(node, from: managedObject)
    return node
  }

  /// Brings a node to the values of a changed object. What this class does takes over all stored properties.
  open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
    rows.fill(node, from: managedObject)
  }

  /// Called before `save()` with the nodes that are about to go.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  // MARK: To be called

  /// All nodes.
  public func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(rows.nodes.values) }

  /// Registers nodes, while the store is loaded.
  public func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    for node in cacheNodes { rows.nodes[node.objectID.rowID] = node }
  }

  /// The node of an object; nil if there is none.
  public func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { rows.nodes[objectID.rowID] }

  /// The id of the object of an entity with a reference object.
  public func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
    rows.objectID(rows.references.id(of: data, rows.layout(of: entity)))
  }

  /// The reference object of an id that this store made.
  public func referenceObject(for objectID: NSManagedObjectID) -> Any { rows.reference(of: objectID) }
}
