import Foundation

/// The 95 % intervals of the b-value and of the magnitude of completeness, by resampling the earthquakes.
///
/// The completeness is estimated for each sample, so its uncertainty is part of b's, as in Woessner and Wiemer (2005):
/// https://doi.org/10.1785/0120040007
public struct MagnitudeBootstrap: Equatable, Sendable {
  public static let sampleCount = 1000

  public var b: ClosedRange<Double>
  /// nil if the completeness was given.
  public var completeness: ClosedRange<Double>?

  /// - Parameter bin: of a given completeness; nil to estimate it by maximum curvature.
  /// - Returns: nil if too few samples have a b-value.
  init?(_ histogram: MagnitudeHistogram, from bin: Int?, samples: Int = sampleCount) {
    // The same catalog always has the same intervals.
    var random = Random(state: 1)
    var (values, bins): ([Double], [Int]) = ([], [])
    for _ in 0..<samples {
      let sample = random.sample(of: histogram)
      guard let from = bin ?? CompletenessEstimate.maximumCurvatureBin(of: sample),
        let value = BValue(sample, from: from, minimumCount: 2)
      else { continue }
      values.append(value.b)
      bins.append(from)
    }
    guard values.count * 10 >= samples * 9 else { return nil }
    b = Self.interval(values)
    guard bin == nil else { return }
    let interval = Self.interval(bins)
    completeness =
      MagnitudeHistogram.magnitude(
        ofBin: interval.lowerBound)...MagnitudeHistogram.magnitude(
        ofBin: interval.upperBound)
  }

  /// The percentiles 2.5 and 97.5.
  private static func interval<Value: Comparable>(_ values: [Value]) -> ClosedRange<Value> {
    let sorted = values.sorted()
    let cut = sorted.count / 40
    return sorted[cut]...sorted[sorted.count - 1 - cut]
  }
}

extension MagnitudeBootstrap {
  /// SplitMix64, https://doi.org/10.1145/2660193.2660195
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    /// From 0 to 1, without 0.
    private mutating func uniform() -> Double { (Double(next() >> 11) + 1) / 0x1p53 }

    /// A Poisson bootstrap: every bin's count is drawn from a Poisson distribution whose mean is the observed count. It
    /// takes time in the number of bins, and a million earthquakes have no more of them.
    mutating func sample(of histogram: MagnitudeHistogram) -> MagnitudeHistogram {
      MagnitudeHistogram(firstBin: histogram.firstBin, counts: histogram.counts.map { poisson($0) })
    }

    /// Above 50, the normal distribution is close enough.
    private mutating func poisson(_ mean: Int) -> Int {
      guard mean > 0 else { return 0 }
      if mean > 50 {
        let normal = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
        return max(0, Int((Double(mean) + Double(mean).squareRoot() * normal).rounded()))
      }
      var (count, product) = (0, uniform())
      let limit = exp(-Double(mean))
      while product > limit {
        count += 1
        product *= uniform()
      }
      return count
    }
  }
}
