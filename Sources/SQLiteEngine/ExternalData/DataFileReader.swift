import Foundation
import Glibc
import StrataDiagnostics
import StrataFiles
import StrataRowStore

/// Reads the data files that the rows of one connection refer to.
///
/// A writer deletes a file once the commit that replaces it is visible. Whoever still reads an older moment then finds a
/// row without its file, which no later moment has: see `readingAgain`.
final class DataFileReader {
  /// A file that a row refers to is not there.
  private struct Missing: Error { let name: String }

  private let path: String
  /// Whether a missing file is an error, because the question can be asked again.
  private var throwsIfMissing = false
  /// The files that were missing on two moments.
  private var missing: Set<String> = []

  /// - Parameter path: the store file.
  init(of path: String) { self.path = path }

  /// As many moments as a reader tries before it takes a file for lost: writers may be faster for a while.
  private static let mostMoments = 100

  /// Asks a question that each time reads the newest moment, until no data file was deleted during it. A file that is
  /// missing on two moments is missing: its value is nil.
  func readingAgain<T>(_ question: () throws -> T) throws -> T {
    guard !throwsIfMissing else { return try question() }
    throwsIfMissing = true
    defer { (throwsIfMissing, missing) = (false, []) }
    var found: Set<String> = []
    while true {
      do {
        return try question()
      } catch let file as Missing {
        if !found.insert(file.name).inserted || found.count > Self.mostMoments { missing.insert(file.name) }
      }
    }
  }

  /// Asks a question of an older moment.
  /// - Returns: nil if a data file was missing, which a newer moment may not need.
  func readingOnce<T>(_ question: () throws -> T) throws -> T? {
    guard !throwsIfMissing else { return try question() }
    throwsIfMissing = true
    defer { throwsIfMissing = false }
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
    let file = ExternalData.folder(of: path).appendingPathComponent(name)
    do {
      // A link would lead outside the folder.
      let data = try FileContents.read(file.path, followsLinks: false)
      data.withUnsafeBytes { body($0) }
      return true
    } catch {
      if [EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN].contains(error.code) {
        throw StoreError(.io, "Cannot read the external data file '\(file.path)' of the store '\(path)'.", cause: error)
      }
      if error.code == ENOENT, throwsIfMissing, !missing.contains(name) { throw Missing(name: name) }
      Diagnostics.warnOnce(
        "cannot read the external data file '\(file.path)' of the store '\(path)' (\(error)); the value is read "
          + "as nil; restore the file from a backup")
      return false
    }
  }
}

extension Connection {
  /// Asks a question again if a data file of a row was deleted during it: see `DataFileReader.readingAgain`.
  /// - Parameter question: reads the newest moment, in a transaction of its own.
  package func readingAgain<T>(_ question: () throws -> T) throws -> T { try dataFiles.readingAgain(question) }

  /// Asks a question of an older moment; nil if a data file was deleted since.
  package func readingOnce<T>(_ question: () throws -> T) throws -> T? { try dataFiles.readingOnce(question) }
}
