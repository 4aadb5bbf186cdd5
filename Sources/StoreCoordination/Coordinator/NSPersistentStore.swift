import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSupport
import Synchronization

/// A store of a coordinator.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstore>
open class NSPersistentStore: NSObject, _StoreMadeFromSeed, @unchecked Sendable {
  // Sendable: whatever changes after initialization is guarded by the back end or by the locks here.

  /// Where the rows are and what follows them; at another URL, both are others.
  private struct Attachment {
    let backEnd: any BackEnd
    /// Follows the commits of all processes; nil without history.
    let commitMonitor: CommitMonitor?
    var url: URL?
    var isReadOnly: Bool
  }
  private let attachment: Mutex<Attachment>
  package var backEnd: any BackEnd { attachment.withLock { $0.backEnd } }
  var commitMonitor: CommitMonitor? { attachment.withLock { $0.commitMonitor } }
  let storeIdentity: StoreIdentity
  /// Posts remote changes for a store without history, if the options ask for it.
  private let relay = Mutex<RemoteChangeRelay?>(nil)
  /// Held while a commit is made and announced in a store without a commit monitor. Recursive: a program's store may save
  /// again while it saves.
  let commits = NSRecursiveLock()

  /// The coordinator of the store.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator.object }
  private let coordinator: LivingReference<NSPersistentStoreCoordinator>

  /// The configuration whose entities the store holds.
  open var configurationName: String { givenConfigurationName }
  private let givenConfigurationName: String

