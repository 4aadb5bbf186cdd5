import Foundation

/// Regions in which to look for earthquakes.
public struct RegionArea: Equatable, Sendable {
  /// What their names have in common, as it was typed.
  public let text: String
  public let cells: DegreeCells

  public init(text: String, cells: DegreeCells) {
    (self.text, self.cells) = (text, cells)
  }
}
