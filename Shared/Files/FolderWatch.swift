import Dispatch
import Foundation

/// Tells on the main queue that files appeared in a folder or disappeared from it, and what happens to one of them.
@MainActor
public final class FolderWatch {
  private static let events =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | Int32(IN_ONLYDIR)

  /// A process that ends closes its files.
  private nonisolated static let writing = IN_MODIFY | IN_CLOSE_WRITE

  private let source: any DispatchSourceRead

  /// - Parameter file: the path of a file that is watched too: for writes, and for the end of a process that has it open
  ///   for writing.
  /// - Returns: nil if the system cannot watch it.
  public init?(_ path: String, file: String? = nil, onChange: @escaping @MainActor @Sendable () -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, path, UInt32(Self.events)) >= 0 else {
      close(descriptor)
      return nil
    }
    // Called at each event: the file may be made later, or replaced by another.
    let watchFile: @Sendable () -> Void = {
      if let file { _ = inotify_add_watch(descriptor, file, UInt32(Self.writing)) }
    }
    watchFile()
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &bytes, bytes.count) > 0 {}
      watchFile()
      MainActor.assumeIsolated(onChange)
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  public func cancel() { source.cancel() }
}
