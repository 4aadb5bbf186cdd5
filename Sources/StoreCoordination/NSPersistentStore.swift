import Foundation
import ManagedModel
import ObjectGraph
import RowStore
import SQLStore
import Synchronization

/// A store in a coordinator.
/// See https://developer.apple.com/documentation/coredata/nspersistentstore
open class NSPersistentStore: NSObject, @unchecked Sendable {
  // Sendable: nothing changes after it was made but what the back end guards itself.

  let backEnd: any BackEnd
  let storeIdentity: StoreIdentity
  /// Follows the commits of all processes; nil of a store without history.
  let follower: StoreFollower?
  /// Posts remote changes of a store without history, if that is asked for.
  private let relay = Mutex<RemoteChangeRelay?>(nil)
  /// Held while a commit is made and told, in a store that nobody follows.
  let commits = Mutex(())

  /// The coordinator that has the store.
  public private(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?

  /// The configuration whose entities the store holds.
  public let configurationName: String

  /// The options that the store was opened with.
  public let options: [AnyHashable: Any]?

  /// `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  public let type: String

  /// Where the store is.
  public let url: URL?

  /// For each entity's number, whether the store's configuration holds it.
  private let holding: [Bool]

  /// Whether nothing can be saved to the store.
  public let isReadOnly: Bool

  init(
    _ opened: OpenedStore, in coordinator: NSPersistentStoreCoordinator, configuration: String?,
    options: [AnyHashable: Any]?
  ) {
    backEnd = opened.backEnd
    follower = opened.follower
    type = opened.type
    url = opened.url
    isReadOnly = opened.isReadOnly
    configurationName = configuration ?? NSManagedObjectModel.defaultConfigurationName
    self.options = options
    let model = coordinator.managedObjectModel
    let held = Set((model.entities(forConfigurationName: configuration) ?? []).map(ObjectIdentifier.init))
    holding = model.layouts.map { held.contains(ObjectIdentifier($0.entity)) }
    persistentStoreCoordinator = coordinator
    storeIdentity = StoreIdentity(uuid: opened.backEnd.identifier, number: opened.backEnd.number)
    super.init()
    storeIdentity.store = self
  }

  /// Whether the store's configuration holds an entity.
  func holds(_ layout: EntityLayout) -> Bool { holding[layout.number - 1] }

  /// The store's UUID.
  public var identifier: String! { backEnd.identifier }

  /// Type, UUID and version hashes of the store, and what the program added; empty if they cannot be read. What is set
  /// is written by the next save to the store; keys that it does not name stay.
  public var metadata: [String: Any]! {
    get {
      var metadata: [String: any Sendable] = (try? backEnd.metadata) ?? [:]
      let new: [String: any Sendable] = newMetadata.withLock { $0 } ?? [:]
      metadata.merge(new) { _, new in new }
      return metadata
    }
    set {
      let values = NSPersistentStoreCoordinator.metadataValues(newValue ?? [:])
      newMetadata.withLock { $0 = values }
    }
  }
  private let newMetadata = Mutex<[String: any Sendable]?>(nil)

  /// Writes the metadata that were set since the last save.
  func writeMetadata() throws {
    guard let values = newMetadata.withLock({ $0 }) else { return }
    try backEnd.setMetadata(values)
    newMetadata.withLock { $0 = nil }
  }

  /// Begins to post remote changes of a store that has no history.
  func startRelay() {
    guard let store = backEnd as? SQLStore, let persistentStoreCoordinator else { return }
    do {
      let new = try RemoteChangeRelay(of: store, in: persistentStoreCoordinator)
      relay.withLock { $0 = new }
    } catch {
      warn("cannot watch '\(store.url.path)' for commits of other processes: \(error)")
    }
  }

  /// Tells others of a commit to a store without history.
  func relayCommit() { relay.withLock { $0 }?.committed() }

  func stopListening() {
    follower?.stop()
    relay.withLock { $0 }?.stop()
  }

  /// The kinds of store that this framework has.
  /// See https://developer.apple.com/documentation/coredata/nspersistentstore/storetype
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }
}

extension NSManagedObjectID {
  /// The store of the object; nil while the id is temporary and once the store was removed.
  public weak var persistentStore: NSPersistentStore? { storeIdentity?.store as? NSPersistentStore }
}
