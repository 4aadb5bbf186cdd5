import Foundation
import StrataRowStore
import StrataSupport
import Synchronization

/// The location of the files of a store at `/dev/null`: a folder of this process, removed along with the store.
///
/// | URL | store |
/// |---|---|
/// | `/dev/null` | private to the coordinator that opens it |
/// | `/dev/null/<name>` | shared under that name by all coordinators of this process |
///
/// SQLite's own in-memory databases have no write-ahead log: readers and writers block each other, and no snapshot can
/// be kept. So the files go to shared memory, or to the temporary folder where memory is scarce, and everything that
/// holds for a store in a file holds here.
final class MemoryLocation: Sendable {
  private static let null = "/dev/null"

  let path: String
  private let folder: String

  /// Whether a URL asks for a store in memory.
  static func isMeant(by url: URL) -> Bool { name(in: url) != nil }

  /// The name in the URL of an in-memory store, empty if the store is unnamed; nil for other URLs.
  private static func name(in url: URL) -> String? {
    guard url.isFileURL else { return nil }
    let path = url.standardizedPath
    guard path.hasPrefix(null) else { return nil }
    let rest = path.dropFirst(null.count)
    return rest.isEmpty ? "" : rest.first == "/" ? String(rest.dropFirst()) : nil
  }

  private struct Weak: Sendable { weak var location: MemoryLocation? }
  private static let named = Mutex<[String: Weak]>([:])

  /// The location for a store about to be opened; nil for any other kind of URL.
  /// - Throws: `.io`, `.full` or `.permission` if no folder can be made.
  static func opening(_ url: URL) throws -> MemoryLocation? {
    guard let name = name(in: url) else { return nil }
    guard !name.isEmpty else { return try MemoryLocation() }
    return try named.withLock { named in
      if let known = named[name]?.location { return known }
      let new = try MemoryLocation()
      named[name] = Weak(location: new)
      return new
    }
  }

  /// The location of an open named store; nil if no such store is open.
  static func open(_ url: URL) -> MemoryLocation? {
    name(in: url).flatMap { name in named.withLock { $0[name]?.location } }
  }

  private init() throws {
    let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    folder = try "\(ProcessFolder.path())/\(number)"
    guard mkdir(folder, 0o700) == 0 else { throw ProcessFolder.failure(errno, at: folder) }
    path = folder + "/store.sqlite"
  }
  private static let count = Atomic(0)

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}

/// The folder for this process's in-memory stores. It stays locked while the process lives, so that later processes can
/// tell it from the folders of dead ones, which they remove.
private enum ProcessFolder {
  private static let made = Mutex<String?>(nil)
  private static let prefix = "coredata-\(geteuid())-"
  /// With less shared memory than this, as in containers, stores go to disk.
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

  /// Runs when the process that made the folder exits, not when a forked child does.
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
      guard mkdtemp(&template) != nil else { throw failure(errno, at: base) }
      let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      // The descriptor, and with it the lock, is never closed. Another process may have taken the folder for a dead
      // one's.
      if let lock = lock(path), isStill(lock, at: path) { return path }
    }
  }

  private static func removeLeft(in base: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where isOurs(name) {
      let path = "\(base)/\(name)"
      guard let lock = lock(path) else { continue }
      if containsOnlyStores(path) { try? FileManager.default.removeItem(atPath: path) }
      close(lock)
    }
  }

  /// Whether `make` can have chosen a name.
  private static func isOurs(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6
  }

  /// Whether a folder contains nothing but the numbered folders of stores: another program's may have such a name too.
  private static func containsOnlyStores(_ path: String) -> Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
    return names.allSatisfy { name in
      guard UInt(name) != nil, let files = try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)")
      else {
        return false
      }
      return files.allSatisfy { $0.hasPrefix("store.sqlite") || $0 == ".store_SUPPORT" }
    }
  }

  /// Locks a folder of this user; nil if it belongs to another user or is in use.
  private static func lock(_ path: String) -> Int32? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    var found = stat()
    if fstat(folder, &found) == 0, found.st_uid == geteuid(), flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
    close(folder)
    return nil
  }

  private static func isStill(_ folder: Int32, at path: String) -> Bool {
    var (own, found) = (stat(), stat())
    return fstat(folder, &own) == 0 && lstat(path, &found) == 0 && own.st_ino == found.st_ino
  }

  static func failure(_ code: Int32, at folder: String) -> StoreError {
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
