import Foundation

/// The processes that have a file open, as `/proc` shows them. Those of other users are not visible.
package struct FileUsers {
  private let isSame: (stat) -> Bool

  /// - Parameter path: the path of an existing file. The file is not opened: closing it would drop the locks that this
  ///   process has on it.
  package init?(of path: String) {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    let (device, inode) = (file.st_dev, file.st_ino)
    isSame = { $0.st_dev == device && $0.st_ino == inode }
  }

  init(of file: LockFile) { isSame = file.isSame }

  /// Returns the names of the processes, with their IDs, by ID.
  /// - Parameter isOwn: whether a descriptor of this process does not count.
  func names(besides isOwn: (Int32) -> Bool) -> [String] {
    Self.numbers(in: "/proc").sorted().compactMap { process in
      let isThis = process == getpid()
      guard descriptors(of: process).contains(where: { !isThis || !isOwn($0) }) else { return nil }
      let command = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
      let name = command.trimmingCharacters(in: .whitespacesAndNewlines)
      return isThis ? "\(process) (\(name), this process)" : "\(process) (\(name))"
    }
  }

  /// Describes who else has the file open.
  /// - Parameter ownCount: how often the caller has it open itself.
  package func others(besides ownCount: Int) -> String {
    var users = names { _ in true }
    if descriptors(of: getpid()).count > ownCount {
      users.insert("another coordinator or connection of this process", at: 0)
    }
    return users.isEmpty ? "a process of another user" : users.joined(separator: ", ")
  }

  private func descriptors(of process: Int32) -> [Int32] {
    Self.numbers(in: "/proc/\(process)/fd").filter { descriptor in
      var other = stat()
      return stat("/proc/\(process)/fd/\(descriptor)", &other) == 0 && isSame(other)
    }
  }

  private static func numbers(in folder: String) -> [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int32($0) }
  }
}
