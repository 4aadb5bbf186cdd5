import Dispatch
import Foundation
import Synchronization

/// The lock of a store's writers, over threads and processes, first come, first served: whoever holds it may
/// BEGIN IMMEDIATE or checkpoint. SQLite's own busy handler starves (8 writers of 2 ms each: the worst waits 6.4 s; here
/// 48 ms).
///
/// It is a lock of a byte of `<store>-turn`, which a writer that is killed gives back. The file is opened once and stays
/// open, since closing a file that was open for writing wakes everybody who watches the folder. Readers never need the
/// lock (invariant 7).
///
/// Unchecked because the descriptors change under `threads` alone: by whoever holds it.
package final class WriterLock: @unchecked Sendable {
  /// The lock's file.
  package let path: String

  private let process = getpid()
  private let forks: Int
  private let threads = FairLock()
  /// The file, and the second open file through which the waiter stands in the kernel's queue.
  @exclusivity(unchecked) private var main: WriterLockFile
  @exclusivity(unchecked) private var waiter: WriterLockWaiter?
  /// Through which of the two open files the lock is held.
  @exclusivity(unchecked) private var isHeldByWaiter = false
  @exclusivity(unchecked) private var isClosed = false
  /// The folder as it was when the lock was taken; nil if it says nothing. The caller must hold the lock.
  @exclusivity(unchecked) package private(set) var folder: FolderState?
  /// The folder as it was when the file was last found in its place.
  @exclusivity(unchecked) private var checkedFolder: FolderState?

  /// Opens `<store>-turn`, and makes it with the rights of the store (0600 while there is none) when it is missing.
  /// - Parameter suffix: of another file to lock, for what takes the writer lock several times.
  /// - Throws: `WriterLockError`, for a symbolic link too.
  package init(storePath: String, suffix: String = "-turn") throws {
    ForkMark.watch()
    forks = ForkMark.count
    path = storePath + suffix
    folderPath = (storePath as NSString).deletingLastPathComponent
    main = try WriterLockFile(path: path, storePath: storePath)
    self.storePath = storePath
  }

  private let storePath: String
  private let folderPath: String

  deinit { closeFiles() }

  /// Locks; `unlock()` gives the lock back. A thread that holds it must not call this.
  /// - Parameter seconds: how long to wait at most.
  /// - Throws: `WriterLockError`, `.timedOut` with the names of the processes that may hold the lock.
  package func lock(deadline seconds: Double) throws {
    guard ForkMark.count == forks else {
      throw WriterLockError(.unusable, "'\(path)' was opened by process \(process) before a fork; open the store anew")
    }
    let end = DispatchTime.now() + seconds
    guard threads.lock(until: end) else { throw timedOut(seconds, byThread: true) }
    do {
      guard !isClosed else { throw WriterLockError(.unusable, "'\(path)' was closed; open the store again to write") }
      try lockFile(until: end, seconds)
    } catch {
      threads.unlock()
      throw error
    }
  }

  /// Unlocks, for the next thread of this process or the next process, whichever has waited longer.
  package func unlock() {
    if isHeldByWaiter {
      waiter?.unlock()
      isHeldByWaiter = false
    } else {
      main.unlock()
    }
    threads.unlock()
  }

  /// Counts a commit that the history will not tell, before it is made: whoever finds that the log had more commits than
  /// the history and this count say knows of a foreign writer. The caller must hold the lock.
  package func announceUnlisted() { main.raiseCount() }

  /// How many commits were announced so, by all processes, and whether somebody holds the lock, who may have announced one
  /// that is still to come.
  /// - Returns: nil if that cannot be found out now.
  package static func announced(storePath: String, suffix: String = "-turn") -> (commits: Int64, isLocked: Bool)? {
    WriterLockFile.count(at: storePath + suffix)
  }

  package func withLock<T>(deadline seconds: Double, _ body: () throws -> T) throws -> T {
    try lock(deadline: seconds)
    defer { unlock() }
    return try body()
  }

  /// Closes the file, once whoever holds the lock has given it back. A thread that holds it must not call this.
  package func close() {
    _ = threads.lock(until: .distantFuture)
    defer { threads.unlock() }
    closeFiles()
  }

  // MARK: - As the thread that is next

  private func lockFile(until end: DispatchTime, _ seconds: Double) throws {
    while true {
      if try main.tryLock() {
        isHeldByWaiter = false
      } else {
        if waiter == nil { waiter = try WriterLockWaiter(path: path, storePath: storePath) }
        guard try waiter?.wait(until: end) == true else { throw timedOut(seconds, byThread: false) }
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

  /// The file was deleted or replaced. A lock on what nobody else can find excludes nobody: take the new file.
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
    let own = [main.descriptor, waiter?.file.descriptor ?? -1]
    let others = byThread ? "another thread of this process (\(process)) has it" : main.holders(besides: own)
    return WriterLockError(
      .timedOut,
      "the lock to write '\(storePath)' was not to be had within \(seconds) s: \(others); "
        + "end a process that hangs there, or wait longer")
  }
}
