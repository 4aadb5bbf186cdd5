import Foundation

/// How long after an earthquake and how far from it others count as its aftershocks.
///
/// The windows are those of Gardner and Knopoff (1974), by the formulas fitted to their table in van Stiphout, Zhuang and
/// Marsan, "Seismicity declustering" (2012), equation 1: https://doi.org/10.5078/corssa-52382934
public struct AftershockWindow: Equatable, Sendable {
  /// Kilometers.
  public var radius: Double
  /// Days.
  public var days: Double

  public init(radius: Double, days: Double) {
    (self.radius, self.days) = (radius, days)
  }

  public init(magnitude: Double) {
    // Beyond the magnitudes that occur, the formulas mean nothing.
    let magnitude = max(0, min(magnitude, 10))
    radius = pow(10, 0.1238 * magnitude + 0.983)
    days = magnitude >= 6.5 ? pow(10, 0.032 * magnitude + 2.7389) : pow(10, 0.5409 * magnitude - 0.547)
  }
}
