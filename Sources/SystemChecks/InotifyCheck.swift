import Foundation

/// Whether processes are notified of each other's commits by inotify(7). Without it, they poll.
public struct InotifyCheck: Sendable {
  /// The folder to watch; nil to watch none.
  let folder: String?

  public init(folder: String?) { self.folder = folder }

  public var findings: [Finding] {
    let used = Self.used
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    let instance = descriptor < 0 ? errno : nil
    var watch: Int32?
    if descriptor >= 0 {
      if let folder, inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY)) < 0 { watch = errno }
      close(descriptor)
    }
    return [
      finding("instances", used.instances, "create another", error: instance),
      finding("watches", used.watches, "watch the folder", error: watch),
    ]
  }

  /// - Parameter error: the reason that the action failed; nil if it did not.
  private func finding(_ kind: String, _ used: Int, _ action: String, error: Int32?) -> Finding {
    let text = ProcFile.text("/proc/sys/fs/inotify/max_user_\(kind)")
    let limit = text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    let usage = "\(used) used by this user's processes, of \(limit.map(String.init) ?? "?")"
    let failure = error.map { "; cannot \(action): \(String(cString: strerror($0)))" } ?? ""
    // Less than a tenth is left.
    let isAlmost = limit.map { used > $0 - $0 / 10 } ?? false
    let isLimit = error.map { [EMFILE, ENFILE, ENOSPC].contains($0) } ?? isAlmost
    return Finding(
      "inotify \(kind)", error == nil && !isAlmost ? .ok : .warn, usage + failure,
      advice: isLimit ? "raise fs.inotify.max_user_\(kind) with sysctl, or end programs that watch files" : nil)
  }

  /// The instances and watches of the processes that may be looked at: proc_pid_fdinfo(5).
  private static var used: (instances: Int, watches: Int) {
    var (instances, watches) = (0, 0)
    let manager = FileManager.default
    for process in (try? manager.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(process) != nil {
      var status = stat()
      guard stat("/proc/\(process)", &status) == 0, status.st_uid == geteuid() else { continue }
      for descriptor in (try? manager.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? [] {
        let target = try? manager.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)")
        guard target == "anon_inode:inotify" else { continue }
        instances += 1
        let text = ProcFile.text("/proc/\(process)/fdinfo/\(descriptor)")
        watches += text?.split(separator: "\n").count { $0.hasPrefix("inotify wd:") } ?? 0
      }
    }
    return (instances, watches)
  }
}
