import Foundation

/// Notices what happens to a folder: files that appear in it or disappear, and the folder's own removal, renaming or
/// replacement, also by that of a folder above it.
///
/// Without the folder, the nearest one above it that exists is watched, so that the folder is noticed when it appears.
public final class FolderMonitor: Sendable {
  private static let entries = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
  private static let arrivals = IN_CREATE | IN_MOVED_TO
  private static let itself = IN_DELETE_SELF | IN_MOVE_SELF
  /// A process that ends closes its files.
  private static let writing = IN_MODIFY | IN_CLOSE_WRITE
  /// Folders may appear while they are watched.
  private static let maximumAttempts = 10

  /// Becomes readable when something happened.
  public let descriptor: Int32
  private let path: String
  private let file: String?

  /// - Parameter file: the path of a file that is watched too: for writes, and for the end of a process that has it open
  ///   for writing.
  /// - Returns: nil if the system cannot watch anything; `errno` has the reason.
  public init?(_ path: String, file: String? = nil) {
    (self.path, self.file) = (path, file)
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    renew()
  }

  deinit { close(descriptor) }

  /// Discards the events so far, and watches what the path leads to by now.
  public func drain() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    renew()
  }

  private func renew() {
    let real = RealPath.of(path)
    for _ in 0..<Self.maximumAttempts {
      guard watchFolder(real) else { continue }
      break
    }
    // Each folder or link on the way may be replaced.
    for start in real == path ? [real] : [path, real] {
      var way = start
      while way != "/", way.hasPrefix("/") {
        add(way, Self.itself | Int32(IN_DONT_FOLLOW))
        way = (way as NSString).deletingLastPathComponent
      }
    }
    if let file { add(file, Self.writing) }
  }

  /// - Returns: false if the folder, or one above it, appeared at the same time.
  private func watchFolder(_ real: String) -> Bool {
    var way = real
    guard !add(way, Self.entries | Int32(IN_ONLYDIR)) else { return true }
    while way != "/", way.hasPrefix("/") {
      let child = way
      way = (way as NSString).deletingLastPathComponent
      if add(way, Self.arrivals | Int32(IN_ONLYDIR)) { return access(child, F_OK) != 0 }
    }
    return true
  }

  /// Adds to what is watched of the same file.
  @discardableResult private func add(_ path: String, _ events: Int32) -> Bool {
    inotify_add_watch(descriptor, path, UInt32(bitPattern: events | Int32(IN_MASK_ADD))) >= 0
  }
}
