import Foundation
import StrataQuakes

/// Whether the store's folder is one that several processes of one user can share.
struct FolderCheck {
  let location: StoreLocation

  private var path: String { location.folder.path }

  var findings: [Finding] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return [
        Finding(
          "folder", .fail, "cannot access \(path): \(Failure.systemError())",
          advice: "run \"quakes workers start\", which creates it, or choose another with --store or QUAKES_STORE")
      ]
    }
    return [rights(status), system(status)].compactMap { $0 } + [space]
  }

  private func rights(_ status: stat) -> Finding {
    let mode = String(status.st_mode & 0o7777, radix: 8)
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return Finding("folder", .fail, "\(path) is not a folder", advice: "--store and QUAKES_STORE name a folder")
    }
    guard status.st_uid == geteuid() else {
      return Finding(
        "folder", .warn, "\(path) belongs to user \(status.st_uid), not to you",
        advice: "choose a folder of your own with --store or QUAKES_STORE")
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      return Finding(
        "folder", .fail, "cannot read and write \(path) (\(mode)): \(Failure.systemError())",
        advice: "run \"chmod u+rwx\" on it")
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      return Finding(
        "folder", .fail,
        "other users can write to \(path) (\(mode)), and change what you read and what your alerts run",
        advice: "if only you have written to it, run \"chmod go-w\" on it")
    }
    return Finding("folder", .ok, "only you can write to \(path) (\(mode))")
  }

  /// File systems that do not share memory between machines, or at all.
  private static let distant: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "coda", "lustre", "glusterfs", "sshfs",
  ]

  /// nil without a finding.
  private func system(_ status: stat) -> Finding? {
    guard let name = Self.fileSystem(ofDevice: status.st_dev),
      Self.distant.contains(name) || name.hasPrefix("fuse.")
    else { return nil }
    return Finding(
      "file system", .warn, "\(path) is on \(name), where processes on several hosts cannot share a store",
      advice: "use it from one host only, or choose a folder on a disk with --store or QUAKES_STORE")
  }

  /// The kind of a mounted file system: proc_pid_mountinfo(5).
  private static func fileSystem(ofDevice device: dev_t) -> String? {
    // String(contentsOfFile:) stops after the first page of a file of proc(5).
    let bytes = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/mountinfo")).readToEnd()
    let mounts = String(decoding: bytes ?? Data(), as: UTF8.self)
    let number = "\((device >> 8) & 0xFFF | (device >> 32) & ~0xFFF):\(device & 0xFF | (device >> 12) & ~0xFF)"
    for mount in mounts.split(separator: "\n") {
      let fields = mount.split(separator: " ")
      guard fields.count > 3, fields[2] == number, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
      else { continue }
      return String(fields[dash + 1])
    }
    return nil
  }

  private static let minimumFreeBytes: UInt64 = 50 << 20
  private static let comfortable: UInt64 = 500 << 20

  private var space: Finding {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else {
      return Finding("space", .warn, "cannot determine the free space on the disk of \(path): \(Failure.systemError())")
    }
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    guard status.f_flag & UInt(ST_RDONLY) == 0 else {
      return Finding(
        "space", .fail, "the disk of \(path) is mounted read-only",
        advice: "choose a folder on another disk with --store or QUAKES_STORE")
    }
    let text = "\(free >> 20) MB free on the disk of \(path)"
    // A month of all earthquakes takes about 30 MB, and writing it as much again.
    if free < Self.minimumFreeBytes { return Finding("space", .fail, text, advice: "free some space") }
    return free < Self.comfortable
      ? Finding("space", .warn, text, advice: "free some space") : Finding("space", .ok, text)
  }
}
