import Foundation

/// Files and folders that only their owner uses.
public enum PrivateFile {
  /// Opens a file for its owner alone. Follows no symbolic link, and rejects FIFOs and
  /// devices without waiting for them.
  ///
  /// - Parameter flags: `O_RDWR | O_CREAT` and so on.
  /// - Returns: the descriptor, close-on-exec.
  /// - Throws: `Failure` with status 4.
  public static func open(_ path: String, _ flags: Int32) throws(Failure) -> Int32 {
    let descriptor = Foundation.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        .storeUnavailable, "cannot open \(path): \(Failure.systemError()); check the permissions of its folder")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Failure(.storeUnavailable, "cannot use \(path): it is not a file; move it away")
    }
    return descriptor
  }

  /// Creates a folder, and those above it, if they are missing.
  ///
  /// - Parameters:
  ///   - purpose: what it is for: "for the store".
  ///   - help: what would help if it cannot be made.
  /// - Throws: `Failure` with status 4.
  static func createFolder(_ folder: URL, _ purpose: String, help: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .storeUnavailable,
        "cannot create the folder \(folder.path) \(purpose): \(Failure.systemError(of: error)); \(help)",
        cause: error)
    }
  }
}
