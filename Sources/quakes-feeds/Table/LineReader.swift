import Foundation

/// Reads a body line by line. Empty lines are passed over; a line ends with LF or CRLF.
struct LineReader {
  /// A line without its end, valid until the next one is read.
  struct Line {
    var bytes: UnsafeRawBufferPointer
    /// Where it begins in the body.
    var start: Int
    /// From 1 on, counting empty lines.
    var number = 0
    /// Whether an end of line follows: the last line may be cut off without one.
    var isEnded: Bool
    /// Whether it is larger than the largest window; its bytes are dropped then.
    var isTooLarge = false
  }

  private let window: BodyWindow
  /// Where the next line begins in the body.
  private(set) var offset: Int
  /// The number of lines before it.
  private var lineCount = 0

  init(_ window: BodyWindow) {
    self.window = window
    offset = window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? window.offset + 3 : window.offset
  }

  /// The next line that is not empty; nil at the end of the body.
  mutating func next() -> Line? {
    while var line = anyLine() {
      lineCount += 1
      line.number = lineCount
      if !line.bytes.isEmpty || line.isTooLarge { return line }
    }
    return nil
  }

  private mutating func anyLine() -> Line? {
    let start = offset
    var searched = start
    while true {
      if let end = lineEnd(from: searched) {
        offset = end + 1
        return line(from: start, to: end, isEnded: true)
      }
      searched = window.end
      if window.advance(to: start) { continue }
      guard window.isLast else { return passLargeLine(from: start) }
      offset = window.end
      return start < window.end ? line(from: start, to: window.end, isEnded: false) : nil
    }
  }

  private func line(from start: Int, to end: Int, isEnded: Bool) -> Line {
    var bytes = window.bytes[(start - window.offset)..<(end - window.offset)]
    while let last = bytes.last, last == 0x0D || last == 0x20 || last == 0x09 { bytes.removeLast() }
    return Line(bytes: UnsafeRawBufferPointer(rebasing: bytes), start: start, isEnded: isEnded)
  }

  private mutating func passLargeLine(from start: Int) -> Line {
    repeat {
      offset = window.end
      guard window.advance(to: offset) else { break }
      if let end = lineEnd(from: offset) { offset = end + 1 }
    } while offset == window.offset
    return Line(bytes: UnsafeRawBufferPointer(start: nil, count: 0), start: start, isEnded: true, isTooLarge: true)
  }

  /// The offset of the next LF in the window.
  private func lineEnd(from offset: Int) -> Int? {
    let bytes = window.bytes
    let position = offset - window.offset
    guard position < bytes.count, let base = bytes.baseAddress else { return nil }
    guard let found = memchr(base + position, 0x0A, bytes.count - position) else { return nil }
    return window.offset + (UnsafeRawPointer(found) - base)
  }
}
