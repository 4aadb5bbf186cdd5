import Foundation
import StrataRowStore
import StrataSQLiteEngine

/// Whether a folder can have stores that several processes share.
struct StoreFolderCheck {
  let path: String

  var findings: [DoctorFinding] { [rights, system, space] }

  private var systemError: String { String(cString: strerror(errno)) }

  private var rights: DoctorFinding {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return DoctorFinding("folder", .fail, "cannot access '\(path)': \(systemError)")
    }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    guard access(path, R_OK | X_OK) == 0 else {
      return DoctorFinding("folder", .fail, "'\(path)' (\(mode)) cannot be read", advice: "run chmod u+rx on it")
    }
    guard access(path, W_OK) == 0 else {
      return DoctorFinding(
        "folder", .warn, "'\(path)' (\(mode)) cannot be written, so stores in it can only be read",
        advice: "run chmod u+w on it")
    }
    guard status.st_mode & S_IWOTH == 0 || status.st_mode & S_ISVTX != 0 else {
      return DoctorFinding(
        "folder", .warn, "every user can write to '\(path)' (\(mode)), and so replace stores in it",
        advice: "run chmod o-w on it")
    }
    return DoctorFinding("folder", .ok, "'\(path)' (\(mode))")
  }

  private var system: DoctorFinding {
    do {
      // Asked for a file in the folder.
      try FileSystem.refuseNetwork(path + "/Store.sqlite")
    } catch let error as StoreError {
      return DoctorFinding("file system", .fail, error.message, advice: "move the store to a local disk")
    } catch {
      return DoctorFinding("file system", .fail, "\(error)")
    }
    return DoctorFinding("file system", .ok, Self.name(of: path) ?? "of an unknown kind")
  }

  /// The kind of the file system that a path is on, by its mount point: proc_pid_mountinfo(5).
  private static func name(of path: String) -> String? {
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let mounts = ProcFile.text("/proc/self/mountinfo") ?? ""
    let found = mounts.split(separator: "\n").compactMap { mount -> (point: String, kind: String)? in
      let fields = mount.split(separator: " ")
      guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
      let point = String(fields[4])
      guard point == "/" || real == point || real.hasPrefix(point + "/") else { return nil }
      return (point, String(fields[dash + 1]))
    }
    // Of several at one point, the last covers the others.
    return found.enumerated().max { ($0.element.point.count, $0.offset) < ($1.element.point.count, $1.offset) }?
      .element.kind
  }

  private static let fewBytes: UInt64 = 100 << 20

  private var space: DoctorFinding {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return DoctorFinding("space", .warn, "unknown: \(systemError)") }
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    guard status.f_flag & UInt(ST_RDONLY) == 0 else {
      return DoctorFinding("space", .warn, "the disk is mounted read-only, so stores on it can only be read")
    }
    let text = "\(free >> 20) MiB free"
    return free < Self.fewBytes
      ? DoctorFinding("space", .warn, text, advice: "free some space: saves fail when the disk is full")
      : DoctorFinding("space", .ok, text)
  }
}
