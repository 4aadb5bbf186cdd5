import Foundation

/// One open file on `<store>-turn`.
///
/// | offset | bytes | content |
/// |-------:|------:|---------|
/// | 0 | 1 | its lock is the writer lock |
/// | 1 | 1 | its lock is nobody's: it lets the two others be locked in one call |
/// | 2 | 1 | its lock is the place at the head of the queue |
/// | 8 | 8 | how many commits were announced that the history does not tell, in the byte order of the machine |
struct WriterLockFile: Sendable {
  /// The lock is held from a writer's coming to the head of the queue until it has the writer lock. Without it, whoever
  /// unlocks and wants the lock again is faster than those who have yet to wake up.
  private static let queue = 2...2
  private static let writer = 0...0
  private static let countOffset = 8

  private let file: LockFile

  var descriptor: Int32 { file.descriptor }
  var isInPlace: Bool { file.isInPlace }

  /// - Throws: `WriterLockError`
  init(path: String, storePath: String) throws {
    do {
      guard let file = try LockFile(path: path, for: .writing(besideStore: storePath)) else {
        throw WriterLockError.system(ENOENT, "open '\(path)'", help: "the folder of the store must be there")
      }
      self.file = file
    } catch let failure as LockFile.Failure {
      let help =
        failure.code == ELOOP
        ? "it is a symbolic link, which is refused: delete it"
        : "the folder of the store and the file must be writable for all who write the store"
      throw WriterLockError.system(failure.code, "open '\(path)'", help: help)
    }
  }

  func close() { file.close() }

  /// - Returns: false if somebody else has the writer lock, or stands next in the queue.
  func tryLock() throws -> Bool {
    try withErrors {
      // One lock of all three bytes is one system call less than two locks.
      guard try file.tryLock(Self.writer.lowerBound...Self.queue.upperBound) else { return false }
      file.unlock(Self.writer.upperBound + 1...Self.queue.upperBound)
      return true
    }
  }

  /// Queues and waits, however long it takes.
  func lockWaiting() throws {
    try withErrors {
      try file.lock(Self.queue)
      defer { file.unlock(Self.queue) }
      try file.lock(Self.writer)
    }
  }

  func unlock() { file.unlock(Self.writer) }

  private func withErrors<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let failure as LockFile.Failure {
      throw WriterLockError.system(
        failure.code, "\(failure.operation) '\(file.path)'",
        help: "the file system must support OFD locks, as local ones do")
    }
  }

  // MARK: - Holders

  /// Who has the file open. The kernel names no process for an OFD lock (/proc/locks shows -1), so these are all who may
  /// have the lock; processes of other users are not shown.
  /// - Parameter own: the caller's own descriptors.
  func holders(besides own: [Int32]) -> String {
    let names = Self.numbers(in: "/proc").sorted().filter { isOpen(in: $0, besides: own) }.map { process in
      let command = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
      let name = command.trimmingCharacters(in: .whitespacesAndNewlines)
      return process == getpid() ? "\(process) (\(name), this process)" : "\(process) (\(name))"
    }
    if names.isEmpty { return "a process of another user has it" }
    return "one of these processes has it: " + names.joined(separator: ", ")
  }

  private func isOpen(in process: Int32, besides own: [Int32]) -> Bool {
    Self.numbers(in: "/proc/\(process)/fd").contains { descriptor in
      if process == getpid(), own.contains(descriptor) { return false }
      var other = stat()
      return stat("/proc/\(process)/fd/\(descriptor)", &other) == 0 && file.isSame(other)
    }
  }

  private static func numbers(in folder: String) -> [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int32($0) }
  }

  // MARK: - The count

  /// The count in a file, 0 if there is no file or none in it, and whether somebody had the writer lock after it was read.
  /// - Returns: nil if that cannot be found out now.
  static func count(at path: String) -> (Int64, isLocked: Bool)? {
    do {
      guard let file = try LockFile(path: path, for: .reading) else { return (0, isLocked: false) }
      defer { file.close() }
      return (try count(in: file), isLocked: try file.isLocked(writer))
    } catch {
      return nil
    }
  }

  private static func count(in file: LockFile) throws -> Int64 {
    var count: Int64 = 0
    _ = try withUnsafeMutableBytes(of: &count) { try file.read(into: $0, at: countOffset) }
    return count
  }

  /// Makes the count greater by one. The caller must hold the writer lock.
  func raiseCount() {
    let count = ((try? Self.count(in: file)) ?? 0) &+ 1
    // A count that cannot be written makes others read their objects again, and no more.
    withUnsafeBytes(of: count) { try? file.write($0, at: Self.countOffset) }
  }
}
