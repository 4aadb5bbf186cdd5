import Foundation
import StrataQuakes

/// A body as it arrives from its source: a temporary file without a name, which ends with this object.
///
/// It can be read any number of times, so that an import can be repeated.
final class BodyFile {
  private let descriptor: Int32
  private let name: String
  private let maximumSize: Int
  private(set) var count = 0
  private(set) var fingerprint = BodyFingerprint()

  /// - Parameters:
  ///   - name: the source's name in error messages.
  ///   - maximumSize: in bytes.
  init(of name: String, maximumSize: Int) throws(Failure) {
    (self.name, self.maximumSize) = (name, maximumSize)
    let folder = Environment.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var path = Array("\(folder)/quakes-fetch-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw Failure(
        .badResponse,
        """
        cannot keep the body of \(name) in \(folder): \(Failure.systemError()); set TMPDIR to a folder with free space
        """)
    }
    unlink(path)
  }

  deinit { close(descriptor) }

  func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard bytes.count <= maximumSize - count else {
      throw Failure(.badResponse, "\(name) is larger than \(maximumSize >> 20) MB and was discarded")
    }
    var rest = bytes
    while !rest.isEmpty {
      let written = write(descriptor, rest.baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        throw Failure(
          .badResponse,
          "cannot keep the body of \(name): \(Failure.systemError()); set TMPDIR to a folder with free space")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    count += bytes.count
    fingerprint.take(bytes)
  }

  /// Copies all that a file has left.
  ///
  /// - Parameter interruption: a descriptor that becomes readable to end the wait for more.
  func append(contentsOf source: Int32, interruption: Int32? = nil) throws(Failure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      var waited = [source, interruption ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&waited, 2, -1)
      guard waited[1].revents == 0 else {
        throw Failure(.busy, "\(name) was not read to its end: asked to stop")
      }
      let count = read(source, buffer.baseAddress, buffer.count)
      if count == 0 { return }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw Failure(.badResponse, "cannot read \(name): \(Failure.systemError())") }
      try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// The first bytes as text, fewer if the body has fewer.
  ///
  /// - Throws: `Failure` with the system's reason if they cannot be read.
  func beginning(upTo count: Int) throws(Failure) -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    let length = try body().read(into: buffer)
    return String(decoding: buffer[..<length], as: UTF8.self)
  }

  /// The body from its start. Reading it moves the position of every other `FeedBody` of this file.
  func body() -> FeedBody {
    lseek(descriptor, 0, SEEK_SET)
    return FeedBody(FileHandle(fileDescriptor: descriptor, closeOnDealloc: false))
  }
}
