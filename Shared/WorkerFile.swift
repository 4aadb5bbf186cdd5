import Foundation

/// Locates a store's running fetch worker: the file contains the process id, and the worker locks the file while it
/// runs.
/// The kernel releases a dead process's lock, so a stale id does no harm.
public struct WorkerFile: Sendable {
  public var url: URL
  /// The worker's output if it was started by `quakes workers start`.
  public var logURL: URL

  /// The files in `$XDG_STATE_HOME/quakes`, or `~/.local/state/quakes`; a chosen store gets files of its own.
  public init(
    for location: StoreLocation, environment: (String) -> String? = Environment.variable
  ) throws(Failure) {
    let folder = try Self.stateFolder(environment)
    let suffix = location.isChosen ? "-" + Self.digest(location.folder.standardizedFileURL.path) : ""
    url = folder.appendingPathComponent("quakes-fetch\(suffix).pid")
    logURL = folder.appendingPathComponent("quakes-fetch\(suffix).log")
  }

  /// Held by the worker; released by the kernel when the process ends.
  public struct Lock: ~Copyable, Sendable {
    fileprivate let descriptor: Int32

    deinit {
      close(descriptor)
    }
  }

  /// Locks the file and writes this process's id.
  ///
  /// - Throws: `Failure` with status 75 if another worker holds the lock.
  public func lock() throws(Failure) -> Lock {
    let lock = try open(O_RDWR | O_CREAT)
    guard flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = holder().map { "process \($0)" } ?? "another process"
      throw Failure(.busy, "\(holder) already fetches into this store; stop it with \"quakes workers stop\"")
    }
    let text = "\(getpid())\n"
    ftruncate(lock.descriptor, 0)
    guard pwrite(lock.descriptor, text, text.utf8.count, 0) == text.utf8.count else {
      throw Failure(.storeUnavailable, "cannot write \(url.path): \(Failure.systemError())")
    }
    return lock
  }

  /// The running worker's process id; nil if there is none, whatever the file says.
  public func runningProcess() throws(Failure) -> pid_t? {
    guard access(url.path, F_OK) == 0 else { return nil }
    let lock = try open(O_RDWR)
    if flock(lock.descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
    return holder()
  }

  private func holder() -> pid_t? {
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
    return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 > 1 ? $0 : nil }
  }

  private func open(_ flags: Int32) throws(Failure) -> Lock {
    let descriptor = Foundation.open(url.path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        .storeUnavailable, "cannot open \(url.path): \(Failure.systemError()); check the permissions of its folder")
    }
    return Lock(descriptor: descriptor)
  }

  private static func stateFolder(_ environment: (String) -> String?) throws(Failure) -> URL {
    var folder = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/state")
    // The XDG base directory specification says to ignore relative paths.
    if let home = environment("HOME"), home.hasPrefix("/") {
      folder = URL(fileURLWithPath: home).appendingPathComponent(".local/state")
    }
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { folder = URL(fileURLWithPath: state) }
    folder.appendPathComponent("quakes")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .storeUnavailable,
        "cannot create the folder \(folder.path) for the worker's files: \(Failure.systemError()); set HOME or XDG_STATE_HOME",
        cause: error)
    }
    return folder
  }

  /// 64-bit FNV-1a: short, and the same in every process.
  private static func digest(_ path: String) -> String {
    let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
