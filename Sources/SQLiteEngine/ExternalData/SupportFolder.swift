import Foundation
import StrataSupport

/// The open folder of a store's external data files: `_EXTERNAL_DATA` in `.<store>_SUPPORT`.
///
/// Data files are read, written and deleted only through its descriptors. Neither folder is opened through a symbolic
/// link, both must belong to a user who may write the store, and a file's name is a single path component. So nothing
/// outside the two folders is ever touched, regardless of who created them.
final class SupportFolder {
  /// The reason a folder, or a file in it, cannot be used.
  struct Failure: Error, CustomStringConvertible {
    /// The `errno`; `ENOTDIR` for a link in the place of a folder, `EPERM` for a folder of another user.
    let code: Int32
    let path: String
    let reason: String

    init(_ code: Int32, _ path: String, _ reason: String? = nil) {
      (self.code, self.path, self.reason) = (code, path, reason ?? String(cString: strerror(code)))
    }

    var description: String { "'\(path)': \(reason)" }
    var isTransient: Bool { [EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN].contains(code) }
  }

  /// The path of the data files' folder, for messages.
  let path: String
  private let store: String
  private let outer: Int32
  private let inner: Int32

  /// The path of a store's folder of data files.
  static func path(ofStore store: String) -> String { "\(outerPath(ofStore: store))/\(innerName)" }

  private static let innerName = "_EXTERNAL_DATA"

  private static func outerPath(ofStore store: String) -> String {
    let url = URL(fileURLWithPath: store)
    let name = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
    return url.deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Opens the folder of a store.
  /// - Parameter creates: whether to create missing folders, with the store's owner and permissions.
  /// - Returns: nil if the folder does not exist.
  static func open(ofStore store: String, creates: Bool = false) throws(Failure) -> SupportFolder? {
    let path = outerPath(ofStore: store)
    guard let outer = try folder(path, in: AT_FDCWD, shown: path, store, creates: creates) else { return nil }
    do throws(Failure) {
      if let inner = try folder(innerName, in: outer, shown: "\(path)/\(innerName)", store, creates: creates) {
        return SupportFolder(store, path: "\(path)/\(innerName)", outer: outer, inner: inner)
      }
    } catch {
      close(outer)
      throw error
    }
    close(outer)
    return nil
  }

  private init(_ store: String, path: String, outer: Int32, inner: Int32) {
    (self.store, self.path, self.outer, self.inner) = (store, path, outer, inner)
  }

  deinit {
    close(inner)
    close(outer)
  }

  private static func folder(
    _ name: String, in parent: Int32, shown path: String, _ store: String, creates: Bool
  ) throws(Failure) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var descriptor = openat(parent, name, flags)
    if descriptor < 0, errno == ENOENT {
      guard creates else { return nil }
      let isNew = mkdirat(parent, name, 0o700) == 0
      guard isNew || errno == EEXIST else { throw Failure(errno, path) }
      descriptor = openat(parent, name, flags)
      if isNew, descriptor >= 0 { StorePermissions.copy(ofStore: store, toFolder: descriptor) }
    }
    guard descriptor >= 0 else { throw refusal(errno, name, in: parent, path) }
    var found = stat()
    guard fstat(descriptor, &found) == 0 else {
      let code = errno
      close(descriptor)
      throw Failure(code, path)
    }
    if StorePermissions.mayWrite(store: store, ownerOf: found) { return descriptor }
    close(descriptor)
    throw Failure(
      EPERM, path,
      "it belongs to user \(found.st_uid), who may not write the store; change its owner to that of the store")
  }

  private static func refusal(_ code: Int32, _ name: String, in parent: Int32, _ path: String) -> Failure {
    var found = stat()
    guard code == ENOTDIR || code == ELOOP, fstatat(parent, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
      return Failure(code, path)
    }
    return Failure(
      ENOTDIR, path, "it is \(FileKind.other(found) ?? "a file"), not a folder; put the folder itself in its place")
  }

  // MARK: Data files

  /// Whether this framework or Apple's can have created a data file of this name: the text of a UUID.
  static func isDataFile(_ name: String) -> Bool {
    name.utf8.count == 36
      && name.utf8.enumerated().allSatisfy { place, byte in
        switch place {
        case 8, 13, 18, 23: byte == UInt8(ascii: "-")
        default: UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte
        }
      }
  }

  /// Whether a name leads to a file in the folder and nowhere else.
  private static func isComponent(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  /// Returns the names of everything in the folder.
  func names() throws(Failure) -> [String] {
    // A descriptor of its own, because reading moves the position that all duplicates share.
    let descriptor = openat(inner, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(errno, path) }
    guard let listing = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw Failure(code, path)
    }
    defer { closedir(listing) }
    var names: [String] = []
    while true {
      // The only difference between the end and an error.
      errno = 0
      guard let entry = readdir(listing) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw Failure(errno, path) }
    return names
  }

  /// Returns the names of the data files.
  func dataFiles() throws(Failure) -> [String] { try names().filter(Self.isDataFile) }

  /// A file's status, that of a link itself; nil if the file is missing.
  /// - Throws: if the system does not tell.
  func status(of name: String) throws(Failure) -> stat? {
    guard Self.isComponent(name) else { return nil }
    var found = stat()
    if fstatat(inner, name, &found, AT_SYMLINK_NOFOLLOW) == 0 { return found }
    guard errno == ENOENT else { throw Failure(errno, "\(path)/\(name)") }
    return nil
  }

