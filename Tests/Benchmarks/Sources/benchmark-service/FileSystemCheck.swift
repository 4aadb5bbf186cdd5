import Foundation

/// The file system of a folder. On one that is kept in memory, no sync takes time.
struct FileSystemCheck {
  /// The kernel's name, such as "ext4".
  let name: String

  var isInMemory: Bool { name == "tmpfs" || name == "ramfs" }

  init(of folder: URL) throws {
    let path = folder.resolvingSymlinksInPath().path + "/"
    // For example: 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext4 /dev/root rw,errors=continue
    let mounts = try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8).split(separator: "\n")
    var found = (point: "", name: "unknown file system")
    for mount in mounts {
      let fields = mount.split(separator: " ")
      guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex else { continue }
      let point = fields[4] == "/" ? "/" : fields[4] + "/"
      // The last mount on a point hides those before.
      if path.hasPrefix(point), point.count >= found.point.count { found = (String(point), String(fields[dash + 1])) }
    }
    name = found.name
  }
}
