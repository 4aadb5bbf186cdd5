import Foundation

/// The size of a screen or of a part of it.
public struct ScreenSize: Equatable, Sendable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
  }

  /// The terminal's; 80 × 24 if it does not know.
  public init(of descriptor: Int32) {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    self.init(columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? Int(size.ws_row) : 24)
  }
}
