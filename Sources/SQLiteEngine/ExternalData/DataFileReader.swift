import Foundation
import StrataRowStore
import StrataSupport

/// Reads the data files that the rows of one connection refer to.
///
/// A writer deletes a file once the commit that replaces it is visible. A reader of an older snapshot then finds a row
/// without its file, which no later snapshot has: see `readingAgain`.
final class DataFileReader {
  /// A file that a row refers to is not there.
  private struct Missing: Error { let name: String }

  private let path: String
  /// Whether a missing file is an error, because the question can be asked again.
  private var throwsIfMissing = false
  /// The files that were missing on two moments.
  private var missing: Set<String> = []
  /// The folder of the files; kept open while a question is asked.
  private var folder: SupportFolder?

  /// - Parameter path: the store file.
  init(of path: String) { self.path = path }

  /// The maximum number of repeated reads before a file counts as lost: writers may be faster for a while.
  private static let maximumRetries = 100

  /// Asks a question that each time reads the newest moment, until no data file was deleted during it. A file that is
  /// missing on two moments is missing: its value is nil.
  func readingAgain<T>(_ question: () throws -> T) throws -> T {
    guard !throwsIfMissing else { return try question() }
    throwsIfMissing = true
    defer { (throwsIfMissing, missing, folder) = (false, [], nil) }
    var found: Set<String> = []
    while true {
      folder = nil
      do {
        return try question()
      } catch let file as Missing {
        if !found.insert(file.name).inserted || found.count > Self.maximumRetries { missing.insert(file.name) }
      }
    }
  }

  /// Asks a question of an older moment.
  /// - Returns: nil if a data file was missing, which a newer moment may not need.
  func readingOnce<T>(_ question: () throws -> T) throws -> T? {
    guard !throwsIfMissing else { return try question() }
    throwsIfMissing = true
    defer { (throwsIfMissing, folder) = (false, nil) }
    do { return try question() } catch is Missing { return nil }
  }

  /// Passes the data that a column value stands for to `body`. The value's first byte says where the data are: 1, they
  /// follow inline; 2, a file name follows, terminated by a zero.
  /// - Returns: false, after a warning, if the file cannot be read; the rest of the row still can.
  /// - Throws: `StoreError` for transient failures, such as too many open files.
  func read(_ bytes: UnsafeRawBufferPointer, body: (UnsafeRawBufferPointer) -> Void) throws -> Bool {
    guard bytes.first == 2 else {
      body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
      return true
    }
    guard let name = ExternalData.name(bytes) else {
      // Only once: a row may be read many times.
      Diagnostics.warnOnce(
        "a row of the store '\(path)' refers to an external data file but names none; the value is read as nil")
      return false
    }
    let file = "\(SupportFolder.path(ofStore: path))/\(name)"
    do {
      guard let folder = try openedFolder() else { throw FileContents.Failure(ENOENT) }
      let data = try folder.read(name)
      data.withUnsafeBytes { body($0) }
      return true
    } catch let failure as FileContents.Failure {
      if failure.code == ENOENT, throwsIfMissing, !missing.contains(name) { throw Missing(name: name) }
      try warn(file, "\(failure)", code: failure.code, help: "; restore the file from a backup")
    } catch let failure as SupportFolder.Failure {
      try warn(file, "\(failure)", code: failure.code)
    }
    return false
  }

  private func openedFolder() throws -> SupportFolder? {
    if let folder { return folder }
    let opened = try SupportFolder.open(ofStore: path)
    if throwsIfMissing { folder = opened }
    return opened
  }

  private func warn(_ file: String, _ reason: String, code: Int32, help: String = "") throws {
    if [EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN].contains(code) {
      throw StoreError(.io, "Cannot read the external data file '\(file)' of the store '\(path)': \(reason).")
    }
    Diagnostics.warnOnce(
      "cannot read the external data file '\(file)' of the store '\(path)' (\(reason)); the value is read as nil\(help)"
    )
  }
}

extension Connection {
  /// Asks a question again if a data file of a row was deleted during it: see `DataFileReader.readingAgain`.
  /// - Parameter question: reads the newest moment, in a transaction of its own.
  package func readingAgain<T>(_ question: () throws -> T) throws -> T { try dataFiles.readingAgain(question) }

  /// Asks a question of an older moment; nil if a data file was deleted since.
  package func readingOnce<T>(_ question: () throws -> T) throws -> T? { try dataFiles.readingOnce(question) }
}
