import Foundation

/// Whether processes learn of each other's commits: by inotify(7).
struct InotifyLimitsCheck {
  /// The folder to try it on; nil for none.
  let folder: URL?

  var findings: [DoctorFinding] {
    library + [instances, watches]
  }

  private var library: [DoctorFinding] {
    #if InotifyTools
    [DoctorFinding("libinotifytools", .ok, SystemCheck.library("libinotifytools"))]
    #else
    []
    #endif
  }

  private static let advice =
    "raise fs.inotify.max_user_instances or max_user_watches with sysctl, or end programs that watch files"

  private var instances: DoctorFinding {
    let (used, _) = Self.used
    let text = "\(used) used by this user's processes, of \(Self.limit("max_user_instances").map(String.init) ?? "?")"
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      return DoctorFinding("inotify instances", .fail, "\(text); \(Self.systemError)", advice: Self.advice)
    }
    defer { close(descriptor) }
    if let folder, inotify_add_watch(descriptor, folder.path, UInt32(IN_MODIFY)) < 0 {
      return DoctorFinding(
        "inotify instances", .fail, "\(text); cannot watch '\(folder.path)': \(Self.systemError)", advice: Self.advice)
    }
    return isAlmost(used, of: "max_user_instances")
      ? DoctorFinding("inotify instances", .warn, text, advice: Self.advice)
      : DoctorFinding("inotify instances", .ok, text)
  }

  private var watches: DoctorFinding {
    let (_, used) = Self.used
    let text = "\(used) used by this user's processes, of \(Self.limit("max_user_watches").map(String.init) ?? "?")"
    return isAlmost(used, of: "max_user_watches")
      ? DoctorFinding("inotify watches", .warn, text, advice: Self.advice) : DoctorFinding("inotify watches", .ok, text)
  }

  /// Whether less than a tenth is left.
  private func isAlmost(_ used: Int, of limit: String) -> Bool {
    Self.limit(limit).map { used > $0 - $0 / 10 } ?? false
  }

  private static func limit(_ name: String) -> Int? {
    let text = ProcFile.text("/proc/sys/fs/inotify/\(name)")
    return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  private static var systemError: String { String(cString: strerror(errno)) }

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
