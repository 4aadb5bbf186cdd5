import Foundation
import Glibc
import StrataFiles
import StrataRowStore

/// The external data files written through one connection. They are created before the transaction that refers to them
/// commits, and deleted after the transaction that drops the last reference commits.
///
/// While the folder may contain unreferenced files it also contains a marker; whoever opens the store and finds the
/// marker deletes them. The caller must hold the writer lock.
final class ExternalFiles {
  /// The largest value, in bytes, stored inline. Apple does not document its limit; observers found about 100 KB.
  static let mostInline = 100_000

  let folder: URL
  private let path: String
  /// The files that this transaction created or may have dropped its reference to.
  private var touched: Set<String> = []
  private var made: Set<String> = []
  /// The subset of `touched` that some row refers to after everything written so far.
  private var referred: Set<String> = []
  /// Whether the marker predates this transaction: another writer died or could not delete a file. It then stays.
  private var hasFoundMarker = false
  private var marker: URL { folder.deletingLastPathComponent().appendingPathComponent("unfinished") }

  /// - Parameter path: the store file.
  init(of path: String) {
    self.path = path
    folder = ExternalData.folder(of: path)
  }

  /// Whether a writer died between writing files and deleting the unreferenced ones.
  var isUnfinished: Bool { access(marker.path, F_OK) == 0 }

  /// Writes data to a new file and syncs it.
  /// - Returns: the column value that refers to the file.
  /// - Throws: `StoreError` with code `.full` or `.io`.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
    let name = UUID().uuidString
    do {
      try createFolder()
      try createMarker()
      touched.insert(name)
      made.insert(name)
      try write(bytes, to: folder.appendingPathComponent(name).path)
    } catch {
      let isFull = (error as? POSIXError).map { [.ENOSPC, .EDQUOT].contains($0.code) } ?? false
      throw StoreError(
        isFull ? .full : .io,
        "Cannot write the store '\(path)': writing \(bytes.count) bytes of data to a file in '\(folder.path)' failed: "
          + "\(error.localizedDescription). Nothing was saved. Check the free space and the permissions.",
        cause: error)
    }
    return [2] + name.utf8 + [0]
  }

  /// Records that a row now refers to a file, or no longer does.
  func note(_ name: String, isReferred: Bool) throws {
    if touched.insert(name).inserted { try createMarker() }
    if isReferred { referred.insert(name) } else { referred.remove(name) }
  }

  /// Syncs the folder, so that the names of new files are durable before the commit. Their contents already are.
  func willCommit() throws {
    guard !made.isEmpty else { return }
    let directory = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(directory) }
    guard directory >= 0, fsync(directory) == 0 else {
      throw StoreError(
        .io,
        "Cannot write the store '\(path)': the new files in '\(folder.path)' do not get to the disk: "
          + "\(String(cString: strerror(errno))). Nothing was saved.")
    }
  }

  /// Whether committing leaves files to delete that an earlier commit refers to.
  var hasLeft: Bool { !touched.subtracting(referred).subtracting(made).isEmpty }

  /// Deletes the files that no row refers to any more.
  func didCommit() { remove(touched.subtracting(referred)) }

  /// Deletes the files that this transaction created.
  func didRollBack() { remove(made) }

  /// Deletes every file not in `names`.
  func keepOnly(_ names: Set<String>) {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    remove(Set(found).subtracting(names), isMarked: true)
  }

  private func remove(_ names: Set<String>, isMarked: Bool = false) {
    guard isMarked || !touched.isEmpty else { return }
    // Files that cannot be deleted now are left to the next opener, who finds the marker.
    let left = names.filter { unlink(folder.appendingPathComponent($0).path) != 0 && errno != ENOENT }
    if left.isEmpty, isMarked || !hasFoundMarker { unlink(marker.path) }
    (touched, made, referred) = ([], [], [])
  }

  /// Makes the folder, for whoever may use the store, if it is missing.
  func createFolder() throws {
    guard access(folder.path, F_OK) != 0 else { return }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for folder in [folder.deletingLastPathComponent(), folder] {
      StorePermissions.copy(ofStore: path, toFolder: folder.path)
    }
  }

  private func createMarker() throws {
    guard touched.isEmpty else { return }
    hasFoundMarker = isUnfinished
    if !hasFoundMarker { try markUnfinished() }
  }

  func markUnfinished() throws { try Data().write(to: marker) }

  /// Writes and syncs a file, so that a commit may refer to it as soon as this returns.
  private func write(_ bytes: UnsafeRawBufferPointer, to name: String) throws {
    let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(file) }
    StorePermissions.copy(ofStore: path, to: file)
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(file, start, rest.count)
      guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    guard fsync(file) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }
}
