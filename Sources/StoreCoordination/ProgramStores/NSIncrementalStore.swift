import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// A store that a program writes itself and that is read row by row: a service, or a database of its own.
///
/// A subclass overrides `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`; it is registered with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)` before a store is added. Filtering, sorting and
/// cutting are the store's work: it gets them as a fetch request of the result type `.managedObjectResultType`, whatever the
/// program asked for. The objects of a save are copies of those that are saved: with the same class, id, values and
/// changes, in a context of the store's own. Methods are called by one thread at a time, on that context's queue.
/// See https://developer.apple.com/documentation/coredata/nsincrementalstore
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  // Sendable: nothing of its own changes.

  var rows: IncrementalBackEnd { backEnd as! IncrementalBackEnd }  // `init` makes it so.

  public init(
    persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?, configurationName: String?, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    let coordinator = Self.required(coordinator)
    let rows = IncrementalBackEnd(in: coordinator, configuration: configurationName)
    super.init(_parts: _StoreParts(keptBy: rows, in: coordinator, configurationName, url, options))
  }

  public required convenience init(_seed seed: _StoreSeed) {
    self.init(
      persistentStoreCoordinator: seed.coordinator, configurationName: seed.configuration, at: seed.url,
      options: seed.options)
  }

  // MARK: To be overridden

  /// Sets `metadata` with at least `NSStoreUUIDKey` and `NSStoreTypeKey`, and checks that the store can be used. A file of no
  /// bytes is a new store. Called once, when the store is added.
  open override func loadMetadata() throws { fatalError("\(Swift.type(of: self)) must override loadMetadata().") }

  /// A UUID for a store whose metadata name none.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Answers a request: for a `NSFetchRequest` the objects, made by `context.object(with:)`, or their ids, in the order that
  /// it asks for; for a `NSSaveChangesRequest` an empty array, once everything in it is written. A save without objects is
  /// one of the metadata.
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    fatalError("\(Swift.type(of: self)) must override execute(_:with:).")
  }

  /// The row of an object.
  /// - Throws: `CocoaError(.managedObjectReferentialIntegrity)` if the row is gone; what else it throws is an error of the
  ///   store.
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    fatalError("\(Swift.type(of: self)) must override newValuesForObject(with:with:).")
  }

  /// Where a relationship leads that the object's node leaves out: a `NSManagedObjectID` or `NSNull`, or a collection of
  /// ids, in the relationship's order if it has one.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    fatalError("\(Swift.type(of: self)) must override newValue(forRelationship:forObjectWith:with:).")
  }

  /// Ids for new objects, in their order, made by `newObjectID(for:referenceObject:)`. Called before they are saved.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    fatalError("\(Swift.type(of: self)) must override obtainPermanentIDs(for:).")
  }

  // MARK: To be called

  /// The id of the object of an entity with a reference object: a value such as a String or a NSNumber that no other object
  /// of the entity has.
  public func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
    rows.objectID(rows.references.id(of: data, rows.layout(of: entity)))
  }

  /// The reference object of an id that this store made.
  public func referenceObject(for objectID: NSManagedObjectID) -> Any { rows.reference(of: objectID) }

  @available(*, unavailable, message: "Contexts do not tell stores here which objects they have.")
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  @available(*, unavailable, message: "Contexts do not tell stores here which objects they have.")
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}
}
