import Glibc

/// Detects changes of a store's files without inotify, by their inodes, sizes and times. The change time reveals a file
/// that was moved away and back between two polls: observers that found it missing must be notified that it is back.
struct FileFingerprint: Equatable {
  private var parts: [Int64] = []

  init(of store: ObservedStore) {
    var folder = stat()
    let isThere = stat(store.folder + "/", &folder) == 0
    parts.append(isThere ? Int64(bitPattern: UInt64(folder.st_ino)) : 0)
    for name in [store.name, store.logName, store.notifyName] {
      var file = stat()
      guard lstat("\(store.folder)/\(name)", &file) == 0 else {
        parts += [0, 0, 0, 0]
        continue
      }
      parts.append(Int64(bitPattern: UInt64(file.st_ino)))
      parts.append(Int64(file.st_size))
      for time in [file.st_mtim, file.st_ctim] {
        parts.append(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
      }
    }
  }
}
