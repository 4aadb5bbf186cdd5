import Foundation

/// Files of proc(5), whose size is not known: `String(contentsOfFile:)` stops after their first page.
public enum ProcFile {
  /// nil if the file cannot be read.
  public static func text(_ path: String) -> String? {
    let bytes = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd()
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The kind of the file system that a folder is on, such as ext4; nil if the folder cannot be read.
  static func fileSystem(of folder: String) -> String? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let fields = text("/proc/self/fdinfo/\(descriptor)")?.split(whereSeparator: \.isWhitespace) ?? []
    guard let name = fields.firstIndex(of: "mnt_id:"), name + 1 < fields.count else { return nil }
    return fileSystem(ofMount: fields[name + 1], in: text("/proc/self/mountinfo") ?? "")
  }

  /// The kind of a mounted file system in a table of proc_pid_mountinfo(5): it follows the dash after the optional fields.
  static func fileSystem(ofMount id: Substring, in mounts: String) -> String? {
    let mount = mounts.split(separator: "\n").lazy.map { $0.split(separator: " ") }.first { $0.first == id }
    guard let mount, let dash = mount.firstIndex(of: "-"), dash + 1 < mount.count else { return nil }
    return String(mount[dash + 1])
  }
}
