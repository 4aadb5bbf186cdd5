import Foundation

/// The locks that a running worker holds, so that it is the only one: of the file in the store's folder, and of a file for
/// the folder's path, which stays if the folder is deleted or moved.
///
/// The locks belong to the process: they hold off other processes, and end if this one opens and closes a file again. The
/// kernel releases them when the process ends.
public final class WorkerLock {
  private let file: WorkerFile
  /// -1 without a state folder that can be written: the file in the store's folder then counts alone.
  private let pathDescriptor: Int32
  private var descriptor: Int32

  /// - Throws: `Failure` with status 75 if another worker holds one of them.
  init(_ file: WorkerFile) throws(Failure) {
    self.file = file
    pathDescriptor = try Self.lockPath(of: file)
    do {
      descriptor = try Self.lockFile(file)
    } catch {
      if pathDescriptor >= 0 { close(pathDescriptor) }
      throw error
    }
  }

  /// Takes over the locks of this process's former self, before it opens another descriptor of their files.
  ///
  /// - Parameter inherited: the former `descriptors`.
  /// - Throws: `Failure` with status 75 if another worker holds one of the locks by now.
  init(_ file: WorkerFile, inherited: Descriptors) throws(Failure) {
    self.file = file
    (descriptor, pathDescriptor) = (inherited.file, inherited.path)
    // Linux before 5.11 drops these locks when a process with several threads executes a program.
    for (descriptor, url) in [(descriptor, file.url), (pathDescriptor, file.lockURL)] where descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      try Self.lock(descriptor, url)
    }
  }

  /// The open files, which a program that this process executes inherits together with their locks.
  public struct Descriptors: Codable, Sendable {
    var file: Int32
    var path: Int32

    public var all: [Int32] { [file, path].filter { $0 >= 0 } }
    var areFiles: Bool {
      all.allSatisfy { descriptor in
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      }
    }
  }

  public var descriptors: Descriptors { Descriptors(file: descriptor, path: pathDescriptor) }

  deinit {
    close(descriptor)
    if pathDescriptor >= 0 { close(pathDescriptor) }
  }

  /// Whether the locked file is still the one in the store's folder.
  public var isCurrent: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(file.url.filePath) == FileIdentity(status)
  }

  /// Locks the file in the store's folder again if it was deleted, moved or replaced. Creates the folder if missing.
  ///
  /// - Throws: `Failure` with status 75 if another worker locked it, and 4 if it cannot be created.
  public func renew() throws(Failure) {
    guard !isCurrent else { return }
    let former = descriptor
    descriptor = try Self.lockFile(file)
    // The worker did not die there.
    ftruncate(former, 0)
    close(former)
  }

  /// Removes the worker's ID from the file, since the worker ends as it should. The locks end with this object.
  public func end() { ftruncate(descriptor, 0) }

  private static func lockPath(of file: WorkerFile) throws(Failure) -> Int32 {
    guard (try? file.createLogFolder()) != nil,
      let descriptor = try? PrivateFile.open(file.lockURL.path, O_RDWR | O_CREAT)
    else { return -1 }
    try lock(descriptor, file.lockURL)
    return descriptor
  }

  private static func lockFile(_ file: WorkerFile) throws(Failure) -> Int32 {
    try file.location.createFolder()
    let descriptor = try PrivateFile.open(file.url.path, O_RDWR | O_CREAT)
    try lock(descriptor, file.url)
    let text = "\(getpid())\n"
    ftruncate(descriptor, 0)
    guard pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count else {
      let reason = Failure.systemError()
      close(descriptor)
      throw Failure(.storeUnavailable, "cannot write \(file.url.path): \(reason)")
    }
    return descriptor
  }

  /// Closes the file if it cannot be locked.
  private static func lock(_ descriptor: Int32, _ url: URL) throws(Failure) {
    var whole = WorkerFile.wholeFile
    guard fcntl(descriptor, F_SETLK, &whole) != 0 else { return }
    let code = errno
    defer { close(descriptor) }
    guard code == EAGAIN || code == EACCES else {
      throw Failure(.storeUnavailable, "cannot lock \(url.path): \(Failure.systemError(code))")
    }
    let holder = WorkerFile.holder(descriptor).map { "process \($0)" } ?? "another process"
    throw Failure(.busy, "\(holder) already fetches into this store; stop it with \"quakes workers stop\"")
  }
}
