import Foundation

/// The b-value of the law of Gutenberg and Richter, log₁₀ N(≥ M) = a − bM, and its standard error.
public struct BValue: Equatable, Sendable {
  /// With fewer earthquakes the standard error exceeds 14 % of b, and b is too large by 2 % on average.
  public static let minimumCount = 50

  public var b: Double
  /// The standard deviation of b for this magnitude of completeness, after Shi and Bolt (1982):
  /// https://doi.org/10.1785/BSSA0720051677
  public var standardError: Double
  public var count: Int

  /// The maximum likelihood estimate for binned magnitudes of Tinti and Mulargia (1987), of the earthquakes in a bin and
  /// above.
  ///
  /// It is exact for bins. Aki (1965) with the correction of Utsu (1966) for bins is an approximation, which is smaller by
  /// 0.4 % if b is 1: https://doi.org/10.4401/ag-3472 (Marzocchi and Sandri, 2003).
  ///
  /// - Returns: nil if there are too few, or all are in one bin.
  init?(_ histogram: MagnitudeHistogram, from bin: Int, minimumCount: Int = minimumCount) {
    var (count, sum, squares) = (0, 0.0, 0.0)
    // Empty bins between the threshold and the lowest magnitude count, too.
    let offset = max(0, histogram.firstBin - bin)
    for (index, members) in histogram.counts(from: bin).enumerated() where members > 0 {
      let excess = Double(index + offset)
      count += members
      sum += excess * Double(members)
      squares += excess * excess * Double(members)
    }
    guard count >= max(2, minimumCount) else { return nil }
    let number = Double(count)
    let mean = sum / number
    let variance = (squares - sum * mean) / (number * (number - 1))
    guard mean > 0, variance > 0 else { return nil }
    let width = 1 / MagnitudeHistogram.binsPerUnit
    b = log10(1 + 1 / mean) / width
    standardError = M_LN10 * b * b * variance.squareRoot() * width
    self.count = count
  }
}
