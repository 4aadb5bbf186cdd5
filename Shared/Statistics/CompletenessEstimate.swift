import Foundation

/// A magnitude of completeness, which all earthquakes of a catalog from there on are in, and the b-value that follows.
///
/// Mignan and Woessner compare the methods: https://doi.org/10.5078/corssa-00180805
public struct CompletenessEstimate: Equatable, Sendable {
  public enum Method: String, CaseIterable, Sendable {
    /// The magnitude with the most earthquakes (Wiemer and Wyss, 2000) and 0.2, by which that is too low on average where
    /// the detection declines gradually (Woessner and Wiemer, 2005): https://doi.org/10.1785/0120040007
    case maximumCurvature = "maximum_curvature"
    /// The lowest magnitude from which on the law explains 95 % of the cumulative counts, or else 90 % (Wiemer and Wyss,
    /// 2000): https://doi.org/10.1785/0119990114
    case goodnessOfFit = "goodness_of_fit"
    /// The lowest magnitude whose b-value is, within its standard error, the mean of those for it and the next five, half a
    /// magnitude up (Cao and Gao, 2002, https://doi.org/10.1029/2001GL013775, with the criterion of Woessner and Wiemer).
    case bValueStability = "b_value_stability"
  }

  public var method: Method
  /// nil if the method found none.
  public var magnitude: Double?
  /// nil if there are too few earthquakes, or all are alike.
  public var bValue: BValue?
  /// The percentage that the law explains, at the magnitude found or else at the best; nil with the other methods.
  public var fit: Double?

  private init(_ method: Method, bin: Int? = nil, bValue: BValue? = nil, fit: Double? = nil) {
    (self.method, self.bValue, self.fit) = (method, bValue, fit)
    magnitude = bin.map(MagnitudeHistogram.magnitude)
  }
}

extension CompletenessEstimate {
  /// The bins that the correction of maximum curvature adds.
  private static let correction = 2
  /// The percentages that the law must explain.
  static let fits = (preferred: 95.0, sufficient: 90.0)
  /// The b-values of half a magnitude.
  private static let stableBins = 6

  /// - Returns: one by each method; empty if fewer earthquakes have magnitudes than a b-value needs.
  static func all(of histogram: MagnitudeHistogram) -> [CompletenessEstimate] {
    guard histogram.total >= BValue.minimumCount, let modal = histogram.modalBin,
      let corrected = maximumCurvatureBin(of: histogram)
    else { return [] }
    // No catalog is complete below its modal bin. The thresholds end where too few earthquakes are left.
    let candidates = (modal...histogram.lastBin).map { bin in (bin, BValue(histogram, from: bin)) }
    let usable = candidates.prefix { $0.1 != nil }.compactMap { bin, value in value.map { (bin: bin, value: $0) } }
    return [
      CompletenessEstimate(.maximumCurvature, bin: corrected, bValue: BValue(histogram, from: corrected)),
      goodnessOfFit(histogram, usable), bValueStability(usable),
    ]
  }

  static func maximumCurvatureBin(of histogram: MagnitudeHistogram) -> Int? {
    histogram.modalBin.map { $0 + correction }
  }

  private static func goodnessOfFit(
    _ histogram: MagnitudeHistogram, _ candidates: [(bin: Int, value: BValue)]
  ) -> CompletenessEstimate {
    let fitted = candidates.map { bin, value in (bin: bin, value: value, fit: fit(value, to: histogram, from: bin)) }
    let found =
      fitted.first { $0.fit >= fits.preferred } ?? fitted.first { $0.fit >= fits.sufficient }
    guard let found else { return CompletenessEstimate(.goodnessOfFit, fit: fitted.map(\.fit).max()) }
    return CompletenessEstimate(.goodnessOfFit, bin: found.bin, bValue: found.value, fit: found.fit)
  }

  /// 100 − 100 Σ|B − S| / ΣB, of the observed cumulative counts B and those of the law S.
  private static func fit(_ value: BValue, to histogram: MagnitudeHistogram, from bin: Int) -> Double {
    var observed = Double(value.count)
    var (residual, sum) = (0.0, 0.0)
    for (index, members) in histogram.counts(from: bin).enumerated() {
      let expected = Double(value.count) * pow(10, -value.b * Double(index) / MagnitudeHistogram.binsPerUnit)
      residual += abs(observed - expected)
      sum += observed
      observed -= Double(members)
    }
    return 100 - 100 * residual / sum
  }

  private static func bValueStability(_ candidates: [(bin: Int, value: BValue)]) -> CompletenessEstimate {
    for start in candidates.indices.dropLast(stableBins - 1) {
      let mean = candidates[start..<start + stableBins].reduce(0) { $0 + $1.value.b } / Double(stableBins)
      let (bin, value) = candidates[start]
      if abs(mean - value.b) <= value.standardError {
        return CompletenessEstimate(.bValueStability, bin: bin, bValue: value)
      }
    }
    return CompletenessEstimate(.bValueStability)
  }
}
