import Foundation

/// Whether a folder can have stores that several processes share.
public struct FolderCheck: Sendable {
  let path: String
  /// Whether this user must be able to write in the folder, and no other user may.
  let isPrivate: Bool
  /// The damage that other users can do if they can write in the folder.
  let harm: String
  /// With less free space, the check fails.
  let minimumBytes: UInt64
  /// With less free space, the check warns.
  let comfortableBytes: UInt64
  let adviceIfMissing: String?
  /// How to use another folder.
  let adviceToMove: String

  public init(
    _ path: String, isPrivate: Bool, harm: String, minimumBytes: UInt64 = 0, comfortableBytes: UInt64,
    adviceIfMissing: String? = nil, adviceToMove: String
  ) {
    (self.path, self.isPrivate, self.harm) = (path, isPrivate, harm)
    (self.minimumBytes, self.comfortableBytes) = (minimumBytes, comfortableBytes)
    (self.adviceIfMissing, self.adviceToMove) = (adviceIfMissing, adviceToMove)
  }

  public var findings: [Finding] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return [Finding("folder", .fail, "cannot access '\(path)': \(systemError)", advice: adviceIfMissing)]
    }
    return [rights(status), fileSystem, space]
  }

  private var systemError: String { String(cString: strerror(errno)) }

  private func rights(_ status: stat) -> Finding {
    let shown = "'\(path)' (\(String(status.st_mode & 0o7777, radix: 8)))"
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return Finding("folder", .fail, "'\(path)' is not a folder", advice: adviceToMove)
    }
    guard !isPrivate || status.st_uid == geteuid() else {
      return Finding(
        "folder", .warn, "'\(path)' belongs to user \(status.st_uid), not to you", advice: adviceToMove)
    }
    guard access(path, R_OK | X_OK) == 0 else {
      return Finding("folder", .fail, "\(shown) cannot be read", advice: "run \"chmod u+rx\" on it")
    }
    guard access(path, W_OK) == 0 else {
      // Then the finding about the space has the advice.
      let isReadOnlyDisk = errno == EROFS
      return Finding(
        "folder", isPrivate ? .fail : .warn,
        "\(shown) cannot be written" + (isPrivate ? "" : ", so stores in it can only be read"),
        advice: isReadOnlyDisk ? nil : "run \"chmod u+w\" on it")
    }
    // In a sticky folder, others cannot replace files, but they can create them. A group may share a folder.
    let others = isPrivate ? S_IWGRP | S_IWOTH : status.st_mode & S_ISVTX == 0 ? S_IWOTH : 0
    guard status.st_mode & others == 0 else {
      return Finding(
        "folder", isPrivate ? .fail : .warn, "other users can write to \(shown), and \(harm)",
        advice: "if only you have written to it, run \"chmod \(isPrivate ? "go" : "o")-w\" on it")
    }
    return Finding("folder", .ok, isPrivate ? "only you can write to \(shown)" : shown)
  }

  /// Those on which a store is not opened: they do not share memory between machines, or do not report remote changes.
  private static let refused: Set = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "virtiofs"]
  /// Others that machines share.
  private static let remote: Set = ["afs", "coda", "gfs2", "lustre", "ocfs2"]

  static func state(ofFileSystem kind: String) -> Finding.State {
    // Such as fuseblk and fuse.sshfs.
    refused.contains(kind) || kind.hasPrefix("fuse") ? .fail : remote.contains(kind) ? .warn : .ok
  }

  private var fileSystem: Finding {
    let kind = ProcFile.fileSystem(of: path)
    let state = kind.map(Self.state) ?? .ok
    return state == .ok
      ? Finding("file system", .ok, kind ?? "of an unknown kind")
      : Finding(
        "file system", state, "\(kind ?? ""), where processes on several hosts cannot share a store",
        advice: adviceToMove)
  }

  private var space: Finding {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return Finding("space", .warn, "unknown: \(systemError)") }
    guard status.f_flag & UInt(ST_RDONLY) == 0 else {
      let text = "the disk is mounted read-only"
      return isPrivate
        ? Finding("space", .fail, text, advice: adviceToMove)
        : Finding("space", .warn, text + ", so stores on it can only be read")
    }
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    let text = "\(free >> 20) MiB free"
    return free >= comfortableBytes
      ? Finding("space", .ok, text)
      : Finding(
        "space", free < minimumBytes ? .fail : .warn, text,
        advice: "free some space: saves fail when the disk is full")
  }
}
