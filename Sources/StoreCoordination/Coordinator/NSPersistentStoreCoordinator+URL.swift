import Foundation
import StrataCoreDataErrors
import StrataDiagnostics
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

extension NSPersistentStoreCoordinator {
  /// Has an open store go on at another place, where it must be already if it is in SQLite: a file that was moved, or a
  /// copy with the same UUID. Objects keep their ids; contexts that merge by themselves read anew what they have.
  ///
  /// A store in memory only takes the name. An atomic store of the program's is written there by the next save; what an
  /// incremental one does is its class's own matter, which hears of it by `url`. A `HistoryFollower` stays with the old
  /// place, where it throws error 134080 when it reads: end it, and make another.
  /// - Returns: whether it does; otherwise the store stays where it was, and the standard error says why.
  /// See https://developer.apple.com/documentation/coredata/nspersistentstorecoordinator/seturl(_:for:)
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    guard persistentStores.contains(where: { $0 === store }) else { return false }
    guard store.backEnd is SQLStore else {
      store.url = url
      return true
    }
    do {
      store.move(to: try opened(store, at: url), in: self)
    } catch {
      Diagnostics.warn(
        "the store at '\(store.url?.path ?? "")' stays there, '\(url.path)' cannot take its place: \(error)")
      return false
    }
    deliverUnknown()
    return true
  }

  /// Opens the file that a store is to go on with.
  private func opened(_ store: NSPersistentStore, at url: URL) throws -> OpenedStore {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw CocoaError.coreData(.open, "There is no file, and none is made.")
    }
    var options = StoreOptions(store.options)
    options.migratesAutomatically = false
    options.infersMapping = false
    let configuration =
      store.configurationName == NSManagedObjectModel.defaultConfigurationName ? nil : store.configurationName
    let opened = try OpenedStore(
      type: store.type, configuration: configuration, url: url, options: options, model: managedObjectModel,
      number: store.backEnd.number)
    guard opened.backEnd.identifier == store.identifier else {
      opened.backEnd.close()
      throw CocoaError.coreData(
        .open, "It is another store: its UUID is \(opened.backEnd.identifier), not \(store.identifier ?? "").")
    }
    return opened
  }
}
