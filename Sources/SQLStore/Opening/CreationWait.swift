import Foundation
import StrataRowStore
import StrataSQLiteEngine
import StrataSharing

/// A file without tables: another process is creating a store in it, or has emptied it.
enum EmptyFile {
  static func error(_ tried: String, _ path: String) -> StoreError {
    StoreError(
      .corrupt,
      "Cannot \(tried) the store '\(path)': the file is empty. Either another process is creating the store at the moment, "
        + "or the store was destroyed. Try again, or open it for writing once to create it.", cause: Cause())
  }

  struct Cause: Error {}
}

/// Waits while another process creates a store: until then a reader finds no tables, or a journal that it may not roll
/// back.
struct CreationWait {
  private let path: String
  private let end: Double
  private let endOfGrace: Double
  /// Whether the last error was of a store that no process is creating any longer.
  private var isLastTry = false

  /// The time that a reader waits for the process that created an empty file to take the writer lock.
  private static let grace = 1.0
  private static let pause: UInt32 = 2_000

  init(path: String, timeout: Double) {
    self.path = path
    end = Connection.seconds + timeout
    endOfGrace = Connection.seconds + min(timeout, Self.grace)
  }

  /// Runs `body` until the store is there.
  static func retrying<T>(_ path: String, timeout: Double, _ body: () throws -> T) throws -> T {
    var wait = CreationWait(path: path, timeout: timeout)
    while true {
      do { return try body() } catch {
        guard wait.goesOn(after: error) else { throw error }
      }
    }
  }

  /// Waits a little if an error may be due to a store that is being created.
  /// - Returns: whether to try again.
  private mutating func goesOn(after error: any Error) -> Bool {
    guard Self.isOfCreation(error) else { return false }
    guard isBeingCreated else {
      // It may have been created since.
      defer { isLastTry = true }
      return !isLastTry
    }
    isLastTry = false
    guard Connection.seconds < end else { return false }
    usleep(Self.pause)
    return true
  }

  private static func isOfCreation(_ error: any Error) -> Bool {
    guard let cause = (error as? StoreError)?.cause else { return false }
    return cause is EmptyFile.Cause || (cause as? SQLiteFailure)?.isReadOnly == true
  }

  private var isBeingCreated: Bool {
    if WriterLock.unlistedCount(storePath: path)?.isLocked == true { return true }
    var found = stat()
    return stat(path, &found) == 0 && found.st_size == 0 && Connection.seconds < endOfGrace
  }
}
