import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

extension NSPersistentStoreCoordinator {
  /// Opens a store, creating it if necessary.
  /// - Returns: the store.
  /// - Throws: `CocoaError` 134000 for an unknown type, 134100 for a store of another model, 256…640 and 134080 for
  ///   file system errors.
  @discardableResult
  public func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try add(type: type.rawValue, configuration: configuration, at: storeURL, options: options)
  }

  /// Opens a store, creating it if necessary.
  /// - Throws: the errors of `addPersistentStore(type:configuration:at:options:)`.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try add(type: storeType, configuration: configuration, at: storeURL, options: options)
  }

  /// Opens the store of a description.
  /// - Parameters:
  ///   - storeDescription: how to open the store.
  ///   - block: called once: on the calling thread before this method returns, or on another thread if the description
  ///     asks for it.
  public func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    // The handler is called once and not kept; the description is a copy of the caller's.
    nonisolated(unsafe) let finish = block
    nonisolated(unsafe) let description = storeDescription
    let work: @Sendable () -> Void = {
      do {
        _ = try self.add(
          type: description.type, configuration: description.configuration, at: description.url,
          options: description.options)
        finish(description, nil)
      } catch {
        finish(description, error)
      }
    }
    if storeDescription.shouldAddStoreAsynchronously { additions.async(execute: work) } else { work() }
  }

  private func add(
    type: String, configuration: String?, at url: URL?, options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    if let storeClass = StoreClasses.named(type) {
      return try add(storeClass, type: type, configuration: configuration, at: url, options: options)
    }
    let read = StoreOptions(options)
    let number = try nextNumber()
    // What is in memory was made with the model of this program.
    let file = url.flatMap { SQLStore.isInMemory($0) ? nil : $0 }
    if let file, type == NSSQLiteStoreType, let stages = read.stages {
      try stages.migrate(file, configuration: configuration, options: options, to: managedObjectModel)
    }
    let opened: OpenedStore
    do {
      opened = try open(type, configuration, url, read, number)
    } catch let error as CocoaError where read.migratesAutomatically && !read.isReadOnly {
      guard error.code == .persistentStoreIncompatibleVersionHash, let file else { throw error }
      let mapped = MappedMigration(
        url: file, configuration: configuration, options: options, target: managedObjectModel)
      guard try mapped.run() else { throw error }
      opened = try open(type, configuration, url, read, number)
    }
    let store = NSPersistentStore(
      _parts: _StoreParts(opened, in: self, configuration: configuration, options: options))
    state.withLock { $0.stores.append(store) }
    store.startListening(for: self)
    tellAdded(store)
    return store
  }

  /// Has a class of the program's make a store and open it.
  private func add(
    _ storeClass: NSPersistentStore.Type, type: String, configuration: String?, at url: URL?,
    options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    guard let url else { throw CocoaError.coreData(.open, "A store of the type '\(type)' needs a URL.") }
    guard managedObjectModel.entities(forConfigurationName: configuration) != nil else {
      throw CocoaError.coreData(
        .incompatibleModel,
        "The model has no configuration '\(configuration ?? "")', only \(managedObjectModel.configurations).")
    }
    guard state.withLock({ $0.lastNumber < Self.mostStores }) else { throw tooManyStores }
    let store = storeClass.init(
      _seed: _StoreSeed(coordinator: self, configuration: configuration, url: url, options: options))
    do { try (store.backEnd as? ProgramBackEnd)?.open() } catch let error as StoreError { throw CocoaError(error) }
    store.settleMetadata()
    state.withLock { $0.stores.append(store) }
    store.didAdd(to: self)
    tellAdded(store)
    return store
  }

  private func tellAdded(_ store: NSPersistentStore) { tell([store], NSAddedPersistentStoresKey) }

  private func tell(_ stores: [NSPersistentStore], _ key: String) {
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [key: stores])
  }

  /// Tells that what was a store under one UUID is one under another.
  func tellNewIdentifier(of old: NSPersistentStore, now new: NSPersistentStore) {
    tell([old, new], NSUUIDChangedPersistentStoresKey)
  }

  private func open(
    _ type: String, _ configuration: String?, _ url: URL?, _ options: StoreOptions, _ number: Int
  ) throws -> OpenedStore {
    try OpenedStore(
      type: type, configuration: configuration, url: url, options: options, model: managedObjectModel, number: number)
  }

  private func nextNumber() throws -> Int {
    try state.withLock { state in
      guard state.lastNumber < Self.mostStores else { throw tooManyStores }
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// As many as the ids of rows have room for.
  private static let mostStores = 255

  private var tooManyStores: CocoaError {
    CocoaError.coreData(.open, "A coordinator takes \(Self.mostStores) stores in its life; use a new one.")
  }

  /// The number of a store that a program made; it counts as all others do.
  func takeNumber() -> Int {
    do { return try nextNumber() } catch { fatalError("\(error)") }
  }

  /// Closes a store. Its objects are removed from their contexts, which report them under `NSInvalidatedObjectsKey`.
  /// - Throws: `CocoaError` 134080 if the store is not in this coordinator.
  public func remove(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CocoaError.coreData(.open, "The store at \(store.url?.path ?? "") does not belong to this coordinator.")
    }
    NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    store.willRemove(from: self)
    let contexts = state.withLock { state in
      state.stores.removeAll { $0 === store }
      return state.contexts.compactMap(\.context)
    }
    for context in contexts { context.invalidateObjects(of: store.storeIdentity) }
    store.stopListening()
    store.backEnd.close()
    tell([store], NSRemovedPersistentStoresKey)
  }
}
