import Foundation
import StrataQuakes

/// What the terminal answers when it is asked for its pictures.
struct TerminalAnswers {
  private(set) var hasSixels = false
  /// The largest picture in sixels; nil if the terminal does not say.
  private(set) var largestSixels: PixelSize?
  private var bytes: [UInt8] = []

  /// Asks for the largest picture, which not every terminal answers, and then for the attributes, which every terminal
  /// does: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html (XTSMGRAPHICS),
  /// https://vt100.net/docs/vt510-rm/DA1.html
  static func ask() -> TerminalAnswers {
    var answers = TerminalAnswers()
    var usual = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &usual) == 0 else { return answers }
    var raw = usual
    // The answers come without a line end, and must not be seen.
    raw.c_lflag &= ~UInt32(ICANON | ECHO)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return answers }
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &usual) }
    if StandardStream.output.write("\u{1B}[?2;1;0S\u{1B}[c") { answers.read() }
    return answers
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
    // Something may have been typed before the answers.
    let text = String(decoding: bytes, as: UTF8.self)
    if let attributes = Self.numbers(endingIn: "c", of: text) {
      hasSixels = attributes.contains(4)
      return true
    }
    // The item, 2 for sixels; 0 if the terminal knows it; width and height.
    if let answer = Self.numbers(endingIn: "S", of: text), answer.count == 4, answer[0] == 2, answer[1] == 0 {
      largestSixels = PixelSize(width: answer[2], height: answer[3])
    }
    return bytes.count == 256
  }

  /// - Returns: nil if the text does not end in such an answer: `ESC [ ? 62 ; 4 ; 22 c`.
  private static func numbers(endingIn end: Character, of text: String) -> [Int]? {
    guard text.last == end, let start = text.range(of: "\u{1B}[?", options: .backwards) else { return nil }
    return text[start.upperBound...].dropLast().split(separator: ";").map { Int($0) ?? 0 }
  }
}
