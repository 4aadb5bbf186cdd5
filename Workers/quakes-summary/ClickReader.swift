import Dispatch
import Foundation
import StrataQuakes

/// Reads the clicks that i3bar, swaybar and i3blocks write to standard input: an unterminated array with an object per
/// line. https://i3wm.org/docs/i3bar-protocol.html
@MainActor
final class ClickReader {
  private struct Click: Decodable {
    /// 1 is the left one; 4 and 5 are the wheel.
    var button: Int
  }

  private let source: any DispatchSourceRead
  private let onLeftClick: @MainActor () -> Void
  /// The line that has begun.
  private var line = Data()
  /// Bytes; a click has about 200.
  private static let maximumLineLength = 1 << 16

  /// - Returns: nil if standard input is a terminal: it does not belong to a bar, and would stop a background process.
  init?(onLeftClick: @escaping @MainActor () -> Void) {
    guard isatty(STDIN_FILENO) == 0 else { return nil }
    self.onLeftClick = onLeftClick
    source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
    source.activate()
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    // The bar closed its end; the lines continue without clicks.
    guard count > 0 else { return source.cancel() }
    for byte in bytes[..<count] {
      if byte == UInt8(ascii: "\n") {
        if Self.isLeftClick(line) { onLeftClick() }
        line.removeAll()
      } else if line.count < Self.maximumLineLength {
        line.append(byte)
      }
    }
  }

  private static func isLeftClick(_ line: Data) -> Bool {
    let object = line.drop { $0 != UInt8(ascii: "{") }
    return (try? JSONDecoder().decode(Click.self, from: object))?.button == 1
  }
}
