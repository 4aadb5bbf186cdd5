import Glibc

/// Reads the events of inotify(7) without a library. Only the watcher's thread uses it.
package final class Inotify: FolderEventSource {
  package let descriptor: Int32

  /// The events of the last `read`, and the part of them that `next` has not returned yet.
  private var buffer = [UInt8](repeating: 0, count: 4096)
  private var pending = 0..<0

  /// - Throws: `SignalError` with EMFILE if the user has no inotify instance left (128 by default).
  package init() throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      throw SignalError.system(
        errno, what: "open inotify", help: "raise fs.inotify.max_user_instances (128 a user by default)")
    }
  }

  deinit { close(descriptor) }

  package func watch(_ target: WatchTarget, folder: String, name: String, for changes: FolderChange) throws -> Int32 {
    let watch = inotify_add_watch(descriptor, "\(folder)/\(name)", changes.rawValue | target.flags)
    guard watch >= 0 else { throw SignalError.watch(folder: folder, name: name, errno) }
    return watch
  }

  /// Fails without harm if the watch has already ended.
  package func unwatch(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  package func next() throws -> FolderEvent? {
    while pending.isEmpty {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        pending = 0..<count
      } else if errno == EAGAIN {
        return nil
      } else if errno != EINTR {
        throw SignalError.system(errno, what: "read inotify's events")
      }
    }
    return takeEvent()
  }

  /// An event is a header of 16 bytes and the name, padded with NULs. The kernel never splits one between two reads.
  private func takeEvent() -> FolderEvent {
    buffer.withUnsafeBytes { bytes in
      let start = pending.lowerBound
      let header = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
      let end = start + MemoryLayout<inotify_event>.size + Int(header.len)
      let name = bytes[start + MemoryLayout<inotify_event>.size..<end].prefix { $0 != 0 }
      pending = end..<pending.upperBound
      return FolderEvent(
        watch: header.wd, change: FolderChange(rawValue: header.mask), name: String(decoding: name, as: UTF8.self))
    }
  }
}
