import Foundation

/// How often earthquakes of each size occur: the law of Gutenberg and Richter, log₁₀ N(≥ M) = a − bM.
public struct FrequencyMagnitude: Equatable, Sendable {
  /// The classes of magnitudes to the unit, as services round them.
  private static let classes = 10.0
  /// With fewer the error is as large as what is measured.
  public static let minimumCount = 50

  /// The magnitude of completeness.
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
    let bins = magnitudes.compactMap(Self.bin)
    guard let fullest = Self.fullest(bins) else { return nil }
    let least = completeness.flatMap(Self.bin) ?? fullest
    let complete = bins.filter { $0 >= least }.map { Double($0) / Self.classes }
    guard complete.count >= Self.minimumCount else { return nil }
    self.completeness = Double(least) / Self.classes
    count = complete.count
    let number = Double(complete.count)
    let mean = complete.reduce(0, +) / number
    let squares = complete.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    guard squares > 0 else { return nil }
    // Aki (1965) with Utsu's correction for classes (1966): magnitudes of a class begin half a width below it.
    b = M_LOG10E / (mean - (Double(least) - 0.5) / Self.classes)
    // Shi and Bolt (1982): https://doi.org/10.1785/BSSA0720051677
    error = M_LN10 * b * b * (squares / (number * (number - 1))).squareRoot()
  }

  /// The bin of a magnitude; nil if it is not finite or does not fit an integer. Multiplies, because 1.45 / 0.1 is less
  /// than 14.5.
  private static func bin(_ magnitude: Double) -> Int? {
    abs(magnitude) < 100 ? Int((magnitude * classes).rounded()) : nil
  }

  /// The lowest of the classes that have the most members.
  private static func fullest(_ bins: [Int]) -> Int? {
    var counts: [Int: Int] = [:]
    for bin in bins { counts[bin, default: 0] += 1 }
    return counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
  }
}
