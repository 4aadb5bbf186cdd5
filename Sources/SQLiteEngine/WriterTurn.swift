import Dispatch
import Foundation
import Synchronization

/// The fair queue of a store's writers, over threads and processes: who has the turn may BEGIN IMMEDIATE or
/// checkpoint. SQLite's own waiting starves (8 writers of 2 ms each: the worst waits 6.4 s; here 48 ms).
///
/// The turn is an OFD write lock on byte 0 of `<store>-turn`. Such a lock belongs to the open file, not to the
/// process: two objects on one store exclude each other within a process too, and a writer that is killed gives its
/// turn back. The file is opened once and stays open, since closing a file that was open for writing wakes everybody
/// who watches the folder. Readers never need the turn (invariant 7).
///
/// Unchecked because the descriptors change under `line` alone: by whoever stands first in it.
package final class WriterTurn: @unchecked Sendable {
  /// The lock's file.
  package let path: String

  private let process = getpid()
  private let forks: Int
  private let line = LocalLine()
  /// The file, and the second open file through which the waiter stands in the kernel's queue.
  @exclusivity(unchecked) private var main: TurnFile
  @exclusivity(unchecked) private var waiter: TurnWaiter?
  /// Where the lock is while we have the turn.
  @exclusivity(unchecked) private var isHeldByWaiter = false
  @exclusivity(unchecked) private var isClosed = false
  /// The folder as it was when the turn was taken, for whoever has the turn; nil if it says nothing.
  @exclusivity(unchecked) package private(set) var folder: FolderState?
  /// The folder as it was when the file was last found in its place.
  @exclusivity(unchecked) private var checkedFolder: FolderState?

  /// Opens `<store>-turn`, and makes it with the rights of the store (0600 while there is none) when it is missing.
  /// - Parameter suffix: of another file to queue at, for what takes several turns to write.
  /// - Throws: `TurnError`, for a symbolic link too.
  package init(storePath: String, suffix: String = "-turn") throws {
    ForkMark.watch()
    forks = ForkMark.count
    path = storePath + suffix
    folderPath = (storePath as NSString).deletingLastPathComponent
    main = try TurnFile(path: path, storePath: storePath)
    self.storePath = storePath
  }

  private let storePath: String
  private let folderPath: String

  deinit { closeFiles() }

  /// Takes the turn; to be given back with `release`. Must not be called by a thread that has it.
  /// - Parameter seconds: how long to wait at most.
  /// - Throws: `TurnError`, `.timedOut` with the names of the processes that may have the turn.
  package func take(deadline seconds: Double) throws {
    guard ForkMark.count == forks else {
      throw TurnError(.unusable, "'\(path)' was opened by process \(process) before a fork; open the store anew")
    }
    let end = DispatchTime.now() + seconds
    guard line.enter(until: end) else { throw timedOut(seconds, byThread: true) }
    do {
      guard !isClosed else { throw TurnError(.unusable, "'\(path)' was closed; open the store again to write") }
      try lock(until: end, seconds)
    } catch {
      line.leave()
      throw error
    }
  }

  /// Gives the turn back: to the next thread of this process or to the next process, whoever has waited longer.
  package func release() {
    if isHeldByWaiter {
      waiter?.unlock()
      isHeldByWaiter = false
    } else {
      main.unlock()
    }
    line.leave()
  }

  /// Counts a commit that the history will not tell, before it is made: who finds that the log had more commits than the
  /// history and this count say knows of a foreign writer. The number lies in the turn's file, in the byte order of the
  /// machine. By whoever has the turn.
  package func announceUnlisted() { main.raiseCount() }

  /// How many commits were announced so, of all processes; nil if that cannot be found out now.
  package static func announced(storePath: String, suffix: String = "-turn") -> Int64? {
    TurnFile.count(in: storePath + suffix)
  }

  package func withTurn<T>(deadline seconds: Double, _ body: () throws -> T) throws -> T {
    try take(deadline: seconds)
    defer { release() }
    return try body()
  }

  /// Closes the file, once whoever has the turn has given it back. Must not be called by a thread that has it.
  package func close() {
    _ = line.enter(until: .distantFuture)
    defer { line.leave() }
    closeFiles()
  }

  // MARK: - As the first in line

  private func lock(until end: DispatchTime, _ seconds: Double) throws {
    while true {
      if try main.tryLock() {
        isHeldByWaiter = false
      } else {
        if waiter == nil { waiter = try TurnWaiter(path: path, storePath: storePath) }
        guard try waiter?.wait(until: end) == true else { throw timedOut(seconds, byThread: false) }
        isHeldByWaiter = true
      }
      folder = FolderState(of: folderPath)
      if folder != nil, folder == checkedFolder { return }
      let file = isHeldByWaiter ? waiter?.file : main
      if file?.isStill(at: path) == true {
        checkedFolder = folder
        return
      }
      try reopen()
    }
  }

  /// The file was deleted or replaced. A lock on what nobody else can find excludes nobody: take the new file.
  private func reopen() throws {
    let fresh = try TurnFile(path: path, storePath: storePath)
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

  private func timedOut(_ seconds: Double, byThread: Bool) -> TurnError {
    let own = [main.descriptor, waiter?.file.descriptor ?? -1]
    let others = byThread ? "another thread of this process (\(process)) has it" : main.holders(besides: own)
    return TurnError(
      .timedOut,
      "the turn to write '\(storePath)' did not come within \(seconds) s: \(others); "
        + "end a process that hangs there, or wait longer")
  }
}
