import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The base class of a store that a program implements and that is read row by row, such as a web service or another
/// database.
///
/// ```swift
/// final class ServiceStore: NSIncrementalStore, @unchecked Sendable {
///   override func loadMetadata() throws {
///     metadata = [
///       NSStoreTypeKey: "Service",
///       NSStoreUUIDKey: "A7E2F1C0-0000-4000-8000-000000000001",
///     ]
///   }
///   override func execute(
///     _ request: NSPersistentStoreRequest,
///     with context: NSManagedObjectContext?
///   ) throws -> Any {
///     guard let fetch = request as? NSFetchRequest<NSFetchRequestResult>,
///       let entity = fetch.entity
///     else {
///       // This service is read-only.
///       throw CocoaError(.persistentStoreUnsupportedRequestType)
///     }
///     let keys = try service.keys(of: entity.name!, matching: fetch.predicate)
///     return keys.map { key in
///       let id = newObjectID(for: entity, referenceObject: key)
///       return context!.object(with: id)
///     }
///   }
///   override func newValuesForObject(
///     with objectID: NSManagedObjectID, with context: NSManagedObjectContext
///   ) throws -> NSIncrementalStoreNode {
///     let values = try service.values(of: referenceObject(for: objectID))
///     return NSIncrementalStoreNode(
///       objectID: objectID, withValues: values, version: 1)
///   }
/// }
///
/// NSPersistentStoreCoordinator.registerStoreClass(
///   ServiceStore.self, forStoreType: "Service")
/// ```
///
/// Register a subclass before adding a store. It overrides `loadMetadata()`, `execute(_:with:)`,
/// `newValuesForObject(with:with:)`, `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`.
/// The store filters, sorts and limits fetches itself: it receives every fetch as one with the result type
/// `.managedObjectResultType`. The objects of a save are copies of those being saved, with the same class, ID, values
/// and changes, in a context of the store's own. Methods are called by one thread at a time, on that context's queue.
///
/// See <doc:StoresOfYourOwn> and <https://developer.apple.com/documentation/coredata/nsincrementalstore>
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  // Sendable: nothing of its own changes.

  var rows: IncrementalBackEnd { backEnd as! IncrementalBackEnd }  // `init` makes it so.

  /// Creates a store.
  public init(
    persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?, configurationName: String?, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    let home = Self.home(coordinator)
    let rows = IncrementalBackEnd(in: home, configuration: configurationName)
    super.init(_parts: _StoreParts(keptBy: rows, in: home, configurationName, url, options))
  }

  public required convenience init(_seed seed: _StoreSeed) {
    self.init(
      persistentStoreCoordinator: seed.coordinator, configurationName: seed.configuration, at: seed.url,
      options: seed.options)
  }

  // MARK: To be overridden

  /// Sets `metadata` with at least `NSStoreUUIDKey` and `NSStoreTypeKey`, and checks that the store can be used. An
  /// empty file is a new store. Called once, when the store is added. Must be overridden.
  /// - Throws: the reason why the store cannot be used.
  open override func loadMetadata() throws { fatalError("\(Swift.type(of: self)) must override loadMetadata().") }

  /// Returns a UUID for a store whose metadata do not contain one.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Executes a request. Must be overridden.
  /// - Returns: for an `NSFetchRequest`, the objects, made with `context.object(with:)`, or their IDs, in the requested
  ///   order; for an `NSSaveChangesRequest`, an empty array once everything is written. A save without objects is one
  ///   of the metadata.
  /// - Throws: the error that the fetch or save throws.
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    fatalError("\(Swift.type(of: self)) must override execute(_:with:).")
  }

  /// Returns the row of an object. Must be overridden.
  /// - Throws: `CocoaError(.managedObjectReferentialIntegrity)` if the row no longer exists; any other error is an
  ///   error of the store.
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    fatalError("\(Swift.type(of: self)) must override newValuesForObject(with:with:).")
  }

  /// Returns the value of a relationship that the object's node leaves out: an `NSManagedObjectID` or `NSNull`, or a
  /// collection of IDs, in order if the relationship is ordered.
  /// - Throws: the error that reading the relationship reports.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    fatalError("\(Swift.type(of: self)) must override newValue(forRelationship:forObjectWith:with:).")
  }

  /// Returns the IDs for new objects, in the same order, made with `newObjectID(for:referenceObject:)`. Called before
  /// they are saved.
  /// - Throws: the error that the save throws.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    fatalError("\(Swift.type(of: self)) must override obtainPermanentIDs(for:).")
  }

  // MARK: To be called

  /// Returns the ID of the object of an entity with a reference object: a value, such as a string or a number, that no
  /// other object of the entity has.
  public func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
    rows.objectID(rows.references.id(of: data, rows.layout(of: entity)))
  }

  /// Returns the reference object of an ID of this store.
  public func referenceObject(for objectID: NSManagedObjectID) -> Any { rows.reference(of: objectID) }

  @available(*, unavailable, message: "Contexts do not tell stores here which objects they have.")
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  @available(*, unavailable, message: "Contexts do not tell stores here which objects they have.")
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}
}
