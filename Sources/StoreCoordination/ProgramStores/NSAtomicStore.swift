import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The base class of a store that a program implements and that is read and written as a whole, such as a file in a
/// format of its own.
///
/// ```swift
/// final class PropertyListStore: NSAtomicStore, @unchecked Sendable {
///   override func loadMetadata() throws {
///     metadata = try contents()["metadata"] as? [String: Any] ?? [:]
///   }
///   override func load() throws {
///     addCacheNodes(nodes(from: try contents()["rows"] as? [Any] ?? []))
///   }
///   override func save() throws {
///     let contents: [String: Any] = [
///       "metadata": metadata!, "rows": propertyList(from: cacheNodes()),
///     ]
///     try PropertyListSerialization.data(
///       fromPropertyList: contents, format: .xml, options: 0
///     ).write(to: url!, options: .atomic)
///   }
///   override func newReferenceObject(
///     for managedObject: NSManagedObject
///   ) -> Any { UUID().uuidString }
///
///   private func contents() throws -> [String: Any] {
///     guard let data = FileManager.default.contents(atPath: url!.path),
///       !data.isEmpty
///     else { return [:] }
///     let list = try PropertyListSerialization.propertyList(
///       from: data, format: nil)
///     return list as? [String: Any] ?? [:]
///   }
/// }
///
/// NSPersistentStoreCoordinator.registerStoreClass(
///   PropertyListStore.self, forStoreType: "PropertyList")
/// ```
///
/// `nodes(from:)` and `propertyList(from:)` stand for the conversion between rows and nodes.
///
/// Register a subclass before adding a store. While a store is open, all its rows are in memory. Fetches, conflicts and
/// uniqueness constraints are handled by the framework. The objects that the methods receive are copies of those being
/// saved, with the same class, ID, values and changes, in a context of the store's own. Methods are called by one
/// thread at a time, on that context's queue.
///
/// See <doc:StoresOfYourOwn> and <https://developer.apple.com/documentation/coredata/nsatomicstore>
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  // Sendable: nodes are used by one thread at a time, under the back end's lock.

  var rows: AtomicBackEnd { backEnd as! AtomicBackEnd }  // `init` makes it so.

  /// Creates a store. A subclass can read its file's metadata here.
  public init(
    persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?, configurationName: String?, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    let home = Self.home(coordinator)
    let rows = AtomicBackEnd(in: home, configuration: configurationName)
    super.init(_parts: _StoreParts(keptBy: rows, in: home, configurationName, url, options))
  }

  public required convenience init(_seed seed: _StoreSeed) {
    self.init(
      persistentStoreCoordinator: seed.coordinator, configurationName: seed.configuration, at: seed.url,
      options: seed.options)
  }

  // MARK: To be overridden

  /// Reads all rows and passes them to `addCacheNodes(_:)`. Called once, when the store is added. Must be overridden.
  /// - Throws: the reason why the store cannot be read.
  open func load() throws { fatalError("\(Swift.type(of: self)) must override load().") }

  /// Writes all of `cacheNodes()`, and the metadata, to `url`. Must be overridden.
  /// - Throws: the error that the save throws; then nothing has changed.
  open func save() throws { fatalError("\(Swift.type(of: self)) must override save().") }

  /// Returns a reference object for a new object: a value that no other object of the entity has or had, such as a
  /// string or a number, by which the store finds the row. Must be overridden.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    fatalError("\(Swift.type(of: self)) must override newReferenceObject(for:).")
  }

  /// Returns a node for a new object. The framework registers it.
  ///
  /// The default node has all stored properties of the object, including relationships to other new objects once their
  /// nodes exist.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    rows.fill(node, from: managedObject)
    return node
  }

  /// Updates a node with the values of a changed object. The default copies all stored properties.
  open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
    rows.fill(node, from: managedObject)
  }

  /// Called before `save()` with the nodes that are about to be removed.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  // MARK: To be called

  /// Returns all nodes.
  public func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(rows.nodes.values) }

  /// Registers nodes while the store is being loaded.
  public func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    for node in cacheNodes { rows.nodes[node.objectID.rowID] = node }
  }

  /// Returns the node of an object; nil if the store does not have it.
  public func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { rows.nodes[objectID.rowID] }

  /// Returns the ID of the object of an entity with a reference object.
  public func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
    rows.objectID(rows.references.id(of: data, rows.layout(of: entity)))
  }

  /// Returns the reference object of an ID of this store.
  public func referenceObject(for objectID: NSManagedObjectID) -> Any { rows.reference(of: objectID) }
}
