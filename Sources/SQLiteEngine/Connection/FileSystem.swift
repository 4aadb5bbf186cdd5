import Foundation
import StrataCSQLite
import StrataRowStore
import StrataSupport

/// The requirements of a store on its file system.
package enum FileSystem {
  /// Network file systems by `f_type` of statfs(2): they share no memory between machines and report no remote events.
  private static func network(_ type: Int) -> String? {
    switch type {
    case 0x6969: "NFS"
    case 0x517B: "SMB"
    case 0xFF53_4D42: "CIFS"
    case 0xFE53_4D42: "SMB2"
    case 0x0102_1997: "9P"
    case 0x6573_5546: "FUSE"
    case 0x00C3_6400: "Ceph"
    default: nil
    }
  }

  /// Throws `StoreError` if the store's path, or that of a file that SQLite opens next to it, is not a file.
  static func refuseOthers(_ path: String) throws {
    for file in [path, path + "-wal", path + "-shm", path + "-journal"] {
      guard let kind = FileKind.other(at: file) ?? (file == path ? nil : link(at: file)) else { continue }
      let name = file == path ? "it" : "'\(file)'"
      throw StoreError(
        .notOpen,
        "Cannot open the store '\(path)': \(name) is \(kind), not a file. Move it away, or open another store.")
    }
  }

  /// The name of a symbolic link in messages; nil for anything else. SQLite follows no link next to a store.
  private static func link(at path: String) -> String? {
    var found = stat()
    return lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFLNK ? FileKind.other(found) : nil
  }

  /// Throws `StoreError` if a path is on a network file system.
  package static func refuseNetwork(_ path: String) throws {
    let kind = strata_file_system_type((path as NSString).deletingLastPathComponent)
    guard let name = network(Int(kind)) else { return }
    throw StoreError(
      .unsupported,
      "Cannot open the store '\(path)': its folder is on \(name), where several processes cannot share a store. "
        + "Use a folder on a local file system.")
  }
}
