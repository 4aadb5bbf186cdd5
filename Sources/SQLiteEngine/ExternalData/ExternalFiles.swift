import Foundation
import Glibc
import StrataRowStore

/// The files with large data of the store that a connection writes: made before the transaction that refers to them is
/// committed, and removed after the transaction that takes the last reference away.
///
/// A marker lies in the folder while files may be there that no row refers to; who finds it when opening the store
/// removes them. The caller must hold the writer lock.
final class ExternalFiles {
  /// Data of more bytes lie in a file of their own. Apple's framework does not say its limit; observers found about
  /// 100 KB.
  static let mostInline = 100_000

  let folder: URL
  private let path: String
  /// The files that this transaction made or may not need any more.
  private var touched: Set<String> = []
  private var made: Set<String> = []
  /// Of these the ones that a row refers to, after all that was written so far.
  private var referred: Set<String> = []
  /// Whether the marker was there before this transaction: of somebody who died, or could not remove a file. It then stays.
  private var hasFoundMarker = false
  private var marker: URL { folder.deletingLastPathComponent().appendingPathComponent("unfinished") }

  /// - Parameter path: the store's file.
  init(of path: String) {
    self.path = path
    folder = ExternalData.folder(of: path)
  }

  /// Whether somebody died between writing files and tidying up.
  var isUnfinished: Bool { access(marker.path, F_OK) == 0 }

  /// Writes data to a new file and answers what the column gets.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
    let name = UUID().uuidString
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try mark()
      touched.insert(name)
      made.insert(name)
      try Self.write(bytes, to: folder.appendingPathComponent(name).path)
    } catch {
      let isFull = (error as? POSIXError).map { [.ENOSPC, .EDQUOT].contains($0.code) } ?? false
      throw StoreError(
        isFull ? .full : .io,
        "Cannot write the store '\(path)': \(bytes.count) bytes of data do not go to a file in '\(folder.path)': "
          + "\(error.localizedDescription). Nothing was saved. Check the space and the rights.",
        cause: error)
    }
    return [2] + name.utf8 + [0]
  }

  /// Hears that a row now refers to a file, or does not any more.
  func note(_ name: String, isReferred: Bool) throws {
    if touched.insert(name).inserted { try mark() }
    if isReferred { referred.insert(name) } else { referred.remove(name) }
  }

  /// The names of new files are on the disk when this returns, as their data are.
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

  /// Whether files are to be removed that an earlier commit refers to.
  var hasLeft: Bool { !touched.subtracting(referred).subtracting(made).isEmpty }

  /// Removes what the transaction left without a row.
  func didCommit() { remove(touched.subtracting(referred)) }

  /// Removes what the transaction made.
  func didRollBack() { remove(made) }

  /// Removes every file whose name is not among these.
  func keepOnly(_ names: Set<String>) {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    remove(Set(found).subtracting(names), isMarked: true)
  }

  private func remove(_ names: Set<String>, isMarked: Bool = false) {
    guard isMarked || !touched.isEmpty else { return }
    // What cannot be removed now is left to the next who opens the store and finds the marker.
    let left = names.filter { unlink(folder.appendingPathComponent($0).path) != 0 && errno != ENOENT }
    if left.isEmpty, isMarked || !hasFoundMarker { unlink(marker.path) }
    (touched, made, referred) = ([], [], [])
  }

  private func mark() throws {
    guard touched.isEmpty else { return }
    hasFoundMarker = isUnfinished
    if !hasFoundMarker { try markUnfinished() }
  }

  func markUnfinished() throws { try Data().write(to: marker) }

  /// The data are on the disk when this returns: a commit that refers to them may follow at once.
  private static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(file) }
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(file, start, rest.count)
      guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    guard fsync(file) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }
}
