import Foundation
import StrataSupport

/// Where a dump goes: standard output, or a file that appears when it is complete.
final class OutputFile {
  private let path: String?
  private let temporary: String
  private let stream: UnsafeMutablePointer<FILE>
  private var isFinished = false

  /// - Parameters:
  ///   - path: nil for standard output.
  ///   - store: the store whose contents the file gets; the file gets the store's read permissions.
  init(_ path: String?, besideStore store: String) throws {
    self.path = path
    guard let path else {
      // A stream of its own, because any code may set the C library's variable.
      guard let stream = fdopen(STDOUT_FILENO, "w") else {
        throw ToolFailure(.unusable, "cannot write: \(String(cString: strerror(errno)))")
      }
      (temporary, self.stream) = ("", stream)
      return
    }
    let folder = (path as NSString).deletingLastPathComponent
    temporary = (folder.isEmpty ? "." : folder) + "/.\((path as NSString).lastPathComponent).\(UUID().uuidString)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, let stream = fdopen(descriptor, "w") else {
      throw ToolFailure(.unusable, "cannot write '\(path)': \(String(cString: strerror(errno)))")
    }
    StorePermissions.copy(ofStore: store, to: descriptor)
    self.stream = stream
  }

  func write(_ bytes: [UInt8]) throws {
    let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard written == bytes.count else { throw failure }
  }

  /// Puts the file in its place.
  func finish() throws {
    guard fflush(stream) == 0 else { throw failure }
    guard let path else { return }
    guard fsync(fileno(stream)) == 0, rename(temporary, path) == 0 else { throw failure }
    isFinished = true
    fclose(stream)
  }

  private var failure: ToolFailure {
    ToolFailure(
      .unusable, "cannot write \(path.map { "'\($0)'" } ?? "the output"): \(String(cString: strerror(errno)))")
  }

  deinit {
    guard path != nil, !isFinished else { return }
    fclose(stream)
    unlink(temporary)
  }
}
