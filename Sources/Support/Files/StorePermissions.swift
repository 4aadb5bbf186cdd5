import Glibc

/// Owner and permissions of the files that a process creates next to a store, for all users of the store.
package enum StorePermissions {
  /// Whether this process may create them. A process that may not write the store would own files that its writers
  /// could not open: reading another user's store must not lock its owner out.
  package static func mayCreate(besideStore path: String) -> Bool { access(path, W_OK) == 0 || errno == ENOENT }

  /// Whether the owner of a folder next to a store may write the store: the store's owner, this user, root, or a user
  /// whom the store's permissions allow to. Others must not have a say in which files are the store's.
  package static func mayWrite(store path: String, ownerOf folder: stat) -> Bool {
    if folder.st_uid == geteuid() || folder.st_uid == 0 { return true }
    var store = stat()
    guard stat(path, &store) == 0 else { return false }
    return folder.st_uid == store.st_uid || store.st_mode & 0o002 != 0
      || store.st_mode & 0o020 != 0 && folder.st_gid == store.st_gid
  }

  /// Gives a new file the owner and permissions of the store: users who may read or write the store may then do the
  /// same with the file. If this process lacks the right, the file stays as it was created.
  package static func copy(ofStore path: String, to descriptor: Int32) {
    copy(ofStore: path, to: descriptor) { $0 & 0o666 }
  }

  /// Does the same for a new folder, which users who may read the store may enter.
  package static func copy(ofStore path: String, toFolder descriptor: Int32) {
    copy(ofStore: path, to: descriptor) { $0 & 0o666 | ($0 & 0o444) >> 2 }
  }

  private static func copy(ofStore path: String, to descriptor: Int32, _ mode: (mode_t) -> mode_t) {
    var store = stat()
    guard stat(path, &store) == 0 else { return }
    if store.st_uid != geteuid() || store.st_gid != getegid() {
      // Only root may change the owner, but any user may give a file to one of their own groups.
      if fchown(descriptor, store.st_uid, store.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, store.st_gid) }
    }
    _ = fchmod(descriptor, mode(store.st_mode))
  }
}
