import Foundation

/// The lines of a file or of standard input, one at a time. A last line needs no line feed.
final class InputLineReader {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private var position = 0
  private var hasEnded = false
  /// The number of the last line read.
  private(set) var number = 0

  /// - Parameter path: nil or "-" for standard input.
  init(_ path: String?) throws {
    guard let path, path != "-" else {
      (descriptor, name) = (STDIN_FILENO, "standard input")
      return
    }
    name = "'\(path)'"
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ToolFailure(
        errno == ENOENT ? .missing : .unusable, "cannot read \(name): \(String(cString: strerror(errno)))")
    }
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// - Returns: the result of `body` with the bytes of the next line; nil at the end.
  func next<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) throws -> T? {
    // Discards the consumed bytes.
    if position > Self.size {
      buffer.removeFirst(position)
      position = 0
    }
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) { return try take(upTo: end, body) }
      searched = buffer.count
      if try read() { continue }
      return position < buffer.count ? try take(upTo: buffer.count, body) : nil
    }
  }

  private func take<T>(upTo end: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) throws -> T {
    number += 1
    let line = position..<end
    position = min(end + 1, buffer.count)
    return try buffer.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[line])) }
  }

  private static let size = 1 << 20

  /// Reads on.
  /// - Returns: false at the end.
  private func read() throws -> Bool {
    while !hasEnded {
      let start = buffer.count
      buffer.append(contentsOf: repeatElement(0, count: Self.size))
      let count = buffer.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress! + start, Self.size) }
      buffer.removeLast(Self.size - max(0, count))
      if count > 0 { return true }
      if count < 0, errno == EINTR { continue }
      guard count == 0 else { throw ToolFailure(.unusable, "cannot read \(name): \(String(cString: strerror(errno)))") }
      hasEnded = true
    }
    return false
  }
}
