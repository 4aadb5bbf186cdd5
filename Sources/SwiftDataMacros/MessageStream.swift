import Foundation

/// Messages on a pair of pipes: eight bytes of length, least significant byte first, and the text.
struct MessageStream {
  let input: FileHandle
  let output: FileHandle

  /// Reads the next message.
  ///
  /// - Returns: its text, or nil at the end: after an empty message, or where the input ends or fails.
  func read() -> Data? {
    guard let header = read(8) else { return nil }
    let length = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length > 0, let count = Int(exactly: length) else { return nil }
    return read(count)
  }

  /// A length is not trusted: memory is allocated for what arrives.
  private func read(_ count: Int) -> Data? {
    var data = Data()
    while data.count < count {
      guard let part = try? input.read(upToCount: min(count - data.count, 1 << 16)), !part.isEmpty else { return nil }
      data += part
    }
    return data
  }

  func write(_ message: Data) throws {
    let length = withUnsafeBytes(of: UInt64(message.count).littleEndian) { Data($0) }
    try output.write(contentsOf: length + message)
  }
}
