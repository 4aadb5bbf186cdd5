import Foundation

/// Reads whole files of any origin.
package enum FileContents {
  /// The reason a file cannot be read.
  package struct Failure: Error, CustomStringConvertible {
    /// The `errno`; `EINVAL` for anything but a file, `EFBIG` for a file beyond the limit.
    package let code: Int32
    package let reason: String
    package var description: String { reason }

    package init(_ code: Int32, _ reason: String? = nil) {
      (self.code, self.reason) = (code, reason ?? String(cString: strerror(code)))
    }
  }

  /// The largest model, mapping or plist that is read, in bytes: a hundred times the largest that people write.
  package static let sourceLimit = 64 << 20

  /// Reads a file. Waits neither for the other end of a FIFO nor for a device.
  /// - Parameters:
  ///   - limit: the most bytes that it may have.
  ///   - followsLinks: whether it may be a symbolic link; otherwise one fails with `ELOOP`.
  package static func read(
    _ path: String, limit: Int = .max, followsLinks: Bool = true
  ) throws(Failure) -> Data {
    let (descriptor, size) = try open(path, followsLinks ? 0 : O_NOFOLLOW)
    defer { close(descriptor) }
    guard size <= limit else { throw Failure(EFBIG, "it has \(size) bytes, more than the maximum of \(limit)") }
    return try read(size, from: descriptor)
  }

  /// Reads a file in an open folder. Follows no symbolic link: one fails with `ELOOP`.
  package static func read(_ name: String, in folder: Int32) throws(Failure) -> Data {
    let (descriptor, size) = try open(name, O_NOFOLLOW, in: folder)
    defer { close(descriptor) }
    return try read(size, from: descriptor)
  }

  /// Reads the first bytes of a file.
  /// - Returns: fewer if the file is shorter.
  package static func prefix(of path: String, count: Int) throws(Failure) -> Data {
    let (descriptor, size) = try open(path)
    defer { close(descriptor) }
    return try read(min(count, size), from: descriptor)
  }

  private static func open(
    _ path: String, _ flags: Int32 = 0, in folder: Int32 = AT_FDCWD
  ) throws(Failure) -> (descriptor: Int32, size: Int) {
    let descriptor = openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags)
    guard descriptor >= 0 else { throw Failure(errno) }
    var status = stat()
    let failure =
      fstat(descriptor, &status) == 0
      ? FileKind.other(status).map { Failure(EINVAL, "it is \($0), not a file") } : Failure(errno)
    guard let failure else { return (descriptor, Int(status.st_size)) }
    close(descriptor)
    throw failure
  }

  private static func read(_ size: Int, from descriptor: Int32) throws(Failure) -> Data {
    // Not Data(count:), which stops the program if memory is too short for a file that only claims its size.
    guard let bytes = malloc(max(size, 1)) else { throw Failure(ENOMEM) }
    do throws(Failure) {
      let count = try fill(UnsafeMutableRawBufferPointer(start: bytes, count: size), from: descriptor)
      return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    } catch {
      free(bytes)
      throw error
    }
  }

  /// - Returns: the number of bytes read; less than asked if the file has become shorter.
  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32
  ) throws(Failure) -> Int {
    var count = 0
    while count < buffer.count {
      let read = Foundation.read(descriptor, buffer.baseAddress! + count, buffer.count - count)
      if read == 0 { break }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { throw Failure(errno) }
      count += read
    }
    return count
  }
}
