import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

extension NSPersistentStoreCoordinator {
  /// Copies a store to another URL or into another type, adds the copy to the coordinator and removes the original from
  /// it.
  ///
  /// The original file remains. The copy has a new UUID, so its objects have other IDs, and objects of the original are
  /// removed from their contexts.
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
    let isCopied = try storeErrors {
      try store.type == storeType.rawValue
        && store.backEnd.copy(to: storeURL, identifier: UUID().uuidString, timeout: StoreOptions(options).timeout)
    }
    if !isCopied { try storeErrors { try store.backEnd.checkExternalData() } }
    let configuration =
      store.configurationName == NSManagedObjectModel.defaultConfigurationName ? nil : store.configurationName
    let copy = try addPersistentStore(
      type: storeType, configuration: configuration, at: storeURL, options: options)
    if !isCopied { try fill(copy, from: store) }
    try remove(store)
    tellNewIdentifier(of: store, now: copy)
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

  /// Replaces what the program added to the metadata of a store. The next save to the store writes it. What identifies
  /// the model of the rows is kept.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }
}
