#if InotifyTools
import StrataCInotifyTools
import Glibc

/// Wraps libinotifytools and works around its quirks. It has one instance per process and is not thread-safe, so only
/// the watcher's thread uses it. It is opened once and never closed, because after a restart it reports stale events.
final class InotifyTools: FolderEventSource {
  let descriptor: Int32

  /// The number of watches ever set; see `spelling(of:)`.
  private var generation: UInt64 = 0

  /// - Throws: `SignalError` with EMFILE if the user has no inotify instance left (128 by default), with ENFILE if
  ///   `select` cannot handle the descriptor, with ENOENT if /proc does not show it.
  init() throws {
    let before = Self.openInstances()
    guard inotifytools_initialize() != 0 else {
      throw SignalError.system(
        inotifytools_error(), what: "open inotify",
        help: "raise fs.inotify.max_user_instances (128 a user by default)")
    }
    guard let descriptor = Self.openInstances().subtracting(before).min() else {
      throw SignalError.system(ENOENT, what: "find the inotify descriptor in /proc/self/fd")
    }
    // The library calls select(2), which would write past the end of its fd_set.
    guard descriptor < 1024 else {
      throw SignalError.system(
        ENFILE, what: "use inotify with descriptor \(descriptor): select(2) ends at 1023",
        help: "open the store before the program opens so many files")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    self.descriptor = descriptor
  }

  func watch(_ target: WatchTarget, folder: String, name: String, for changes: FolderChange) throws -> Int32 {
    let path = spelling(of: folder) + "/" + name
    guard inotifytools_watch_file(path, Int32(bitPattern: changes.rawValue | target.flags)) != 0 else {
      throw SignalError.watch(folder: folder, name: name, inotifytools_error())
    }
    let watch = inotifytools_wd_from_filename(path)
    guard watch > 0 else { throw SignalError.system(ENOENT, what: "find the watch of '\(folder)/\(name)'") }
    return watch
  }

  /// Removes a watch unless it has already ended, which would make the library complain on stderr.
  func unwatch(_ watch: Int32) {
    guard isAlive(watch) else { return }
    _ = inotifytools_remove_watch_by_wd(watch)
  }

  /// Whether the kernel lists the watch, in lines such as "inotify wd:1f ino:…" (proc_pid_fdinfo(5)).
  private func isAlive(_ watch: Int32) -> Bool {
    let file = open("/proc/self/fdinfo/\(descriptor)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return true }
    defer { close(file) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(file, &part, part.count)
      if count <= 0 { break }
      text += part[..<count]
    }
    return String(decoding: text, as: UTF8.self).contains("inotify wd:\(String(watch, radix: 16)) ")
  }

  func next() throws -> FolderEvent? {
    while true {
      if let event = inotifytools_next_events(0, 1) {
        return FolderEvent(
          watch: event.pointee.wd, change: FolderChange(rawValue: event.pointee.mask), name: Self.name(of: event))
      }
      let code = inotifytools_error()
      if code == 0 { return nil }
      guard code == EINTR else { throw SignalError.system(code, what: "read inotify's events") }
    }
  }

  /// A spelling of the folder's path that was never used before: the generation in binary, "/." for 1 and "/" for 0.
  ///
  /// The library keeps the name of a watch that the kernel dropped, offers no way to remove it, and returns the stale
  /// number for that name for ever. A name used only once cannot be confused; what leaks is some hundred bytes each
  /// time a folder or WAL is replaced.
  private func spelling(of folder: String) -> String {
    generation += 1
    var path = folder
    var rest = generation
    while rest > 0 {
      path += rest & 1 == 1 ? "/." : "/"
      rest >>= 1
    }
    return path
  }

  /// The name follows the event's 16-byte header, NUL-terminated; `len` is 0 for an event without a name.
  private static func name(of event: UnsafeMutablePointer<inotify_event>) -> String {
    guard event.pointee.len > 0 else { return "" }
    return String(cString: (UnsafeRawPointer(event) + 16).assumingMemoryBound(to: CChar.self))
  }

  /// The inotify descriptors of this process; the library does not reveal its own.
  private static func openInstances() -> Set<Int32> {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var found: Set<Int32> = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let descriptor = Int32(name) else { continue }
      var target = [CChar](repeating: 0, count: 64)
      guard readlink("/proc/self/fd/\(name)", &target, 63) > 0 else { continue }
      if strcmp(target, "anon_inode:inotify") == 0 { found.insert(descriptor) }
    }
    return found
  }
}
#endif
