import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

extension NSPersistentStoreCoordinator {
  /// Opens a store, creating it if necessary, before the method returns.
  ///
  /// The folder of a file must exist, except the user's folders for documents, application support and caches. A
  /// store of an older model version is migrated only if the options say so.
  ///
  /// ```swift
  /// try coordinator.addPersistentStore(
  ///   type: .sqlite, at: url,
  ///   options: [
  ///     NSPersistentHistoryTrackingKey: true,
  ///     // Unlike a description, this method does not migrate by default.
  ///     NSMigratePersistentStoresAutomaticallyOption: true,
  ///     NSInferMappingModelAutomaticallyOption: true,
  ///   ])
  /// ```
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
          options: description.storeOptions)
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
    let opened = try open(
      OpenRequest(
        type: type, url: url, configuration: configuration, model: managedObjectModel, number: try nextNumber(),
        options: StoreOptions(options)))
    let store = NSPersistentStore(
      _parts: _StoreParts(opened, in: self, configuration: configuration, options: options))
    state.withLock { $0.stores.append(store) }
    store.startListening(for: self)
    postAdded(store)
    return store
  }

  /// Opens a store, migrating it first if needed.
  func open(_ request: OpenRequest) throws -> OpenedStore {
    let driver = try StoreDrivers.driver(ofType: request.type)
    let options = request.options
    if let url = request.url, url.isFileURL, !options.isReadOnly, !driver.isInMemory(url) {
      StandardFolder.make(for: url)
    }
    // An in-memory store was made with this program's model.
    guard let url = request.url, !driver.isInMemory(url), let migrating = driver.migrating else {
      return try OpenedStore(request)
    }
    let type = NSPersistentStore.StoreType(rawValue: request.type)
    if let stages = options.stages {
      try stages.migrate(
        StagedStore(
          driver: migrating, url: url, type: type, configuration: request.configuration, options: options,
          target: managedObjectModel))
    }
    do {
      return try OpenedStore(request)
    } catch let error as CocoaError where options.migratesAutomatically && !options.isReadOnly {
      guard error.code == .persistentStoreIncompatibleVersionHash else { throw error }
      let mapped = MappedMigration(
        driver: migrating, url: url, type: type, configuration: request.configuration, options: options,
        target: managedObjectModel)
      guard try mapped.run() else { throw error }
      return try OpenedStore(request)
    }
  }

  /// Has a program's class make a store and open it.
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
    guard state.withLock({ $0.lastNumber < Self.maximumStores }) else { throw tooManyStores }
    let store = storeClass.init(
      _seed: _StoreSeed(coordinator: self, configuration: configuration, url: url, options: options))
    do { try (store.backEnd as? ProgramBackEnd)?.open() } catch let error as StoreError { throw CocoaError(error) }
    store.discardNewMetadata()
    state.withLock { $0.stores.append(store) }
    store.didAdd(to: self)
    postAdded(store)
    return store
  }

  private func postAdded(_ store: NSPersistentStore) { post([store], as: NSAddedPersistentStoresKey) }

  private func post(_ stores: [Any], as key: String) {
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [key: stores])
  }

  /// Posts that a store took the place of another.
  func postReplaced(_ old: NSPersistentStore, by new: NSPersistentStore) {
    postAdded(new)
    post([old], as: NSRemovedPersistentStoresKey)
  }

  /// Posts that a store has another UUID.
  /// - Parameter ids: the IDs of its objects before and after, alternating.
  func postNewIdentifier(of old: NSPersistentStore, now new: NSPersistentStore, _ ids: NSArray = []) {
    post([old, new, ids], as: NSUUIDChangedPersistentStoresKey)
  }

  private func nextNumber() throws -> Int {
    try state.withLock { state in
      guard state.lastNumber < Self.maximumStores else { throw tooManyStores }
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// The store number in a row ID has no room for more.
  private static let maximumStores = 255

  private var tooManyStores: CocoaError {
    CocoaError.coreData(.open, "A coordinator takes \(Self.maximumStores) stores in its life; use a new one.")
  }

  /// A number for a program's own store; it counts like all others.
  func allocateNumber() -> Int {
    do { return try nextNumber() } catch { fatalError("\(error)") }
  }

  /// Closes a store. Its objects are removed from their contexts, which report them under `NSInvalidatedObjectsKey`.
  ///
  /// ```swift
  /// if let store = coordinator.persistentStore(for: url) {
  ///   try coordinator.remove(store)  // Its file stays.
  /// }
  /// ```
  /// - Throws: `CocoaError` 134080 if the store is not in this coordinator.
  public func remove(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CocoaError.coreData(.open, "The store at \(store.url?.shown ?? "") does not belong to this coordinator.")
    }
    NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    store.willRemove(from: self)
    state.withLock { $0.stores.removeAll { $0 === store } }
    for context in contextList.contexts { context.invalidateObjects(of: store.storeIdentity) }
    store.stopListening()
    store.backEnd.close()
    post([store], as: NSRemovedPersistentStoresKey)
  }
}
