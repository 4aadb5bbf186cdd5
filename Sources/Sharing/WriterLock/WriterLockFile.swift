import Foundation

// THE FILE `<store>-turn`: whose turn it is to write. The first process to open the store for writing creates it with
// the store's permissions; each opens it once, and it is never removed. `<store>-stages` is the same for staged
// migrations, without a count.
//
// | offset | bytes | content | written by |
// |---:|---:|---|---|
// | 0 | 8 | none: these bytes are only locked | |
// | 8 | 8 | the number of commits that the history does not list, less the number by which its transactions exceed their commits, in host byte order | the process that holds byte 0 |
//
// | locked byte (OFD lock, fcntl(2)) | locked by |
// |---:|---|
// | 0 | the writer: from before BEGIN IMMEDIATE until COMMIT has returned, and around each checkpoint |
// | 1 | no process for long: it allows locking the other two in one call |
// | 2 | the next writer: from reaching the head of the queue until it has byte 0 |

/// One open file on `<store>-turn`.
struct WriterLockFile: Sendable {
  /// Held while a writer at the head of the queue waits for the writer lock. Without it, a writer that unlocks and
  /// locks again would overtake those that have yet to wake up.
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
        throw WriterLockError.system(
          LockFile.Failure(operation: "open", code: ENOENT), what: "open '\(path)'",
          help: "the folder of the store must be there")
      }
      self.file = file
    } catch let failure as LockFile.Failure {
      let help =
        switch failure.code {
        case ELOOP: "it is a symbolic link, which is refused: delete it"
        case EINVAL: "move it away"
        default: "the folder of the store and the file must be writable for all who write the store"
        }
      throw WriterLockError.system(failure, what: "open '\(path)'", help: help)
    }
  }

  func close() { file.close() }

  /// - Returns: false if another writer holds the lock or is at the head of the queue.
  func tryLock() throws -> Bool {
    try withErrors {
      // Locking all three bytes takes one system call instead of two.
      guard try file.tryLock(Self.writer.lowerBound...Self.queue.upperBound) else { return false }
      file.unlock(Self.writer.upperBound + 1...Self.queue.upperBound)
      return true
    }
  }

  /// Queues and waits indefinitely.
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
        failure, what: "\(failure.operation) '\(file.path)'",
        help: "the file system must support OFD locks, as local ones do")
    }
  }

  // MARK: - Holders

  /// Describes the processes that have the file open. The kernel reports no process for an OFD lock (/proc/locks shows
  /// -1), so any of them may hold the lock; processes of other users are not visible.
  /// - Parameter own: the caller's own descriptors.
  func holders(besides own: [Int32]) -> String {
    let names = FileUsers(of: file).names(besides: own.contains)
    if names.isEmpty { return "a process of another user has it" }
    return "one of these processes has it: " + names.joined(separator: ", ")
  }

  // MARK: - The count

  /// The count in a file, 0 if the file has no count, and whether a writer held the lock just before or after the count was
  /// read: then the count may be ahead of its commits, or behind.
  /// - Returns: nil if that cannot be determined now.
  static func count(at path: String) -> (Int64, isLocked: Bool)? {
    do {
      guard let file = try LockFile(path: path, for: .reading) else { return (0, isLocked: false) }
      defer { file.close() }
      let wasLocked = try file.isLocked(writer)
      let count = try count(in: file)
      return (count, isLocked: try wasLocked || file.isLocked(writer))
    } catch {
      return nil
    }
  }

  private static func count(in file: LockFile) throws -> Int64 {
    var count: Int64 = 0
    _ = try withUnsafeMutableBytes(of: &count) { try file.read(into: $0, at: countOffset) }
    return count
  }

  /// Changes the count. The caller must hold the writer lock.
  func changeCount(by change: Int64) {
    // If the count cannot be read or written, other processes merely refetch their objects.
    guard let count = try? Self.count(in: file) else { return }
    withUnsafeBytes(of: count &+ change) { try? file.write($0, at: Self.countOffset) }
  }
}
