import Dispatch
import Foundation
import StrataRowStore
import StrataSupport
import Synchronization

/// The writer lock of a store across threads and processes, in FIFO order: its holder may BEGIN IMMEDIATE or
/// checkpoint.
/// SQLite's own busy handler starves writers (with 8 writers of 2 ms each, the longest wait is 6.4 s; here 48 ms).
///
/// It locks a byte of `<store>-turn`, which the kernel releases if the writer is killed. The file stays open, because
/// closing a file that was open for writing wakes all watchers of the folder. Readers never need the lock
/// (invariant 7).
///
/// @unchecked: the descriptors change only while `threads` is locked.
package final class WriterLock: @unchecked Sendable {
  /// The lock file's path.
  package let path: String

  private let process = getpid()
  private let threads = FairLock()
  /// The file, and the second open file through which the waiter queues in the kernel.
  @exclusivity(unchecked) private var main: WriterLockFile
  @exclusivity(unchecked) private var waiter: WriterLockWaiter?
  /// The open file that holds the lock.
  @exclusivity(unchecked) private var isHeldByWaiter = false
  @exclusivity(unchecked) private var isClosed = false
  /// The folder's state when the lock was acquired; nil if undetermined. The caller must hold the lock.
  @exclusivity(unchecked) package private(set) var folder: FolderState?
  /// The folder's state when the file was last found in place.
  @exclusivity(unchecked) private var checkedFolder: FolderState?

  /// Opens `<store>-turn`; creates it with the permissions of the store (0600 if the store does not exist yet).
  /// - Parameters:
  ///   - suffix: the suffix of another file to lock, for callers that take the writer lock several times.
  ///   - warningDelay: the number of seconds of waiting for another process after which to warn about it.
  /// - Throws: `WriterLockError`, also for a symbolic link.
  package init(storePath: String, suffix: String = "-turn", warningDelay: Double = 5) throws {
    ForkDetector.watch()
    path = storePath + suffix
    folderPath = (storePath as NSString).deletingLastPathComponent
    main = try WriterLockFile(path: path, storePath: storePath)
    self.storePath = storePath
    self.warningDelay = warningDelay
  }

  private let storePath: String
  private let warningDelay: Double
  private let folderPath: String

  deinit { closeFiles() }

  /// Acquires the lock. Not recursive.
  /// - Parameters:
  ///   - seconds: the maximum wait.
  ///   - end: the time at which the wait ends, if it began earlier than now.
  /// - Throws: `WriterLockError`; `.timedOut` names the processes that may hold the lock.
  package func lock(timeout seconds: Double, until end: DispatchTime? = nil) throws {
    guard !ForkDetector.isChild || getpid() == process else {
      throw WriterLockError(
        .unusable, message: "'\(path)' was opened by process \(process) before a fork; open the store again")
    }
    let end = end ?? .now() + seconds
    guard threads.lock(until: end) else { throw timedOut(seconds, byThread: true) }
    guard !isClosed else {
      threads.unlock()
      throw WriterLockError(.unusable, message: "'\(path)' was closed; open the store again to write")
    }
    do {
      try lockFile(until: end, seconds)
    } catch {
      // The file may be locked by now, and only its place not known.
      unlock()
      throw error
    }
  }

  /// Releases the lock to the next thread or process in the queue.
  package func unlock() {
    if isHeldByWaiter {
      waiter?.unlock()
      isHeldByWaiter = false
    } else {
      main.unlock()
    }
    threads.unlock()
  }

  /// The folder's state now; nil if undetermined.
  package var currentFolder: FolderState? { FolderState(of: folderPath) }

  /// Changes the number of commits that the history does not list: if the WAL has more commits than the history and this
  /// count explain, there was a foreign writer. A writer raises the count before such a commit. A COMMIT with several
  /// transactions of the history is one commit in the WAL, and lowers the count after it was made. The caller must hold
  /// the lock.
  package func adjustUnlistedCount(by change: Int) { main.changeCount(by: Int64(change)) }

  /// The number of unlisted commits of all processes, and whether a writer holds the lock, which may have counted one that is
  /// yet to come.
  /// - Returns: nil if that cannot be determined now.
  package static func unlistedCount(storePath: String, suffix: String = "-turn") -> (commits: Int64, isLocked: Bool)? {
    WriterLockFile.count(at: storePath + suffix)
  }

  /// Runs `body` as the only writer.
  /// - Throws: a `StoreError` if the lock cannot be acquired, and what `body` throws.
  package func withLock<T>(timeout seconds: Double, until end: DispatchTime? = nil, _ body: () throws -> T) throws -> T
  {
    do {
      try lock(timeout: seconds, until: end)
    } catch let error as WriterLockError {
      throw storeError(error)
    }
    defer { unlock() }
    return try body()
  }

  /// The error of a thread that has waited so long for other threads of this process.
  package func timedOutError(_ seconds: Double) -> StoreError { storeError(timedOut(seconds, byThread: true)) }

  private func storeError(_ error: WriterLockError) -> StoreError {
    StoreError(error.storeCode, "Cannot write the store '\(storePath)': \(error.message).", cause: error)
  }

  /// Closes the file once the holder has released the lock. A thread that holds it must not call this.
  package func close() {
    _ = threads.lock(until: .distantFuture)
    defer { threads.unlock() }
    closeFiles()
  }

  // MARK: - For the thread that holds `threads`

  private func lockFile(until end: DispatchTime, _ seconds: Double) throws {
    while true {
      if try main.tryLock() {
        isHeldByWaiter = false
      } else {
        if waiter == nil { waiter = try WriterLockWaiter(path: path, storePath: storePath) }
        let isGranted = try waiter?.wait(until: end, warningDelay: warningDelay) {
          Diagnostics.warn("waiting up to \(seconds) s to lock '\(storePath)' for writing: \(holders)")
        }
        guard isGranted == true else { throw timedOut(seconds, byThread: false) }
        isHeldByWaiter = true
      }
      folder = FolderState(of: folderPath)
      if folder != nil, folder == checkedFolder { return }
      let file = isHeldByWaiter ? waiter?.file : main
      if file?.isInPlace == true {
        checkedFolder = folder
        return
      }
      try reopen()
    }
  }

  /// The file was deleted or replaced: opens the new one, because a lock on an unreachable file excludes no process.
  private func reopen() throws {
    let fresh = try WriterLockFile(path: path, storePath: storePath)
    closeFiles()
    isClosed = false
    isHeldByWaiter = false
    waiter = nil
    main = fresh
  }

  private func closeFiles() {
    guard !isClosed else { return }
    isClosed = true
    if isHeldByWaiter { waiter?.unlock() }
    main.close()
    waiter?.end()
  }

  private func timedOut(_ seconds: Double, byThread: Bool) -> WriterLockError {
    let others = byThread ? "another thread of this process (\(process)) has it" : holders
    return WriterLockError(
      .timedOut,
      message: "cannot lock '\(storePath)' for writing within \(seconds) s: \(others); "
        + "end the process that hangs, or wait longer")
  }

  private var holders: String { main.holders(besides: [main.descriptor, waiter?.file.descriptor ?? -1]) }
}
