import Foundation
import Glibc
import StrataDiagnostics
import StrataFiles
import StrataManagedModel
import StrataRowStore

/// Data that may be stored in a file beside the store.
package enum ExternalData {
  /// The state of an external data file. Small values are stored inline, so an empty file is damaged.
  package enum FileState { case whole, missing, empty, unreadable }

  package static func state(of name: String, of path: String) -> FileState {
    let file = folder(of: path).appendingPathComponent(name).path
    var found = stat()
    guard lstat(file, &found) == 0 else { return errno == ENOENT ? .missing : .unreadable }
    guard found.st_mode & S_IFMT == S_IFREG, access(file, R_OK) == 0 else { return .unreadable }
    return found.st_size > 0 ? .whole : .empty
  }

  /// The file name in a column value; nil if it has none. A name with a path component is rejected, so that a damaged
  /// value cannot lead outside the folder.
  static func name(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.first == 2 else { return nil }
    // Bytes: as a Character, a slash with a combining mark is no slash.
    let name = bytes.dropFirst().prefix { $0 != 0 }
    guard let first = name.first, first != UInt8(ascii: "."), !name.contains(UInt8(ascii: "/")) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// Leaves a marker saying that the folder may contain unreferenced files; the next opener deletes them.
  package static func markUnfinished(of path: String) throws {
    let files = ExternalFiles(of: path)
    guard access(files.folder.path, F_OK) == 0 else { return }
    try files.markUnfinished()
  }

  /// The names of a store's external data files.
  package static func names(of path: String) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder(of: path).path)) ?? [])
  }

  /// The sizes in bytes of a store's external data files.
  package static func sizes(of path: String) -> [Int] {
    let folder = folder(of: path)
    return names(of: path).sorted().compactMap { name in
      let file = folder.appendingPathComponent(name).path
      return (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)?.intValue
    }
  }

  /// Deletes the external data files of a store that has no rows.
  package static func destroy(of path: String) {
    try? FileManager.default.removeItem(at: folder(of: path).deletingLastPathComponent())
  }

  /// The folder of a store's external data files.
  static func folder(of path: String) -> URL {
    let url = URL(fileURLWithPath: path)
    let folder = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
    return url.deletingLastPathComponent().appendingPathComponent(folder, isDirectory: true)
  }

  /// Copies one store's external data files beside another store. The names are unique, so none is overwritten.
  package static func copy(from path: String, to other: String) throws {
    let (source, target) = (folder(of: path), folder(of: other))
    let manager = FileManager.default
    guard source != target, let names = try? manager.contentsOfDirectory(atPath: source.path) else { return }
    do {
      try ExternalFiles(of: other).createFolder()
      for name in names where !manager.fileExists(atPath: target.appendingPathComponent(name).path) {
        try manager.copyItem(at: source.appendingPathComponent(name), to: target.appendingPathComponent(name))
      }
    } catch {
      throw StoreError(
        .io, "Cannot copy the external data files of the store '\(path)' to '\(target.path)'. \(error)", cause: error)
    }
  }
}