  /// The options that the store was opened with.
  open var options: [AnyHashable: Any]? {
    guard let given = givenOptions?[NSSQLitePragmasOption], Swift.type(of: given) == [String: NSObject].self,
      let pragmas = given as? [String: NSObject]
    else { return givenOptions }
    var options = givenOptions
    options?[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
    return options
  }
  /// The pragmas of a description are a dictionary of Swift's.
  private let givenOptions: [AnyHashable: Any]?

  /// The type of the store: `NSSQLiteStoreType`, `NSXMLStoreType`, `NSBinaryStoreType`, `NSInMemoryStoreType`, or the
  /// type that the program registered the store's class for.
  open var type: String { ownType ?? StoreClasses.type(of: Swift.type(of: self)) ?? "\(Swift.type(of: self))" }
  private let ownType: String?

  /// By entity number, whether the store's configuration holds the entity.
  private let holding: [Bool]

  /// Creates a store from its parts. Only for this framework.
  public init(_parts parts: _StoreParts) {
    attachment = Mutex(
      Attachment(
        backEnd: parts.backEnd, commitMonitor: parts.commitMonitor, url: parts.url, isReadOnly: parts.isReadOnly))
    ownType = parts.type
    givenConfigurationName = parts.configuration ?? NSManagedObjectModel.defaultConfigurationName
    givenOptions = parts.options
    let model = parts.coordinator.managedObjectModel
    let held = Set((model.freeze().layouts(ofConfiguration: parts.configuration) ?? []).map(\.number))
    holding = model.layouts.map { held.contains($0.number) }
    coordinator = parts.coordinator.reference
    storeIdentity = StoreIdentity(uuid: parts.backEnd.identifier, number: parts.backEnd.number)
    super.init()
    storeIdentity.reference.begin(self)
    (backEnd as? ProgramBackEnd)?.store = self
  }

  deinit { storeIdentity.reference.end() }

  /// Whether the store's configuration holds an entity.
  func holds(_ layout: EntityLayout) -> Bool { holding[layout.number - 1] }

  /// The UUID of the store.
  ///
  /// A new value is written by the next save. Object IDs contain it once the store is opened again. Classes of programs
  /// set it in `loadMetadata()`.
  open var identifier: String! {
    get { givenIdentifier.withLock { $0 } ?? backEnd.identifier }
    set {
      guard let newValue else { return }
      metadata = metadata.merging([NSStoreUUIDKey: newValue]) { _, new in new }
    }
  }
  private let givenIdentifier = Mutex<String?>(nil)

  /// The type, UUID and version hashes of the store, and what the program added; empty if they cannot be read.
  ///
  /// A new value is written by the next save to the store. Keys that it does not contain are kept.
  open var metadata: [String: Any]! {
    get {
      var metadata: [String: any Sendable] =
        (try? backEnd.metadata) ?? (backEnd as? ProgramBackEnd)?.lastMetadata ?? [:]
      let new: [String: any Sendable] = newMetadata.withLock { $0 }?.values ?? [:]
      metadata.merge(new) { _, new in new }
      if let given = givenIdentifier.withLock({ $0 }) { metadata[NSStoreUUIDKey] = given }
      return MetadataValues.shown(metadata)
    }
    set {
      let values = MetadataValues.stored(newValue ?? [:])
      let before = identifier
      if let program = backEnd as? ProgramBackEnd { program.replaceMetadata(values) }
      if let given = values[NSStoreUUIDKey] as? String {
        givenIdentifier.withLock { $0 = given == backEnd.identifier ? nil : given }
      }
      newMetadata.withLock { $0 = NewMetadata(values: values) }
      if identifier != before, let coordinator = persistentStoreCoordinator,
        coordinator.persistentStores.contains(where: { $0 === self })
      {
        coordinator.postNewIdentifier(of: self, now: self)
      }
    }
  }
  private let newMetadata = Mutex<NewMetadata?>(nil)

  /// Metadata set but not yet saved.
  private final class NewMetadata: Sendable {
    let values: [String: any Sendable]
    init(values: [String: any Sendable]) { self.values = values }
  }

  /// Has `body` save the metadata set since the last save. Metadata that are set while it runs wait for the next save.
  func withNewMetadata<T>(_ body: ([String: any Sendable]?) throws -> T) rethrows -> T {
    let new = newMetadata.withLock { $0 }
    let result = try body(new?.values)
    if let new { newMetadata.withLock { if $0 === new { $0 = nil } } }
    return result
  }

  /// Considers saved whatever the program's class set while the store was opened.
  func discardNewMetadata() { newMetadata.withLock { $0 = nil } }

  /// Starts posting remote changes for a store without history.
  private func startRelay() {
    guard let store = backEnd.commitSignaling, let persistentStoreCoordinator else { return }
    do {
      let new = try RemoteChangeRelay(of: store, at: url, in: persistentStoreCoordinator)
      relay.withLock { $0 = new }
    } catch {
      Diagnostics.warn("cannot watch '\(url?.shown ?? type)' for commits of other processes: \(error)")
    }
  }

  /// Starts listening for commits, as the store's options ask.
  func startListening(for coordinator: NSPersistentStoreCoordinator) {
    let postsRemoteChanges = StoreOptions.flag(
      NSPersistentStoreRemoteChangeNotificationPostOptionKey, in: givenOptions)
    announceMigrations(to: coordinator)
    commitMonitor?.start(for: coordinator, postsRemoteChanges: postsRemoteChanges)
    if postsRemoteChanges, commitMonitor == nil { startRelay() }
    if coordinator.state.withLock({ $0.isFollowing }) { commitMonitor?.watch() }
  }

  /// Signals a commit to a store without history.
  func relayCommit() { relay.withLock { $0 }?.committed() }

  func stopListening() {
    commitMonitor?.stop()
    relay.withLock { $0 }?.stop()
  }

  /// Continues with a back end opened elsewhere, and closes the previous one.
  func move(to opened: OpenedStore, in coordinator: NSPersistentStoreCoordinator) {
    let new = Attachment(
      backEnd: opened.backEnd, commitMonitor: opened.commitMonitor, url: opened.url, isReadOnly: opened.isReadOnly)
    stopListening()
    let old = attachment.withLock { attachment in
      defer { attachment = new }
      return attachment.backEnd
    }
    old.close()
    startListening(for: coordinator)
  }

  /// The built-in types of store.
  ///
  /// See <https://developer.apple.com/documentation/coredata/nspersistentstore/storetype>
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The type as a string, such as `NSSQLiteStoreType`.
    public let rawValue: String
    /// Creates a type from a string.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A SQLite file.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// An XML file.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
    /// A binary file.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    /// A store that lasts as long as the process.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }

  // MARK: Stores that a program wrote

  /// Creates a store that a program implements: use a subclass of ``NSAtomicStore`` or ``NSIncrementalStore``.
  public convenience init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    fatalError("NSPersistentStore has no rows of its own: subclass NSAtomicStore or NSIncrementalStore.")
  }

