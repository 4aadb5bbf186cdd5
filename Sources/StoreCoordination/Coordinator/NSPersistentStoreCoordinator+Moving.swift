import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

extension NSPersistentStoreCoordinator {
  /// Copies a store to another place or into another type, takes the copy into the coordinator and the original out of
  /// it. The original stays where it is. The copy has a UUID of its own, so objects have other ids there, and objects of
  /// the original leave their contexts.
  /// - Throws: what `addPersistentStore(type:configuration:at:options:)` and a save throw; the original is then still in
  ///   the coordinator.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CocoaError.coreData(.open, "The store at \(store.url?.path ?? "") does not belong to this coordinator.")
    }
    let isKnown = StoreClasses.named(storeType.rawValue) != nil
    let isFile = try !isKnown && Self.isFile(storeType.rawValue, storeURL)
    // What is copied page by page has a place before it is opened.
    let isCopied = isFile && store.type == NSSQLiteStoreType && !SQLStore.isInMemory(storeURL)
    if !isCopied { try storeErrors { try (store.backEnd as? SQLStore)?.checkFilesOfData() } }
    if isCopied, let original = store.backEnd as? SQLStore {
      try storeErrors {
        try SQLStore.replace(
          at: storeURL, with: URL(fileURLWithPath: original.path), identifier: UUID().uuidString,
          timeout: Self.busyTimeout(options))
      }
    }
    let configuration =
      store.configurationName == NSManagedObjectModel.defaultConfigurationName ? nil : store.configurationName
    let copy = try addPersistentStore(
      type: storeType, configuration: configuration, at: storeURL, options: options)
    if !isCopied { try fill(copy, from: store) }
    try remove(store)
    tellNewIdentifier(of: store, now: copy)
    return copy
  }

  /// Copies a store to another place or into another type.
  /// - Throws: what `migratePersistentStore(_:to:options:type:)` throws.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: URL, options: options, type: .init(rawValue: storeType))
  }

  private func fill(_ copy: NSPersistentStore, from store: NSPersistentStore) throws {
    do {
      var work = StoreCopy(from: store, to: copy, in: self)
      let context = work.context
      try context.performAndWait { try work.run() }
    } catch {
      try remove(copy)
      throw error
    }
  }

  /// Replaces what a program added to the metadata of a store; the next save to the store writes it. What says which
  /// model the rows are in stays as it is.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }
}
