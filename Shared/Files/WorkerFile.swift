import Foundation

/// Locates a store's running fetch worker: a file in the store's folder, which the worker locks while it runs. So each
/// path to the folder leads to the same worker. A second file, for the folder's path, leads to a worker whose folder was
/// deleted or moved, until it has reacted.
///
/// The kernel releases a dead process's locks and knows the ID of the living one. The ID in the file is for people, and
/// stays there if the worker was killed.
public struct WorkerFile: Sendable {
  public var url: URL
  /// The worker's output if it was started by `quakes workers start`. Outside of the store's folder, which its readers
  /// watch: they would wake for each line. In `$XDG_STATE_HOME/quakes`, or `~/.local/state/quakes`.
  public var logURL: URL { stateFile("log") }
  /// The file for the folder's path. It is empty.
  var lockURL: URL { stateFile("lock") }

  let location: StoreLocation
  private let stateFolder: URL

  public init(for location: StoreLocation, environment: (String) -> String? = Environment.variable) {
    self.location = location
    url = location.folder.file(named: "quakes-fetch.pid")
    stateFolder = Environment.folder("XDG_STATE_HOME", default: ".local/state", environment: environment)
      .file(named: "quakes")
  }

  /// Locks the files and writes this process's ID. Creates the store's folder if missing.
  ///
  /// - Parameter inherited: the files that this process locked before it executed this program; nil if it did not.
  /// - Throws: `Failure` with status 75 if another worker holds a lock.
  public func lock(inherited: WorkerLock.Descriptors? = nil) throws(Failure) -> WorkerLock {
    guard let inherited, inherited.areFiles else { return try WorkerLock(self) }
    return try WorkerLock(self, inherited: inherited)
  }

  /// The running worker's process ID; nil if no worker is running, regardless of the file's contents.
  public func runningProcess() throws(Failure) -> pid_t? {
    if let process = try Self.read(url, Self.holder) { return process }
    return try Self.read(lockURL, Self.holder)
  }

  /// The process ID of the last worker if it was killed or failed; nil if one is running, or if the last one ended as it
  /// should.
  ///
  /// - Throws: `Failure` if a file cannot be read.
  public func deadProcess() throws(Failure) -> pid_t? {
    let process = try Self.read(url) { descriptor -> pid_t? in
      guard !Self.isHeld(Self.lock(of: descriptor)) else { return nil }
      var bytes = [UInt8](repeating: 0, count: 16)
      let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 > 0 ? $0 : nil }
    }
    guard let process, try Self.read(lockURL, Self.holder) == nil else { return nil }
    return process
  }

  /// Removes the ID of a dead worker from the file; does nothing while one is running.
  ///
  /// - Throws: `Failure` if the file cannot be written.
  public func forgetDeadProcess() throws(Failure) {
    if try deadProcess() != nil { try lock().end() }
  }

  /// - Returns: nil if the file does not exist.
  private static func read(_ url: URL, _ body: (Int32) -> pid_t?) throws(Failure) -> pid_t? {
    guard access(url.filePath, F_OK) == 0 else { return nil }
    let descriptor = try PrivateFile.open(url.path, O_RDONLY)
    defer { close(descriptor) }
    return body(descriptor)
  }

  static var wholeFile: flock {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    return lock
  }

  /// Asks without locking, which could keep a worker out that starts at the same time.
  ///
  /// - Returns: nil if the system does not report it.
  private static func lock(of descriptor: Int32) -> flock? {
    var lock = wholeFile
    return fcntl(descriptor, F_GETLK, &lock) == 0 ? lock : nil
  }

  private static func isHeld(_ lock: flock?) -> Bool { lock.map { $0.l_type != Int16(F_UNLCK) } ?? true }

  static func holder(_ descriptor: Int32) -> pid_t? {
    guard let lock = lock(of: descriptor), isHeld(lock) else { return nil }
    // 0 for a process of another PID namespace.
    return lock.l_pid > 1 ? lock.l_pid : nil
  }
}

// MARK: - The log

extension WorkerFile {
  /// Creates the folder of the log if missing.
  public func createLogFolder() throws(Failure) {
    try PrivateFile.createFolder(
      logURL.deletingLastPathComponent(), "for the worker's log", help: "set HOME or XDG_STATE_HOME")
  }

  private func stateFile(_ kind: String) -> URL {
    // 64-bit FNV-1a of the folder's real path: short, and the same in every process, also without the folder.
    let digest = String(FNV1a(RealPath.of(location.folder.path)).value, radix: 16)
    return stateFolder.file(named: "quakes-fetch-\(digest).\(kind)")
  }
}
