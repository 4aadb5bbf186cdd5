import Glibc
import Synchronization

/// The watcher's state for one observed store.
///
/// @unchecked: the `var`s are used only on the watcher's thread; what other threads read is locked.
final class ObservedStore: @unchecked Sendable {
  /// The folder's real path, without a trailing slash, and the store's file name.
  let folder: String
  let name: String
  let noticesForeignWriters: Bool
  let onChange: @Sendable () -> Void

  /// Compared with the name in every event.
  let notifyName: String
  let logName: String
  private let indexName: String

  /// Whether to call the handler at the end of this pass of the loop.
  var isDue = false
  /// The folder's watch; nil if the folder is not watched.
  var folderWatch: Int32?
  /// The WAL's watch; nil while disarmed or without a WAL.
  var logWatch: Int32?
  /// When to recheck after a write to the WAL; ascending.
  var rechecks: [MonotonicTime] = []
  /// When to poll the files next; nil while they are watched.
  var nextPoll: MonotonicTime?
  var fingerprint: FileFingerprint?
  var lastChange = MonotonicTime.now
  var needsRetry = false
  var nextDeadline: MonotonicTime? { [rechecks.first, nextPoll].compactMap(\.self).min() }

  private let shared = Mutex<(mode: SignalMode, hasEnded: Bool)>((.watching, false))

  /// - Throws: `SignalError` if the folder does not exist or cannot be entered.
  init(storePath: String, noticesForeignWriters: Bool, onChange: @escaping @Sendable () -> Void) throws {
    let cut = storePath.lastIndex(of: "/")
    let folder = cut.map { $0 == storePath.startIndex ? "/" : String(storePath[..<$0]) } ?? "."
    guard let real = realpath(folder, nil) else {
      throw SignalError.system(
        errno, what: "find the folder '\(folder)' of the store '\(storePath)'", help: "create the folder first")
    }
    defer { free(real) }
    let path = String(cString: real)
    self.folder = path == "/" ? "" : path
    let name = cut.map { String(storePath[storePath.index(after: $0)...]) } ?? storePath
    self.name = name
    (notifyName, logName, indexName) = (name + "-notify", name + "-wal", name + "-shm")
    self.noticesForeignWriters = noticesForeignWriters
    self.onChange = onChange
  }

  var mode: SignalMode {
    get { shared.withLock { $0.mode } }
    set { shared.withLock { $0.mode = newValue } }
  }

  var hasEnded: Bool { shared.withLock { $0.hasEnded } }

  /// Ends the observation; returns true the first time.
  func end() -> Bool {
    shared.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
  }

  /// Whether this event may mean a commit. Events of the store's own files cover a writer that was killed between
  /// COMMIT and signal, because the kernel closes its files.
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
