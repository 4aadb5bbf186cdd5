import Foundation
import StrataQuakes

/// The bytes of one body, read from front to back: from memory, or from a file of any size.
final class FeedBody {
  private enum Source {
    case memory(Data, position: Int)
    case file(FileHandle)
  }

  private var source: Source

  init(_ data: Data) {
    source = .memory(data, position: 0)
  }

  /// - Parameter handle: positioned at the start.
  init(_ handle: FileHandle) {
    source = .file(handle)
  }

  /// Goes back to the start.
  func rewind() {
    switch source {
    case .memory(let data, _): source = .memory(data, position: 0)
    case .file(let handle): lseek(handle.fileDescriptor, 0, SEEK_SET)
    }
  }

  /// Reads bytes into a buffer, without a copy between.
  ///
  /// - Returns: how many bytes; 0 at the end.
  /// - Throws: `Failure` with the system's reason if they cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    switch source {
    case .memory(let data, let position):
      let count = data.dropFirst(position).prefix(buffer.count).copyBytes(to: buffer)
      source = .memory(data, position: position + count)
      return count
    case .file(let handle):
      while true {
        let count = Foundation.read(handle.fileDescriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        // A signal that is handled elsewhere interrupts the call.
        guard errno == EINTR else { throw Failure(.badResponse, Failure.systemError()) }
      }
    }
  }
}
