import Foundation
import StrataManagedModel
import StrataSupport

/// Where the store of a container lies.
extension NSPersistentContainer {
  /// The file for a container's store in the folder that its class returns.
  ///
  /// Before programs had folders of their own, all stores lay side by side in `$XDG_DATA_HOME`, and containers of the
  /// same name shared a file. If such a file exists and the program knows its model, it is used where it is, so that
  /// processes starting at the same time agree and nothing is moved that another has open. Another program's file is
  /// left alone.
  static func storeURL(named name: String, model: NSManagedObjectModel, in folder: URL) -> URL {
    let url = folder.appendingPathComponent("\(name).sqlite")
    guard folder.path == DataFolder.ofProgram(), access(url.path, F_OK) != 0 else { return url }
    let old = folder.deletingLastPathComponent().appendingPathComponent("\(name).sqlite")
    guard access(old.path, F_OK) == 0 else { return url }
    do {
      let metadata = try StoreDrivers.driver(ofType: NSSQLiteStoreType).metadata(at: old)
      if model.knows(metadata) { return old }
      Diagnostics.warn(
        "the store '\(old.path)' has another model than this program's \(name) and is left alone; '\(url.path)' is used. "
          + "If the store is this program's, move its files there")
    } catch {
      Diagnostics.warn("'\(old.path)' cannot be read and is left alone; '\(url.path)' is used: \(error)")
    }
    return url
  }
}

extension NSManagedObjectModel {
  /// Whether a store was written with this model or another version of it that the program has.
  fileprivate func knows(_ metadata: [String: any Sendable]) -> Bool {
    let names = [nil] + configurations
    if names.contains(where: { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }) { return true }
    guard let version = NSManagedObjectModel.mergedModel(from: Bundle.ofTheProgram, forStoreMetadata: metadata) else {
      return false
    }
    return ModelDifference(comparing: version.entities, to: entities).carriesOver
  }
}
