import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSupport

extension NSPersistentStoreCoordinator {
  /// Makes an open store continue at another URL. A SQLite store must already be there: a moved file, or a copy with
  /// the same UUID.
  ///
  /// Objects keep their IDs. Contexts that merge automatically refresh their objects. An in-memory store only takes the
  /// name, an atomic store of the program's is written there by the next save, and an incremental store handles it
  /// itself, through `url`. A `HistoryFollower` keeps reading the old URL, where it throws error 134080: end it and
  /// create another.
  /// - Returns: whether the store continues there. If not, it stays where it was, and the reason is written to standard
  ///   error.
  ///
  /// See <https://developer.apple.com/documentation/coredata/nspersistentstorecoordinator/seturl(_:for:)>
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    guard persistentStores.contains(where: { $0 === store }) else { return false }
    guard store.backEnd.isBoundToURL else {
      store.url = url
      return true
    }
    do {
      store.move(to: try opened(store, at: url), in: self)
    } catch {
      Diagnostics.warn(
        "the store at '\(store.url?.shown ?? "")' stays there, '\(url.shown)' cannot take its place: \(error)")
      return false
    }
    _ = deliverUnknown()
    return true
  }

  /// Opens the place where a store is to continue.
  private func opened(_ store: NSPersistentStore, at url: URL) throws -> OpenedStore {
    guard try StoreDrivers.driver(ofType: store.type).exists(at: url) else {
      throw CocoaError.coreData(.open, "The store does not exist, and this operation does not create one.")
    }
    var options = StoreOptions(store.options)
    options.migratesAutomatically = false
    options.infersMapping = false
    let configuration =
      store.configurationName == NSManagedObjectModel.defaultConfigurationName ? nil : store.configurationName
    let opened = try OpenedStore(
      OpenRequest(
        type: store.type, url: url, configuration: configuration, model: managedObjectModel,
        number: store.backEnd.number, options: options))
    guard opened.backEnd.identifier == store.identifier else {
      opened.backEnd.close()
      throw CocoaError.coreData(
        .open, "It is another store: its UUID is \(opened.backEnd.identifier), not \(store.identifier ?? "").")
    }
    return opened
  }
}
