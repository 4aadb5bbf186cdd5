import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

extension NSPersistentStoreCoordinator {
  /// Copies a store to another URL or into another type, adds the copy to the coordinator and removes the original from
  /// it.
  ///
  /// The original file remains. The copy has a new UUID, so its objects have other IDs. If both are SQLite stores in
  /// files, objects stay in their contexts, with their unsaved changes, and belong to the copy. Otherwise rows get new
  /// keys, and objects of the original are removed from their contexts.
  ///
  /// ```swift
  /// // To move the store. For a backup, use replacePersistentStore.
  /// let copy = try coordinator.migratePersistentStore(
  ///   store, to: newURL, type: .sqlite)
  /// print(copy.identifier != store.identifier)  // true: object IDs change too.
  /// try coordinator.destroyPersistentStore(at: oldURL, type: .sqlite)
  /// ```
  /// - Parameters:
  ///   - store: the store to copy.
  ///   - storeURL: where the copy goes.
  ///   - options: the options of the copy; nil for those that the original was opened with, such as history tracking,
  ///     except that the copy can be written. The history is copied: with options that do not ask for it, the copy is
  ///     read-only, as on Apple's platforms.
  ///   - storeType: the type of the copy.
  /// - Returns: the copy.
  /// - Throws: the errors of `addPersistentStore(type:configuration:at:options:)` and of a save. The original is then
  ///   still in the coordinator.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CocoaError.coreData(.open, "The store at \(store.url?.shown ?? "") does not belong to this coordinator.")
    }
    let options = options ?? store.optionsOfACopy
    let isCopied = try storeErrors {
      try store.type == storeType.rawValue
        && store.backEnd.copy(to: storeURL, identifier: UUID().uuidString, timeout: StoreOptions(options).timeout)
    }
    let configuration =
      store.configurationName == NSManagedObjectModel.defaultConfigurationName ? nil : store.configurationName
    if isCopied {
      let copy = try replace(store, configuration: configuration, at: storeURL, options: options)
      postNewIdentifier(of: store, now: copy, MigratedObjectIDs(of: copy, copiedFrom: store, managedObjectModel))
      return copy
    }
    try storeErrors { try store.backEnd.checkExternalData() }
    let copy = try addPersistentStore(type: storeType, configuration: configuration, at: storeURL, options: options)
    let ids = try fill(copy, from: store)
    try remove(store)
    postNewIdentifier(of: store, now: copy, NSArray(array: ids))
    return copy
  }

  /// Copies a store to another URL or into another type.
  /// - Throws: the errors of `migratePersistentStore(_:to:options:type:)`.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: URL, options: options, type: .init(rawValue: storeType))
  }

  /// Replaces a store by a copy with the same keys: under the store's number, the IDs that objects have lead to the copy.
  private func replace(
    _ store: NSPersistentStore, configuration: String?, at url: URL, options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    let opened = try open(
      OpenRequest(
        type: store.type, url: url, configuration: configuration, model: managedObjectModel,
        number: store.storeIdentity.number, options: StoreOptions(options)))
    let copy = NSPersistentStore(
      _parts: _StoreParts(opened, in: self, configuration: configuration, options: options))
    NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    state.withLock { state in state.stores = state.stores.map { $0 === store ? copy : $0 } }
    for context in contextList.contexts { context.leaveSnapshots() }
    copy.startListening(for: self)
    store.stopListening()
    store.backEnd.close()
    postReplaced(store, by: copy)
    return copy
  }

  /// - Returns: the IDs of the objects in the original and in the copy, alternating.
  private func fill(_ copy: NSPersistentStore, from store: NSPersistentStore) throws -> [NSManagedObjectID] {
    do {
      var work = StoreCopy(from: store, to: copy, in: self)
      let context = work.context
      return try context.performAndWait { try work.run() }
    } catch {
      try remove(copy)
      throw error
    }
  }

  /// Replaces what the program added to the metadata of a store. The next save to the store writes it. What identifies
  /// the model of the rows is kept.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }
}

extension NSPersistentStore {
  /// The options that a copy is opened with if the program gives none: a copy that could not be written, or whose history
  /// ended, would be of no use.
  fileprivate var optionsOfACopy: [AnyHashable: Any]? {
    var options = options
    options?[NSReadOnlyPersistentStoreOption] = nil
    return options
  }
}
