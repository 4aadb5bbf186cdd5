import Foundation
import StrataDiagnostics
import StrataManagedModel
import StrataModelFiles
import StrataSQLStore

/// Where the store of a container lies.
extension NSPersistentContainer {
  /// The file for a container's store in the folder that its class answers.
  ///
  /// Before programs had folders of their own, the stores of all of them lay in `$XDG_DATA_HOME` side by side, and two
  /// containers of one name shared a file. A store that lies there stays there, for a program that knows its model: so
  /// that processes of one program that start at the same time agree, and so that nothing is moved which another has
  /// open. Anybody else's is left alone.
  static func storeURL(named name: String, model: NSManagedObjectModel, in folder: URL) -> URL {
    let url = folder.appendingPathComponent("\(name).sqlite")
    guard folder.path == DataFolder.ofProgram(), access(url.path, F_OK) != 0 else { return url }
    let old = folder.deletingLastPathComponent().appendingPathComponent("\(name).sqlite")
    guard access(old.path, F_OK) == 0 else { return url }
    do {
      let metadata: [String: any Sendable] = try SQLStore.metadata(at: old)
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
  /// Whether a store was written with this model or with another version of it that the program has.
  fileprivate func knows(_ metadata: [String: any Sendable]) -> Bool {
    let names = [nil] + configurations
    if names.contains(where: { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }) { return true }
    guard let version = NSManagedObjectModel.mergedModel(from: Bundle.ofTheProgram, forStoreMetadata: metadata) else {
      return false
    }
    return ModelDifference(comparing: version.entities, to: entities).carriesOver
  }
}
