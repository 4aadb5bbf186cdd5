import Foundation
import StrataCSQLite
import StrataRowStore

extension SQLiteFailure: EngineFailure {
  package var engineCode: Int32 { code }

  /// Converts the failure to a store's error: what was tried on which file, why it failed, what would help.
  /// - Parameter tried: completes "Cannot …", such as `open` or `write`.
  package func storeError(_ tried: String, path: String) -> StoreError {
    if code == Self.refusedByFunction { return StoreError(.unsupported, "The request was refused: \(message)") }
    let (code, reason) = diagnosis(of: path)
    return StoreError(code, "Cannot \(tried) the store '\(path)': \(reason) (\(self))", cause: self)
  }

  private func diagnosis(of path: String) -> (StoreError.Code, String) {
    switch primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED:
      (.busy, "another process kept it locked for longer than the timeout. Wait, or find its owner in /proc/locks.")
    case SQLITE_PROTOCOL:
      (.busy, "another process blocks its log, or was stopped. Wait, or find its owner in /proc/locks.")
    case SQLITE_NOTADB:
      (.corrupt, "the file is not an SQLite database. Restore it from a copy, or move it away to start a new one.")
    case SQLITE_CORRUPT:
      (.corrupt, "the file is damaged. Restore it from a copy, or save what is left with the sqlite3 shell's .recover.")
    case SQLITE_IOERR where code == Self.shortRead:
      (
        .corrupt,
        "the file was truncated during a read, as by copying another over it. Restore it while no program has it open."
      )
    case SQLITE_FULL:
      (.full, "the disk, a quota or the store's maximum size is exhausted. Nothing was changed; free some space.")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: Self.rights(to: path) ?? (.readOnly, "it is open for reading only.")
    case SQLITE_CANTOPEN where systemError == EMFILE || systemError == ENFILE:
      (.io, "no more files can be opened: \(String(cString: strerror(systemError))). Close some, or raise 'ulimit -n'.")
    case SQLITE_CANTOPEN: Self.obstacle(to: path)
    case SQLITE_CONSTRAINT: (.constraint, "two rows would share values that must be unique.")
    case SQLITE_ERROR where message.hasPrefix("no such"):
      (.corrupt, "its tables do not match the model. The file is damaged, or another program changed it.")
    case SQLITE_IOERR where systemError == ENOSPC || systemError == EDQUOT:
      (.full, "the disk or a quota is full. Nothing was changed; free some space.")
    default: (.io, "the system refused: \(systemError == 0 ? message : String(cString: strerror(systemError))).")
    }
  }

  /// Finds out why a file cannot be opened. See https://sqlite.org/rescode.html#cantopen
  private static func obstacle(to path: String) -> (StoreError.Code, String) {
    let folder = (path as NSString).deletingLastPathComponent
    var isFolder: ObjCBool = false
    if let refusal = refusingFolder(above: path) { return refusal }
    if !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) {
      return (.notOpen, "the folder '\(folder)' does not exist; create it first.")
    }
    if !isFolder.boolValue { return (.notOpen, "'\(folder)' is a file, not a folder.") }
    if FileManager.default.fileExists(atPath: path) {
      return rights(to: path) ?? (.notOpen, "the files '-wal' and '-shm' next to it cannot be used.")
    }
    return rights(to: folder) ?? (.notOpen, "the file does not exist; open it for writing once to create it.")
  }

  /// The outermost folder on the way to a file that this user may not enter.
  private static func refusingFolder(above path: String) -> (StoreError.Code, String)? {
    var folders: [String] = []
    var folder = (path as NSString).deletingLastPathComponent
    while !folder.isEmpty, folder != folders.last {
      folders.append(folder)
      folder = (folder as NSString).deletingLastPathComponent
    }
    // With "/.", because a file has no right to be entered either.
    guard let closed = folders.last(where: { access($0 + "/.", X_OK) != 0 && errno == EACCES }) else { return nil }
    return (.permission, "this user may not enter the folder '\(closed)'; check its permissions.")
  }

  private static func rights(to path: String) -> (StoreError.Code, String)? {
    let folder = (path as NSString).deletingLastPathComponent
    if access(path, R_OK) != 0 && errno == EACCES {
      return (.permission, "this user may not read it; check its permissions.")
    }
    if access(path, W_OK) != 0 && (errno == EACCES || errno == EROFS) {
      return (.permission, "this user may not write it; check its permissions, or open it read-only.")
    }
    if access(folder, W_OK) != 0 && (errno == EACCES || errno == EROFS) {
      return (.permission, "this user may not write in the folder '\(folder)', where '-wal' and '-shm' are created.")
    }
    return nil
  }
}