  func mayRead(_ name: String) -> Bool { Self.isComponent(name) && faccessat(inner, name, R_OK, 0) == 0 }

  /// Reads a file that is not a symbolic link.
  func read(_ name: String) throws(FileContents.Failure) -> Data {
    try FileContents.read(Self.isComponent(name) ? name : "", in: inner)
  }

  /// Writes and syncs a new file, so that a commit may refer to it as soon as this returns.
  func create(_ name: String, _ bytes: UnsafeRawBufferPointer) throws(Failure) {
    let file = try newFile(name)
    defer { close(file) }
    try write(bytes, to: file, name)
    guard fsync(file) == 0 else { throw failure(name) }
  }

  /// Copies and syncs a data file of another store, unless it is missing or not a file, or exists here already. A file that
  /// an interrupted copy left incomplete is replaced.
  func copy(_ name: String, from other: SupportFolder) throws(Failure) {
    guard Self.isDataFile(name) else { return }
    let source = openat(other.inner, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard source >= 0 else {
      if [ENOENT, ELOOP, EACCES].contains(errno) { return }
      throw Failure(errno, "\(other.path)/\(name)")
    }
    defer { close(source) }
    var found = stat()
    guard fstat(source, &found) == 0, FileKind.other(found) == nil else { return }
    if let existing = try status(of: name) {
      guard existing.st_size != found.st_size, remove(name) else { return }
    }
    let file = try newFile(name)
    defer { close(file) }
    do throws(Failure) {
      try copyContents(of: source, "\(other.path)/\(name)", to: file, name)
    } catch {
      unlinkat(inner, name, 0)
      throw error
    }
  }

  private func copyContents(
    of source: Int32, _ sourcePath: String, to file: Int32, _ name: String
  ) throws(Failure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = Foundation.read(source, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(errno, sourcePath) }
      if count == 0 { break }
      try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file, name)
    }
    guard fsync(file) == 0 else { throw failure(name) }
  }

  private func newFile(_ name: String) throws(Failure) -> Int32 {
    guard Self.isDataFile(name) else { throw Failure(EINVAL, "\(path)/\(name)") }
    let file = openat(inner, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(name) }
    StorePermissions.copy(ofStore: store, to: file)
    return file
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, _ name: String) throws(Failure) {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Foundation.write(file, start, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(name) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  private func failure(_ name: String) -> Failure { Failure(errno, "\(path)/\(name)") }

  /// Deletes a data file. Leaves what no store can have created there: other names, links, folders, FIFOs.
  /// - Returns: false if the file is left although it should go.
  func remove(_ name: String) -> Bool {
    guard Self.isDataFile(name) else { return true }
    do throws(Failure) {
      guard let found = try status(of: name), FileKind.other(found) == nil else { return true }
    } catch {
      return false
    }
    return unlinkat(inner, name, 0) == 0 || errno == ENOENT
  }

  /// Makes the names of new files durable.
  func sync() throws(Failure) { guard fsync(inner) == 0 else { throw Failure(errno, path) } }

  // MARK: The marker

  /// The reason the folder may contain files that no row refers to.
  enum Marker: Equatable {
    /// A transaction wrote files that it did not commit, or dropped references to files that it did not delete.
    case transaction
    /// The store was migrated, replaced or emptied: its model may have no external data any more.
    case wholeStore
  }

  private static let markerName = "unfinished"

  /// The marker; nil if it does not exist.
  var marker: Marker? {
    var found = stat()
    guard fstatat(outer, Self.markerName, &found, AT_SYMLINK_NOFOLLOW) == 0, FileKind.other(found) == nil else {
      return nil
    }
    return found.st_size == 0 ? .transaction : .wholeStore
  }

  /// Leaves a marker. The next opener deletes the files that no row refers to.
  func mark(_ marker: Marker) throws(Failure) {
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = openat(outer, Self.markerName, flags, 0o600)
    guard file >= 0 else { throw markerFailure(errno) }
    defer { close(file) }
    var found = stat()
    guard fstat(file, &found) == 0, FileKind.other(found) == nil else { throw markerFailure(EINVAL) }
    StorePermissions.copy(ofStore: store, to: file)
    guard marker == .wholeStore, found.st_size == 0 else { return }
    let text: StaticString = "whole store\n"
    guard Foundation.write(file, text.utf8Start, text.utf8CodeUnitCount) == text.utf8CodeUnitCount else {
      throw markerFailure(errno)
    }
  }

  private func markerFailure(_ code: Int32) -> Failure {
    var found = stat()
    let kind = fstatat(outer, Self.markerName, &found, AT_SYMLINK_NOFOLLOW) == 0 ? FileKind.other(found) : nil
    let marker = "\((path as NSString).deletingLastPathComponent)/\(Self.markerName)"
    return Failure(code, marker, kind.map { "it is \($0), not a file; move it away" })
  }

  /// Removes the marker.
  func unmark() { if marker != nil { unlinkat(outer, Self.markerName, 0) } }

  /// Removes both folders if they are empty.
  func removeIfEmpty() {
    unlinkat(outer, Self.innerName, AT_REMOVEDIR)
    rmdir((path as NSString).deletingLastPathComponent)
  }
}
