import Foundation
import StrataRowStore

/// The external data files written through one connection. They are created before the transaction that refers to them
/// commits, and deleted after the transaction that drops the last reference commits.
///
/// While the folder may contain unreferenced files it also contains a marker; the next process that opens the store and
/// finds the marker deletes them. The caller must hold the writer lock.
final class ExternalFiles {
  /// The largest value, in bytes, stored inline. Apple does not document its limit; observers found about 100 KB.
  static let maximumInlineBytes = 100_000

  private let path: String
  /// Open from the first file that a transaction touches until its end.
  private var folder: SupportFolder?
  /// The files that this transaction created or may have dropped its reference to.
  private var touched: Set<String> = []
  private var made: Set<String> = []
  /// The subset of `touched` that some row refers to after everything written so far.
  private var referred: Set<String> = []
  /// Whether the marker predates this transaction: another writer died or could not delete a file. It then stays.
  private var hasFoundMarker = false

  /// - Parameter path: the store file.
  init(of path: String) { self.path = path }

  /// Writes data to a new file and syncs it.
  /// - Returns: the column value that refers to the file.
  /// - Throws: `StoreError` with code `.full`, `.permission` or `.io`.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
    let name = UUID().uuidString
    do {
      guard let folder = try folder ?? SupportFolder.open(ofStore: path, creates: true) else {
        throw SupportFolder.Failure(ENOENT, SupportFolder.path(ofStore: path))
      }
      try touch(name, in: folder)
      made.insert(name)
      try folder.create(name, bytes)
    } catch let failure as SupportFolder.Failure {
      let code: StoreError.Code =
        switch failure.code {
        case ENOSPC, EDQUOT: .full
        case EACCES, EPERM, EROFS, ENOTDIR: .permission
        default: .io
        }
      throw StoreError(
        code,
        "Cannot write the store '\(path)': writing \(bytes.count) bytes of data to a file next to it failed. \(failure). "
          + "Nothing was saved. Check the free space and the permissions.",
        cause: failure)
    }
    return [2] + name.utf8 + [0]
  }

  /// Records that a row now refers to a file, or no longer does.
  func note(_ name: String, isReferred: Bool) throws {
    if !touched.contains(name) {
      // Without a folder, there is nothing to delete.
      if let folder = folder ?? ExternalData.folder(of: path) {
        try touch(name, in: folder)
      } else {
        touched.insert(name)
      }
    }
    if isReferred { referred.insert(name) } else { referred.remove(name) }
  }

  /// Marks the folder before the first file is touched.
  private func touch(_ name: String, in folder: SupportFolder) throws {
    if self.folder == nil {
      hasFoundMarker = folder.marker != nil
      if !hasFoundMarker { try folder.mark(.transaction) }
      self.folder = folder
    }
    touched.insert(name)
  }

  /// Syncs the folder, so that the names of new files are durable before the commit. Their contents already are.
  func willCommit() throws {
    guard !made.isEmpty else { return }
    do { try folder?.sync() } catch {
      throw StoreError(
        .io,
        "Cannot write the store '\(path)': the new files next to it cannot be flushed to the disk. \(error). Nothing was saved.",
        cause: error)
    }
  }

  /// Whether committing leaves files to delete that an earlier commit refers to.
  var hasLeft: Bool { !touched.subtracting(referred).subtracting(made).isEmpty }

  /// Deletes the files that no row refers to any more.
  func didCommit() { remove(touched.subtracting(referred)) }

  /// Deletes the files that this transaction created.
  func didRollBack() { remove(made) }

  /// Leaves all files, and the marker, to the next opener, who finds out which of them rows refer to.
  func mayHaveCommitted() { (touched, made, referred, folder) = ([], [], [], nil) }

  private func remove(_ names: Set<String>) {
    guard !touched.isEmpty else { return }
    if let folder {
      // Files that cannot be deleted now are left to the next opener, who finds the marker.
      let left = names.filter { !folder.remove($0) }
      if left.isEmpty, !hasFoundMarker { folder.unmark() }
    }
    (touched, made, referred, folder) = ([], [], [], nil)
  }
}
