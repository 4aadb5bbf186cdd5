import Foundation
import StrataQuakes

/// The terminal's responses about its support for images.
struct TerminalResponses {
  private(set) var hasSixels = false
  /// The maximum size of a sixel image; nil if the terminal does not report it.
  private(set) var maximumSixelSize: PixelSize?
  private var bytes: [UInt8] = []

  /// Queries the maximum image size, which some terminals do not report, and then the attributes, which every terminal
  /// reports: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html (XTSMGRAPHICS),
  /// https://vt100.net/docs/vt510-rm/DA1.html
  static func ask() -> TerminalResponses {
    var responses = TerminalResponses()
    var original = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &original) == 0 else { return responses }
    var raw = original
    // The responses come without a line end, and must not be seen.
    raw.c_lflag &= ~UInt32(ICANON | ECHO)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return responses }
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &original) }
    if StandardStream.output.write("\u{1B}[?2;1;0S\u{1B}[c") { responses.read() }
    return responses
  }

  /// Reads until the attributes have come, at most half a second.
  private mutating func read() {
    let end = Date(timeIntervalSinceNow: 0.5)
    while true {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let rest = Int32(max(0, end.timeIntervalSinceNow * 1000))
      var byte: UInt8 = 0
      guard rest > 0, poll(&input, 1, rest) == 1, Foundation.read(STDIN_FILENO, &byte, 1) == 1 else { return }
      if take(byte) { return }
    }
  }

  /// - Returns: whether nothing else is waited for: the attributes have come, or so much that they will not.
  mutating func take(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    // Something may have been typed before the responses.
    let text = String(decoding: bytes, as: UTF8.self)
    if let attributes = Self.numbers(endingIn: "c", of: text) {
      hasSixels = attributes.contains(4)
      return true
    }
    // The item, 2 for sixels; 0 if the terminal knows it; width and height.
    if let response = Self.numbers(endingIn: "S", of: text), response.count == 4, response[0] == 2, response[1] == 0 {
      maximumSixelSize = PixelSize(width: response[2], height: response[3])
    }
    return bytes.count == 256
  }

  /// - Returns: nil if the text does not end in such an response: `ESC [ ? 62 ; 4 ; 22 c`.
  private static func numbers(endingIn end: Character, of text: String) -> [Int]? {
    guard text.last == end, let start = text.range(of: "\u{1B}[?", options: .backwards) else { return nil }
    return text[start.upperBound...].dropLast().split(separator: ";").map { Int($0) ?? 0 }
  }
}
