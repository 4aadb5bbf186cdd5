import Foundation

/// Regions in which to look for earthquakes.
public struct RegionArea: Equatable, Sendable {
  /// The common part of their names, as typed.
  public let text: String
  public let cells: DegreeCells

  public init(text: String, cells: DegreeCells) {
    (self.text, self.cells) = (text, cells)
  }
}
