import Foundation
import Glibc
import StrataManagedModel
import StrataRowStore
import StrataSupport
import Synchronization

/// The file of an atomic store: read once, and replaced as a whole by writing a temporary file, syncing and renaming
/// it.
///
/// Changes by other processes are not detected: the last save wins, as with Apple's atomic stores.
package final class StoreFile: Sendable {
  let format: any StoreFormat.Type
  let isReadOnly: Bool
  private let location: Mutex<URL>

  private static let formats: [any StoreFormat.Type] = [XMLFormat.self, BinaryFormat.self]

  /// - Throws: `.unsupported` for another type, `.notOpen` for a URL that is not a file URL.
  package init(type: String, at url: URL, isReadOnly: Bool = false) throws {
    guard let format = Self.formats.first(where: { $0.type == type }) else {
      throw StoreError(.unsupported, "A store of the type '\(type)' is not written as a whole file.")
    }
    (self.format, self.isReadOnly) = (format, isReadOnly)
    location = Mutex(url)
    guard url.isFileURL else {
      throw StoreError(
        .notOpen, "A store of the type '\(type)' needs the URL of a file; this one has \(url.shownURL).")
    }
    if let kind = FileKind.other(at: url.path) {
      throw StoreError(
        .notOpen,
        "Cannot open the store '\(url.path)': it is \(kind), not a file. Move it away, or open another store.")
    }
  }

  /// The file that the next write replaces.
  package var url: URL {
    get { location.withLock { $0 } }
    set { location.withLock { $0 = newValue } }
  }

  /// The path with symbolic links resolved.
  private var path: String { url.resolvingSymlinksInPath().path }

  // MARK: Without a model

  /// The store's metadata, including its UUID and type. Works without its model.
  package func metadata() throws -> [String: any Sendable] {
    guard let document = try read() else { throw missing }
    return Self.metadata(of: document, format)
  }

  static func metadata(of document: StoreDocument, _ format: any StoreFormat.Type) -> [String: any Sendable] {
    var metadata = document.metadata
    metadata["NSStoreUUID"] = document.identifier
    metadata["NSStoreType"] = format.type
    return metadata
  }

  /// Replaces the metadata that a program added. The keys that identify the model stay; a UUID becomes the store's.
  package func setMetadata(_ metadata: [String: any Sendable]) throws {
    guard var document = try read() else { throw missing }
    let own = document.metadata.filter { MemoryStore.modelKeys.contains($0.key) }
    document.metadata = metadata.filter { $0.key != "NSStoreUUID" && $0.key != "NSStoreType" }
      .merging(own) { _, own in own }
    if let identifier = metadata["NSStoreUUID"] as? String { document.identifier = identifier }
    try write(document)
  }

  /// Deletes the file; a missing one is not an error.
  package func destroy() throws {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw failure("remove")
  }

  /// Replaces the file with a copy of another.
  package func copy(_ other: StoreFile) throws {
    guard let document = try other.read() else { throw other.missing }
    try write(document)
  }

  // MARK: Bytes

  private var missing: StoreError {
    StoreError(
      .notOpen, "Cannot open the store '\(url.path)': the file does not exist; open it for writing once to create it.")
  }

  /// The file's contents; nil if it is missing or empty and not read-only.
  func read() throws -> StoreDocument? {
    let bytes: [UInt8]
    do { bytes = Array(try FileContents.read(path)) } catch {
      guard error.code == ENOENT else {
        throw StoreError(
          error.code == EACCES ? .permission : .io,
          "Cannot open the store '\(url.path)': it cannot be read: \(error).", cause: error)
      }
      if isReadOnly { throw missing }
      return nil
    }
    guard !bytes.isEmpty else { return nil }
    var document = try format.document(bytes, file: url.path)
    if document.identifier.isEmpty { document.identifier = UUID().uuidString }
    guard URL(string: "x-coredata://\(document.identifier)/Entity/p1") != nil else {
      throw StoreError(.corrupt, "Cannot open the store '\(url.path)': its UUID cannot be part of a URI.")
    }
    return document
  }

  /// Writes the file durably. If it throws, the file is unchanged.
  func write(_ document: StoreDocument) throws {
    let bytes = try format.bytes(of: document)
    let path = path
    let new = "\(path).\(UUID().uuidString)"
    var old = stat()
    let mode = stat(path, &old) == 0 ? old.st_mode & 0o777 : 0o666
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else { throw failure("write") }
    let isWritten = Self.write(bytes, to: file) && fsync(file) == 0
    let error = isWritten ? nil : failure("write")
    StorePermissions.copy(ofStore: path, to: file)
    close(file)
    if let error {
      unlink(new)
      throw error
    }
    guard rename(new, path) == 0 else {
      let error = failure("write")
      unlink(new)
      throw error
    }
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = Glibc.write(file, start, rest.count)
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private func failure(_ what: String) -> StoreError {
    let code = errno
    let kind: StoreError.Code =
      switch code {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS: .permission
      case ENOENT, ENOTDIR: .notOpen
      default: .io
      }
    return StoreError(
      kind, "Cannot \(what) the store '\(url.path)': \(String(cString: strerror(code))). The file is as it was.")
  }
}
