import Foundation

extension StoreLocation {
  /// The reason not to run alerts. The Personal store names programs that run as the user, so only the user may be able
  /// to write to it.
  ///
  /// - Returns: nil if alerts may run, or if the store does not exist.
  public var alertRefusal: String? {
    guard hasPersonal else { return nil }
    let files = [personalURL.path, personalURL.path + "-wal"]
    return Self.refusal(of: folder.path, isLink: true) ?? Self.refusal(of: folder.path)
      ?? files.lazy.compactMap { Self.refusal(of: $0) }.first
  }

  /// - Parameter isLink: looks at the path itself, which may be a symbolic link, and only at its owner.
  private static func refusal(of path: String, isLink: Bool = false) -> String? {
    var status = stat()
    guard (isLink ? lstat(path, &status) : stat(path, &status)) == 0 else {
      return errno == ENOENT ? nil : "alerts do not run: cannot access \(path): \(Failure.systemError())"
    }
    guard status.st_uid == geteuid() || isLink && status.st_uid == 0 else {
      return "alerts do not run: \(path) belongs to another user (\(status.st_uid)); choose a folder of your own"
    }
    guard isLink || status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      return
        "alerts do not run: other users can write to \(path); if only you have written to it, run \"chmod go-w\" on it"
    }
    return nil
  }
}