  /// Makes a store of the class.
  public required convenience init(_seed seed: _StoreSeed) {
    self.init(
      persistentStoreCoordinator: seed.coordinator, configurationName: seed.configuration, at: seed.url,
      options: seed.options)
  }

  /// The coordinator of a store that a program creates without one: it has no entities, and only the initializer keeps
  /// it. Such a store has a URL, options and metadata, and nothing asks it for objects.
  static func home(_ coordinator: NSPersistentStoreCoordinator?) -> NSPersistentStoreCoordinator {
    coordinator ?? NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
  }

  /// The URL of the store. Setting it calls `setURL(_:for:)` of the coordinator.
  open var url: URL? {
    get { attachment.withLock { $0.url } }
    set {
      if let newValue, backEnd.isBoundToURL, let persistentStoreCoordinator {
        _ = persistentStoreCoordinator.setURL(newValue, for: self)
      } else {
        if let newValue { backEnd.urlDidChange(to: newValue) }
        attachment.withLock { $0.url = newValue }
      }
    }
  }

  /// Whether the store is read-only. A store that was opened read-only stays so.
  open var isReadOnly: Bool {
    get { attachment.withLock { $0.isReadOnly } }
    set { attachment.withLock { $0.isReadOnly = newValue || $0.backEnd.readOnlyReason != nil } }
  }

  /// Sets `metadata`. Called before a store of the program's own class is added.
  /// - Throws: the reason why the store cannot be used.
  open func loadMetadata() throws {}

  /// Called after the store was added to a coordinator.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called before the store is removed from its coordinator.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  /// Returns the metadata of a store, which need not be open. Classes of programs override it.
  /// - Throws: `CocoaError` 134091 if the class does not.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    throw CocoaError.coreData(.unsupported, "\(self) does not override metadataForPersistentStore(with:).")
  }

  /// Sets the metadata of a store, which need not be open. Classes of programs override it.
  /// - Throws: `CocoaError` 134091 if the class does not.
  open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    throw CocoaError.coreData(.unsupported, "\(self) does not override setMetadata(_:forPersistentStoreAt:).")
  }

  /// Returns the class that migrates stores of this class: `NSMigrationManager`.
  open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }
}

/// The parts of a store. Only for this framework.
public struct _StoreParts {
  let backEnd: any BackEnd
  var commitMonitor: CommitMonitor?
  /// nil for a program's own store, whose class knows it.
  var type: String?
  var url: URL?
  var isReadOnly: Bool
  let coordinator: NSPersistentStoreCoordinator
  var configuration: String?
  var options: [AnyHashable: Any]?
}

extension _StoreParts {
  init(
    _ opened: OpenedStore, in coordinator: NSPersistentStoreCoordinator, configuration: String?,
    options: [AnyHashable: Any]?
  ) {
    self.init(
      backEnd: opened.backEnd, commitMonitor: opened.commitMonitor, type: opened.type, url: opened.url,
      isReadOnly: opened.isReadOnly, coordinator: coordinator, configuration: configuration, options: options)
  }

  init(
    keptBy backEnd: any ProgramBackEnd & BackEnd, in coordinator: NSPersistentStoreCoordinator,
    _ configuration: String?,
    _ url: URL, _ options: [AnyHashable: Any]?
  ) {
    self.init(
      backEnd: backEnd, url: url, isReadOnly: StoreOptions(options).isReadOnly, coordinator: coordinator,
      configuration: configuration, options: options)
  }
}

extension NSManagedObjectID {
  /// The store of the object; nil while the ID is temporary, and after the store was removed.
  public weak var persistentStore: NSPersistentStore? { storeIdentity?.store as? NSPersistentStore }
}
