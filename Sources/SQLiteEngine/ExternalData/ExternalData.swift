import Foundation
import StrataRowStore
import StrataSupport

/// Data that may be stored in a file next to the store.
package enum ExternalData {
  /// The state of an external data file. Small values are stored inline, so an empty file is damaged.
  package enum FileState { case whole, missing, empty, unreadable }

  package static func state(of name: String, of path: String) -> FileState {
    do {
      guard let folder = try SupportFolder.open(ofStore: path), let found = try folder.status(of: name) else {
        return .missing
      }
      guard FileKind.other(found) == nil, folder.mayRead(name) else { return .unreadable }
      return found.st_size > 0 ? .whole : .empty
    } catch {
      return .unreadable
    }
  }

  /// The file name in a column value; nil if it has no file name. A name with a path component is rejected, so that a
  /// damaged value cannot lead outside the folder.
  static func name(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.first == 2 else { return nil }
    // Bytes: a slash with a combining mark is another Character than a slash.
    let name = bytes.dropFirst().prefix { $0 != 0 }
    guard let first = name.first, first != UInt8(ascii: "."), !name.contains(UInt8(ascii: "/")) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// Leaves a marker saying that the folder may contain unreferenced files of a store that is about to be migrated,
  /// replaced or emptied; the next opener deletes them.
  package static func markUnfinished(of path: String) throws {
    do { try folder(of: path)?.mark(.wholeStore) } catch {
      throw StoreError(
        .io, "Cannot write the store '\(path)': its files with large values cannot be marked as unfinished. \(error).",
        cause: error)
    }
  }

  /// A store's open folder; nil, after a warning, if its files cannot be the store's.
  static func folder(of path: String) -> SupportFolder? {
    do { return try SupportFolder.open(ofStore: path) } catch {
      Diagnostics.warnOnce("the files with large values of the store '\(path)' are left as they are. \(error)")
      return nil
    }
  }

  /// The contents of the folder of a store's external data files.
  /// - Throws: if the folder cannot be listed.
  package static func names(of path: String) throws -> Set<String> {
    try Set(SupportFolder.open(ofStore: path)?.names() ?? [])
  }

  /// The sizes in bytes of a store's external data files.
  package static func sizes(of path: String) -> [Int] {
    guard let folder = try? SupportFolder.open(ofStore: path), let files = try? folder.dataFiles() else { return [] }
    return files.sorted().compactMap { name in (try? folder.status(of: name)).map { Int($0.st_size) } }
  }

  /// Whether another store may have its data files in the same folder: one in whose name only the ending differs.
  package static func isShared(_ path: String) -> Bool {
    let url = URL(fileURLWithPath: path)
    let (own, stem) = (url.lastPathComponent, url.deletingPathExtension().lastPathComponent)
    let folder = url.deletingLastPathComponent()
    // In a folder that cannot be listed, there may be one.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return true }
    return names.contains { name in
      let other = folder.appendingPathComponent(name)
      return name != own && !name.hasPrefix(own + "-") && other.deletingPathExtension().lastPathComponent == stem
        && FileKind.other(at: other.path) == nil
    }
  }

  /// Deletes the external data files of a store that has no rows any more, and its folder.
  /// - Parameter names: the files that its rows referred to; nil for all files in the folder.
  package static func destroy(of path: String, names: Set<String>? = nil) {
    // Without a list of them, the files are left for the next opener, as the marker says.
    guard let folder = folder(of: path), let all = try? names ?? Set(folder.dataFiles()) else { return }
    for name in all { _ = folder.remove(name) }
    folder.unmark()
    folder.removeIfEmpty()
  }

  /// Copies one store's external data files next to another store. The names are unique, so no file is overwritten.
  package static func copy(from path: String, to other: String) throws {
    do {
      guard let source = try SupportFolder.open(ofStore: path) else { return }
      let names = try source.dataFiles()
      guard !names.isEmpty else { return }
      guard SupportFolder.path(ofStore: other) != source.path else {
        throw StoreError(
          .unsupported,
          "Cannot copy the store '\(path)' to '\(other)': both would have their large values in '\(source.path)', where "
            + "each deletes those of the other. Give the copy a name that differs in more than its ending.")
      }
      guard let target = try SupportFolder.open(ofStore: other, creates: true) else { return }
      for name in names { try target.copy(name, from: source) }
      try target.sync()
    } catch let failure as SupportFolder.Failure {
      throw StoreError(
        .io,
        "Cannot copy the external data files of the store '\(path)' to '\(SupportFolder.path(ofStore: other))'. "
          + "\(failure).", cause: failure)
    }
  }
}
