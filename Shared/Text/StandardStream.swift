import Foundation

/// Unbuffered text output to a file descriptor, which detects that the reader is gone.
public struct StandardStream: Sendable {
  public static let output = StandardStream(descriptor: STDOUT_FILENO)
  public static let error = StandardStream(descriptor: STDERR_FILENO)

  public let descriptor: Int32

  /// Takes the places of standard streams that are closed, so that no file gets one and has in it what is printed. They
  /// are opened for the wrong direction: what is printed still fails. To be called first of all.
  public static func holdPlaces() {
    for (place, direction) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(place, F_GETFD) < 0 {
      // The lowest that is free, which is this one.
      _ = open("/dev/null", direction)
    }
  }

  public init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Returns false if the reader is gone (EPIPE) or the device is full. SIGPIPE must be ignored.
  @discardableResult
  public func write(_ text: OutputText) -> Bool {
    var text = text.text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes, such as an image, for a file or another program; returns false as for text.
  @discardableResult
  public func write(_ data: Data) -> Bool { data.withUnsafeBytes { write($0) } }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Writes a line; returns false as `write` does.
  @discardableResult
  public func line(_ text: OutputText) -> Bool {
    write(text + "\n")
  }
}
