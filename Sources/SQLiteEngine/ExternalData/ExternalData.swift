import Foundation
import Glibc
import StrataDiagnostics
import StrataManagedModel
import StrataRowStore

/// Data that may lie in a file beside the store.
package enum ExternalData {
  /// Lends the data that a column stands for. 1: the data follow. 2: the name of a file with the data follows, and a zero.
  /// - Parameter path: the store's file.
  /// - Returns: false, with a warning, if the file cannot be read: the rest of the row can.
  /// - Throws: what will pass, such as too many open files.
  static func read(
    _ bytes: UnsafeRawBufferPointer, of path: String, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws -> Bool {
    guard bytes.first == 2 else {
      body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
      return true
    }
    guard let name = name(bytes) else {
      // Once: a row may be read many times.
      Diagnostics.warnOnce(
        "a row of the store '\(path)' refers to a file with data, and names none; its value is read as nil")
      return false
    }
    let file = folder(of: path).appendingPathComponent(name)
    do {
      let data = try Data(contentsOf: file)
      data.withUnsafeBytes { body($0) }
      return true
    } catch {
      if willPass(error) {
        throw StoreError(.io, "Cannot read the file '\(file.path)' with data of the store '\(path)'.", cause: error)
      }
      Diagnostics.warnOnce(
        "the file '\(file.path)' with data of the store '\(path)' cannot be read, and the value is read as nil "
          + "(\(reason(error))); restore the file from a copy")
      return false
    }
  }

  private static func code(_ error: any Error) -> POSIXErrorCode? {
    let cause = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? any Error
    return (error as? POSIXError)?.code ?? (cause as? POSIXError)?.code
  }

  private static func willPass(_ error: any Error) -> Bool {
    code(error).map { [.EMFILE, .ENFILE, .ENOMEM, .EINTR, .EAGAIN].contains($0) } ?? false
  }

  private static func reason(_ error: any Error) -> String {
    code(error).map { String(cString: strerror($0.rawValue)) } ?? error.localizedDescription
  }

  /// How a file is that a row's data lie in. Few data lie in none: an empty one is damaged.
  package enum FileState { case whole, missing, empty, unreadable }

  package static func state(of name: String, of path: String) -> FileState {
    let file = folder(of: path).appendingPathComponent(name).path
    var found = stat()
    guard stat(file, &found) == 0 else { return errno == ENOENT ? .missing : .unreadable }
    guard found.st_mode & S_IFMT == S_IFREG, access(file, R_OK) == 0 else { return .unreadable }
    return found.st_size > 0 ? .whole : .empty
  }

  /// The name of the file that a column's value stands for; nil if it stands for none. It is one name: a damaged value
  /// leads to no other folder.
  static func name(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.first == 2 else { return nil }
    let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    return name.isEmpty || name.contains("/") || name.hasPrefix(".") ? nil : name
  }

  /// Leaves a mark that files may be there which no row refers to: who opens the store next removes them.
  package static func markUnfinished(of path: String) throws {
    let files = ExternalFiles(of: path)
    guard access(files.folder.path, F_OK) == 0 else { return }
    try files.markUnfinished()
  }

  /// The names of a store's files.
  package static func names(of path: String) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder(of: path).path)) ?? [])
  }

  /// The bytes of each of a store's files.
  package static func sizes(of path: String) -> [Int] {
    let folder = folder(of: path)
    return names(of: path).sorted().compactMap { name in
      let file = folder.appendingPathComponent(name).path
      return (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)?.intValue
    }
  }

  /// Removes the files of a store without rows.
  package static func destroy(of path: String) {
    try? FileManager.default.removeItem(at: folder(of: path).deletingLastPathComponent())
  }

  /// Where the files of a store lie.
  static func folder(of path: String) -> URL {
    let url = URL(fileURLWithPath: path)
    let folder = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
    return url.deletingLastPathComponent().appendingPathComponent(folder, isDirectory: true)
  }

  /// Puts the files of one store beside another's; their names are unique, so that none is replaced.
  package static func copy(from path: String, to other: String) throws {
    let (source, target) = (folder(of: path), folder(of: other))
    let manager = FileManager.default
    guard source != target, let names = try? manager.contentsOfDirectory(atPath: source.path) else { return }
    do {
      try manager.createDirectory(at: target, withIntermediateDirectories: true)
      for name in names where !manager.fileExists(atPath: target.appendingPathComponent(name).path) {
        try manager.copyItem(at: source.appendingPathComponent(name), to: target.appendingPathComponent(name))
      }
    } catch {
      throw StoreError(
        .io, "Cannot copy the files with data of the store '\(path)' to '\(target.path)'. \(error)", cause: error)
    }
  }
}
