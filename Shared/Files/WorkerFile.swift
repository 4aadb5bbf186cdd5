import Foundation

/// Locates a store's running fetch worker: a file in the store's folder, which the worker locks while it runs. So each
/// path to the folder leads to the same worker.
///
/// The kernel releases a dead process's lock and knows the ID of the living one. The ID in the file is for people, and
/// stays there if the worker was killed.
public struct WorkerFile: Sendable {
  public var url: URL
  /// The worker's output if it was started by `quakes workers start`. Outside of the store's folder, which its readers
  /// watch: they would wake for each line. In `$XDG_STATE_HOME/quakes`, or `~/.local/state/quakes`.
  public var logURL: URL {
    stateFolder.file(named: "quakes-fetch-\(Self.digest(location.folder)).log")
  }

  private let location: StoreLocation
  private let stateFolder: URL

  public init(for location: StoreLocation, environment: (String) -> String? = Environment.variable) {
    self.location = location
    url = location.folder.file(named: "quakes-fetch.pid")
    stateFolder = Environment.folder("XDG_STATE_HOME", default: ".local/state", environment: environment)
      .file(named: "quakes")
  }

  /// Held by the worker; released by the kernel when the process ends.
  public struct Lock: ~Copyable, Sendable {
    fileprivate let descriptor: Int32

    /// Removes the worker's ID from the file, since the worker ends as it should, and releases the lock.
    public consuming func end() { ftruncate(descriptor, 0) }

    deinit {
      close(descriptor)
    }
  }

  /// Locks the file and writes this process's ID. Creates the store's folder if missing.
  ///
  /// The lock belongs to the process: it holds off other processes, and ends if this one opens and closes the file again.
  ///
  /// - Throws: `Failure` with status 75 if another worker holds the lock.
  public func lock() throws(Failure) -> Lock {
    try location.createFolder()
    let lock = try open(O_RDWR | O_CREAT)
    var whole = Self.wholeFile
    guard fcntl(lock.descriptor, F_SETLK, &whole) == 0 else {
      guard errno == EAGAIN || errno == EACCES else {
        throw Failure(.storeUnavailable, "cannot lock \(url.path): \(Failure.systemError())")
      }
      let holder = Self.holder(lock).map { "process \($0)" } ?? "another process"
      throw Failure(.busy, "\(holder) already fetches into this store; stop it with \"quakes workers stop\"")
    }
    let text = "\(getpid())\n"
    ftruncate(lock.descriptor, 0)
    guard pwrite(lock.descriptor, text, text.utf8.count, 0) == text.utf8.count else {
      throw Failure(.storeUnavailable, "cannot write \(url.path): \(Failure.systemError())")
    }
    return lock
  }

  /// The running worker's process ID; nil if no worker is running, regardless of the file's contents.
  public func runningProcess() throws(Failure) -> pid_t? {
    guard access(url.filePath, F_OK) == 0 else { return nil }
    return Self.holder(try open(O_RDONLY))
  }

  /// The process ID of the last worker if it was killed or failed; nil if one is running, or if the last one ended as it
  /// should.
  ///
  /// - Throws: `Failure` if the file cannot be read.
  public func deadProcess() throws(Failure) -> pid_t? {
    guard access(url.filePath, F_OK) == 0 else { return nil }
    let file = try open(O_RDONLY)
    guard !Self.isHeld(Self.lock(of: file)) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = max(0, pread(file.descriptor, &bytes, bytes.count, 0))
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Removes the ID of a dead worker from the file; does nothing while one is running.
  ///
  /// - Throws: `Failure` if the file cannot be written.
  public func forgetDeadProcess() throws(Failure) {
    if try deadProcess() != nil { try lock().end() }
  }

  private static var wholeFile: flock {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    return lock
  }

  /// Asks without locking, which could keep a worker out that starts at the same time.
  ///
  /// - Returns: nil if the system does not report it.
  private static func lock(of file: borrowing Lock) -> flock? {
    var lock = wholeFile
    return fcntl(file.descriptor, F_GETLK, &lock) == 0 ? lock : nil
  }

  private static func isHeld(_ lock: flock?) -> Bool { lock.map { $0.l_type != Int16(F_UNLCK) } ?? true }

  private static func holder(_ file: borrowing Lock) -> pid_t? {
    guard let lock = lock(of: file), isHeld(lock) else { return nil }
    // 0 for a process of another PID namespace.
    return lock.l_pid > 1 ? lock.l_pid : nil
  }

  private func open(_ flags: Int32) throws(Failure) -> Lock { Lock(descriptor: try PrivateFile.open(url.path, flags)) }
}

// MARK: - The log

extension WorkerFile {
  /// Creates the folder of the log if missing.
  public func createLogFolder() throws(Failure) {
    try PrivateFile.createFolder(
      logURL.deletingLastPathComponent(), "for the worker's log", help: "set HOME or XDG_STATE_HOME")
  }

  /// 64-bit FNV-1a of the folder's real path: short, and the same in every process.
  private static func digest(_ folder: URL) -> String {
    let real = realpath(folder.path, nil)
    defer { free(real) }
    let path = real.map { String(cString: $0) } ?? folder.standardizedFileURL.path
    return String(FNV1a(path).value, radix: 16)
  }
}
