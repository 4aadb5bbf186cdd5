import Glibc

/// Owner and permissions of the files that a process makes beside a store, for all who use the store.
package enum StorePermissions {
  /// Whether this process may make them. One that may not write the store would own files that those who may could not
  /// open: a look into somebody's store must not lock its owner out.
  package static func mayCreate(besideStore path: String) -> Bool { access(path, W_OK) == 0 || errno == ENOENT }

  /// Gives a new file the owner and permissions of the store: whoever may read or write the store must be able to do
  /// the same there. If we cannot grant that, the file stays as it was made.
  package static func copy(ofStore path: String, to descriptor: Int32) {
    var store = stat()
    guard stat(path, &store) == 0 else { return }
    if store.st_uid != geteuid() || store.st_gid != getegid() { _ = fchown(descriptor, store.st_uid, store.st_gid) }
    _ = fchmod(descriptor, store.st_mode & 0o666)
  }

  /// Does the same for a new folder; whoever may read the store may enter it.
  package static func copy(ofStore path: String, toFolder folder: String) {
    var store = stat()
    guard stat(path, &store) == 0 else { return }
    if store.st_uid != geteuid() || store.st_gid != getegid() { _ = lchown(folder, store.st_uid, store.st_gid) }
    _ = chmod(folder, store.st_mode & 0o666 | (store.st_mode & 0o444) >> 2)
  }
}
