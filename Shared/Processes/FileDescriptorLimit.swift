import Foundation

/// Whether this process can still open files.
public enum FileDescriptorLimit {
  /// Enough for any program that waits: the live screen opens the most, 23.
  private static let needed = 28

  /// Checks that the process can open enough files. Programs that wait for commits call this first, because Dispatch ends a
  /// process without a message if it cannot open the descriptors that it waits with.
  ///
  /// - Throws: `Failure` if too few files can be opened.
  public static func check() throws(Failure) {
    var files: [Int32] = []
    defer { for file in files { close(file) } }
    while files.count < needed {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file < 0 else {
        files.append(file)
        continue
      }
      guard [EMFILE, ENFILE, ENOMEM].contains(errno) else { return }
      throw Failure(
        .storeUnavailable,
        "\(files.count) files can be opened, and \(needed) are needed to wait for commits: \(Failure.systemError()); "
          + "close some, or raise \"ulimit -n\"")
    }
  }
}
