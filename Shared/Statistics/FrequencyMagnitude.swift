import Foundation

/// How often earthquakes of each size occur: the law of Gutenberg and Richter, log₁₀ N(≥ M) = a − bM.
public struct FrequencyMagnitude: Equatable, Sendable {
  /// The width of a class of magnitudes, as services round them.
  static let binWidth = 0.1
  /// With fewer the error is as large as what is measured.
  public static let fewest = 50

  /// The magnitude from which on the catalogue is complete.
  public var completeness: Double
  /// The number of earthquakes of that magnitude and above.
  public var count: Int
  public var b: Double
  /// One standard deviation of b.
  public var error: Double

  /// - Parameters:
  ///   - magnitudes: of earthquakes alone; other events follow no such law.
  ///   - completeness: nil for the class that has the most earthquakes, which is where the curve bends most: maximum
  ///     curvature, after Wiemer and Wyss (2000), https://doi.org/10.1785/0119990114
  /// - Returns: nil if there are too few, or all are alike.
  public init?(_ magnitudes: [Double], completeness: Double? = nil) {
    // Magnitudes that are no magnitudes would not fit an integer.
    let bins = magnitudes.filter { abs($0) < 100 }.map { Int(($0 / Self.binWidth).rounded()) }
    guard let fullest = Self.fullest(bins) else { return nil }
    let least = completeness.flatMap { abs($0) < 100 ? Int(($0 / Self.binWidth).rounded()) : nil } ?? fullest
    let complete = bins.filter { $0 >= least }.map { Double($0) * Self.binWidth }
    guard complete.count >= Self.fewest else { return nil }
    self.completeness = Double(least) / 10
    count = complete.count
    let number = Double(complete.count)
    let mean = complete.reduce(0, +) / number
    let squares = complete.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    guard squares > 0 else { return nil }
    // Aki (1965) with Utsu's correction for classes (1966): magnitudes of a class begin half a width below it.
    b = M_LOG10E / (mean - (Double(least) * Self.binWidth - Self.binWidth / 2))
    // Shi and Bolt (1982): https://doi.org/10.1785/BSSA0720051677
    error = M_LN10 * b * b * (squares / (number * (number - 1))).squareRoot()
  }

  /// The lowest of the classes that have the most members.
  private static func fullest(_ bins: [Int]) -> Int? {
    var counts: [Int: Int] = [:]
    for bin in bins { counts[bin, default: 0] += 1 }
    return counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
  }
}
