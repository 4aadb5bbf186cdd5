import Foundation

/// The part of a body that is in memory: contiguous bytes, from some offset on.
///
/// A parser works on it, and advances it when it reaches the window's end before the body's. The window grows for an event
/// larger than itself, up to a limit.
final class BodyWindow {
  /// Hundreds of events.
  static let defaultSize = 256 << 10
  /// The largest event that is read, in bytes: several times the largest document of one event, which has 1.2 MB.
  static let maximumSize = 8 << 20

  private let body: FeedBody
  private let maximumSize: Int
  private var buffer: UnsafeMutableRawBufferPointer
  private var count = 0

  /// Where the window begins in the body.
  private(set) var offset = 0
  /// Whether the body ends with the window.
  private(set) var isLast = false
  /// Why the body could not be read on; nil if it ended as it should.
  private(set) var failure: String?

  /// Fills the window from the body's start.
  init(_ body: FeedBody, size: Int = defaultSize, maximumSize: Int = maximumSize) {
    (self.body, self.maximumSize) = (body, maximumSize)
    buffer = .allocate(byteCount: size, alignment: 16)
    fill()
  }

  deinit {
    buffer.deallocate()
  }

  /// The window's bytes, valid until it moves on.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  /// Where the window ends in the body.
  var end: Int { offset + count }

  /// Drops the bytes before a start, and reads more after the remaining ones.
  ///
  /// - Parameter start: an offset in the window.
  /// - Returns: whether bytes were added: not at the body's end, or if the remaining bytes fill the largest window.
  func advance(to start: Int) -> Bool {
    let kept = UnsafeRawBufferPointer(rebasing: buffer[(start - offset)..<count])
    guard !isLast, kept.count < maximumSize else { return false }
    if kept.count > buffer.count / 2 {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: min(buffer.count * 2, maximumSize), alignment: 16)
      larger.copyMemory(from: kept)
      buffer.deallocate()
      buffer = larger
    } else {
      buffer.copyMemory(from: kept)
    }
    (offset, count) = (start, kept.count)
    fill()
    return count > kept.count
  }

  private func fill() {
    do {
      while count < buffer.count {
        let added = try body.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        if added == 0 { break }
        count += added
      }
    } catch {
      failure = error.message
    }
    isLast = count < buffer.count
  }
}
