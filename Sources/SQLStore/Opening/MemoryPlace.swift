import Foundation
import StrataRowStore
import Synchronization

/// Where a store at `/dev/null` has its files: in a folder of this process, which goes with the store.
///
/// | URL | store |
/// |---|---|
/// | `/dev/null` | its own, of whoever opens it |
/// | `/dev/null/<name>` | one of that name, shared by all who have it open in this process |
///
/// SQLite's own databases in memory have no write-ahead log: their readers and writers wait for each other, and none
/// keeps a moment. So the files lie in shared memory, or among temporary files where there is little of that, and all
/// that holds for a store in a file holds here.
final class MemoryPlace: Sendable {
  private static let null = "/dev/null"

  /// The store's file.
  let path: String
  private let folder: String

  /// Whether a URL asks for a store in memory.
  static func isMeant(by url: URL) -> Bool { name(in: url) != nil }

  /// The name in a URL for a store in memory, which is empty for one without; nil for other URLs.
  private static func name(in url: URL) -> String? {
    guard url.isFileURL else { return nil }
    let path = url.standardizedFileURL.path
    guard path.hasPrefix(null) else { return nil }
    let rest = path.dropFirst(null.count)
    return rest.isEmpty ? "" : rest.first == "/" ? String(rest.dropFirst()) : nil
  }

  private struct Weak: Sendable { weak var place: MemoryPlace? }
  private static let named = Mutex<[String: Weak]>([:])

  /// The place of a store that is about to be opened; nil for a URL of another kind.
  /// - Throws: `.io`, `.full` or `.permission` if no folder can be made.
  static func opening(_ url: URL) throws -> MemoryPlace? {
    guard let name = name(in: url) else { return nil }
    guard !name.isEmpty else { return try MemoryPlace() }
    return try named.withLock { named in
      if let known = named[name]?.place { return known }
      let new = try MemoryPlace()
      named[name] = Weak(place: new)
      return new
    }
  }

  /// The place of a store that is open by name; nil if there is none.
  static func open(_ url: URL) -> MemoryPlace? {
    name(in: url).flatMap { name in named.withLock { $0[name]?.place } }
  }

  private init() throws {
    let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    folder = try "\(ProcessFolder.path())/\(number)"
    guard mkdir(folder, 0o700) == 0 else { throw ProcessFolder.failure(errno, folder) }
    path = folder + "/store.sqlite"
  }
  private static let count = Atomic(0)

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}

/// The folder of this process's stores in memory: locked as long as it lives, so that who comes later can tell it from
/// those that dead processes left, and removes these.
private enum ProcessFolder {
  private static let made = Mutex<String?>(nil)
  private static let prefix = "coredata-\(geteuid())-"
  /// Where memory is scarcer than this, as it is in containers, stores lie on the disk.
  private static let enough = 256 << 20

  static func path() throws -> String {
    try made.withLock { made in
      if let made { return made }
      let base = base()
      removeLeft(in: base)
      let new = try make(in: base)
      let owner = getpid()
      atexit { ProcessFolder.remove() }
      self.owner.store(owner, ordering: .relaxed)
      made = new
      return new
    }
  }

  private static let owner = Atomic<pid_t>(0)

  /// At the end of the process that made it, and not of one that was forked off.
  private static func remove() {
    guard owner.load(ordering: .relaxed) == getpid(), let path = made.withLock({ $0 }) else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func base() -> String {
    let memory = "/dev/shm"
    var room = statvfs()
    guard access(memory, W_OK | X_OK) == 0, statvfs(memory, &room) == 0,
      Int(room.f_bavail) * Int(room.f_frsize) >= enough
    else { return FileManager.default.temporaryDirectory.path }
    return memory
  }

  private static func make(in base: String) throws -> String {
    while true {
      var template = Array("\(base)/\(prefix)XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw failure(errno, base) }
      let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      // The lock stays with the descriptor, which is never closed. Who took the folder for a dead one's has it.
      if let lock = lock(path), isStill(lock, path) { return path }
    }
  }

  private static func removeLeft(in base: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
      let path = "\(base)/\(name)"
      guard let lock = lock(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(lock)
    }
  }

  /// Locks a folder of this user; nil if it is another's, or in use.
  private static func lock(_ path: String) -> Int32? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    var found = stat()
    if fstat(folder, &found) == 0, found.st_uid == geteuid(), flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
    close(folder)
    return nil
  }

  private static func isStill(_ folder: Int32, _ path: String) -> Bool {
    var (own, found) = (stat(), stat())
    return fstat(folder, &own) == 0 && lstat(path, &found) == 0 && own.st_ino == found.st_ino
  }

  static func failure(_ code: Int32, _ folder: String) -> StoreError {
    let kind: StoreError.Code =
      switch code {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS: .permission
      default: .io
      }
    return StoreError(
      kind, "Cannot make a store in memory: no folder in '\(folder)' for its files: \(String(cString: strerror(code)))."
    )
  }
}
