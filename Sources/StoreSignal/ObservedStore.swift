import Glibc
import Synchronization

/// One observed store, as the watcher knows it.
///
/// Unchecked because the `var`s are touched on the watcher's thread alone; what other threads read is behind a lock.
final class ObservedStore: @unchecked Sendable {
  /// The folder's real path, without a slash at its end, and the store's name in it.
  let folder: String
  let name: String
  let noticesForeignWriters: Bool
  let onChange: @Sendable () -> Void

  var notifyName: String { name + "-notify" }
  var logName: String { name + "-wal" }
  private var indexName: String { name + "-shm" }

  /// The handler is to be called at the end of this turn.
  var isDue = false
  /// The watch of the folder, nil while there is none.
  var folderWatch: Int32?
  /// The watch of the write-ahead log, nil while it rests or there is no log.
  var logWatch: Int32?
  /// When to look again after the log was written; ascending.
  var rechecks: [Moment] = []
  /// When to look at the files by ourselves, for want of a watch.
  var nextPoll: Moment?
  var lastPrint: FilesPrint?
  var lastChange = Moment.now
  var isToBeToldAgain = false
  var nextDeadline: Moment? { [rechecks.first, nextPoll].compactMap(\.self).min() }

  private let shared = Mutex<(mode: SignalMode, hasEnded: Bool)>((.watching, false))

  /// - Throws: `SignalError` when the folder does not exist or cannot be entered.
  init(storePath: String, noticesForeignWriters: Bool, onChange: @escaping @Sendable () -> Void) throws {
    let cut = storePath.lastIndex(of: "/")
    let folder = cut.map { $0 == storePath.startIndex ? "/" : String(storePath[..<$0]) } ?? "."
    guard let real = realpath(folder, nil) else {
      throw SignalError.system(
        errno, "find the folder '\(folder)' of the store '\(storePath)'", help: "create the folder first")
    }
    defer { free(real) }
    let path = String(cString: real)
    self.folder = path == "/" ? "" : path
    self.name = cut.map { String(storePath[storePath.index(after: $0)...]) } ?? storePath
    self.noticesForeignWriters = noticesForeignWriters
    self.onChange = onChange
  }

  var mode: SignalMode {
    get { shared.withLock { $0.mode } }
    set { shared.withLock { $0.mode = newValue } }
  }

  var hasEnded: Bool { shared.withLock { $0.hasEnded } }

  /// True the first time.
  func end() -> Bool {
    shared.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
  }

  /// Whether this change of this file may mean a commit. The files of the store themselves are the net for a writer
  /// that was killed between COMMIT and signal: the kernel closes what it had open.
  func isConcerned(by change: FolderChange, of file: String) -> Bool {
    switch file {
    case notifyName:
      !change.isDisjoint(with: [.attributes, .created, .movedTo, .movedFrom])
    case name, logName, indexName:
      !change.isDisjoint(with: [.closedAfterWriting, .created, .deleted, .movedTo, .movedFrom])
    default:
      false
    }
  }
}
