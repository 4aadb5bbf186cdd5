import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes

@Suite("Frequencies of magnitudes") struct FrequencyMagnitudeTests {
  /// 329 magnitudes, most of 2.0. The figures that the tests expect of them are those of a program in Python, which computes
  /// them from lists of magnitudes.
  private static let small = MagnitudeHistogram(
    firstBin: 18,
    counts: [12, 31, 60, 46, 38, 30, 24, 19, 15, 12, 9, 8, 6, 5, 4, 3, 2, 2, 1, 0, 1, 0, 0, 1])

  /// A catalog of the law: complete from a magnitude on, and below it with a share that declines as the power of ten of twice
  /// the distance. Magnitudes are rounded to 0.1.
  private static func catalog(b: Double, from minimum: Double, count: Int, seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed)
    var magnitudes: [Double] = []
    while magnitudes.count < count {
      let magnitude = minimum - 1.55 - log10(1 - Double.random(in: 0..<1, using: &random)) / b
      let share = magnitude >= minimum - 0.05 ? 1 : pow(10, 2 * (magnitude - minimum))
      if Double.random(in: 0..<1, using: &random) < share { magnitudes.append((magnitude * 10).rounded() / 10) }
    }
    return magnitudes
  }

  private static func close(_ value: Double?, _ expected: Double, within error: Double = 1e-9) -> Bool {
    value.map { abs($0 - expected) < error } ?? false
  }

  @Test func `a small catalog has the figures of an independent computation`() throws {
    let found = FrequencyMagnitude(Self.small)
    #expect(found.total == 329 && found.completeness == 2.2 && found.count == 180 && !found.isCompletenessGiven)
    #expect(Self.close(found.bValue?.b, 1.091_444_694_250_68), "\(found)")
    #expect(Self.close(found.bValue?.standardError, 0.073_904_604_902_343_27), "\(found)")
    #expect(found.estimates.map(\.method) == [.maximumCurvature, .goodnessOfFit, .bValueStability])
    #expect(found.estimates.map(\.magnitude) == [2.2, 2, 2])
    #expect(Self.close(found.estimates[1].fit, 96.611_014_217_127_66), "\(found.estimates)")
    #expect(Self.close(found.estimates[1].bValue?.b, 1.058_716_997_404_071))
    #expect(found.estimates[2].bValue?.count == 286)
    #expect(found.completenessRange == 2...2.2)
    #expect(found.bRange.map { Self.close($0.lowerBound, 1.058_717, within: 1e-6) } == true)
  }

  /// The expected intervals resample the list of magnitudes; the program resamples counts.
  @Test func `bootstrap intervals match an independent resampling`() throws {
    let estimated = try #require(FrequencyMagnitude(Self.small).intervals)
    #expect(Self.close(estimated.b.lowerBound, 0.959, within: 0.03), "\(estimated)")
    #expect(Self.close(estimated.b.upperBound, 1.252, within: 0.03), "\(estimated)")
    #expect(estimated.completeness == 2.2...2.3)
    let given = try #require(FrequencyMagnitude(Self.small, completeness: 2).intervals)
    #expect(Self.close(given.b.lowerBound, 0.956, within: 0.03), "\(given)")
    #expect(Self.close(given.b.upperBound, 1.183, within: 0.03), "\(given)")
    #expect(given.completeness == nil)
    #expect(FrequencyMagnitude(Self.small, completeness: 2).intervals == given)
  }

  @Test func `the b-value of two bins is exact`() throws {
    // The mean is a bin above the lowest one, so the ratio of successive bins is 2.
    let found = FrequencyMagnitude(MagnitudeHistogram(firstBin: 10, counts: [50, 0, 50]), completeness: 1)
    #expect(Self.close(found.bValue?.b, 10 * log10(2)), "\(found)")
    // The standard deviation of the mean is 0.1 / √99.
    #expect(
      Self.close(found.bValue?.standardError, M_LN10 * pow(10 * log10(2), 2) * 0.1 / 99.0.squareRoot()), "\(found)")
  }

  @Test func `a given completeness below the lowest magnitude counts the empty bins`() {
    let found = FrequencyMagnitude(MagnitudeHistogram(firstBin: 10, counts: [50, 0, 50]), completeness: 0.5)
    #expect(Self.close(found.bValue?.b, 10 * log10(1 + 1 / 6.0)), "\(found)")
  }

  /// Two standard deviations of a share of 20 samples are 21 % for one sigma, and 10 % for the interval.
  @Test(arguments: [0.7, 1, 1.3]) func `errors cover the b-value of synthetic catalogs as often as they claim`(
    _ b: Double
  ) {
    var (within, covered, contained, shifts) = (0, 0, 0, [[Double]](repeating: [], count: 3))
    for seed in 1...20 {
      let histogram = MagnitudeHistogram(Self.catalog(b: b, from: 2, count: 2000, seed: UInt64(seed)))
      let found = FrequencyMagnitude(histogram)
      if let value = found.bValue, abs(value.b - b) <= value.standardError { within += 1 }
      if let intervals = found.intervals, intervals.b.contains(b) { covered += 1 }
      if found.completenessRange?.contains(2) == true { contained += 1 }
      for (index, estimate) in found.estimates.enumerated() {
        if let magnitude = estimate.magnitude { shifts[index].append(magnitude - 2) }
      }
    }
    #expect((9...19).contains(within), "\(within)")
    #expect(covered >= 17, "\(covered)")
    #expect(contained >= 17, "\(contained)")
    // Of these sharply cut catalogs, the correction of maximum curvature is too much.
    let medians = shifts.map { $0.sorted()[$0.count / 2] }
    #expect(Self.close(medians[0], 0.2) && abs(medians[1]) < 0.11 && abs(medians[2]) < 0.11, "\(medians)")
  }

  /// Detection is the normal distribution with a mean of 2 and a deviation of 0.15, so 99 % are detected at 2.35. The expected
  /// magnitudes are those of a program in Python.
  @Test func `completeness and b-value are recovered where detection declines gradually`() {
    var (covered, estimates) = (0, [[CompletenessEstimate]](repeating: [], count: 3))
    for seed in 1...20 {
      var random = SeededRandom(seed: UInt64(seed))
      var histogram = MagnitudeHistogram()
      while histogram.total < 3000 {
        let magnitude = 0.45 - log10(1 - Double.random(in: 0..<1, using: &random))
        let share = 0.5 * (1 + erf((magnitude - 2) / 0.15 / 2.0.squareRoot()))
        if Double.random(in: 0..<1, using: &random) < share { histogram.add(magnitude) }
      }
      let found = FrequencyMagnitude(histogram)
      if found.intervals?.b.contains(1) == true { covered += 1 }
      for (index, estimate) in found.estimates.enumerated() { estimates[index].append(estimate) }
    }
    #expect(covered >= 17, "\(covered)")
    let medians = estimates.map { $0.compactMap(\.magnitude).sorted()[10] }
    #expect(zip(medians, [2.3, 2.1, 2.2]).allSatisfy { abs($0 - $1) < 0.11 }, "\(medians)")
    let means = estimates.map { $0.compactMap { $0.bValue?.b }.reduce(0, +) / 20 }
    #expect(zip(means, [0.998, 0.953, 0.996]).allSatisfy { abs($0 - $1) < 0.03 }, "\(means)")
  }

  @Test func `negative magnitudes are in bins of the same width`() {
    #expect([-0.05, -0.45, -0.46, 0.04, 0.05, 1.45, 1.55].map(MagnitudeHistogram.bin) == [0, -4, -5, 0, 1, 15, 16])
    let magnitudes = Self.catalog(b: 1, from: -1, count: 2000, seed: 3)
    let shifted = FrequencyMagnitude(MagnitudeHistogram(magnitudes.map { $0 + 3 }))
    let found = FrequencyMagnitude(MagnitudeHistogram(magnitudes))
    #expect(found.completeness == -0.8 && shifted.completeness == 2.2)
    #expect(found.bValue == shifted.bValue && found.intervals?.b == shifted.intervals?.b)
  }

  @Test func `magnitudes arrive in any order`() {
    let magnitudes = Self.catalog(b: 1, from: 0, count: 500, seed: 7)
    let sorted = MagnitudeHistogram(magnitudes.sorted())
    #expect(MagnitudeHistogram(magnitudes) == sorted && MagnitudeHistogram(magnitudes.sorted().reversed()) == sorted)
    #expect(sorted.total == 500 && sorted.count(from: -1000) == 500 && sorted.count(from: 1000) == 0)
  }

  @Test func `too few or equal magnitudes have no b-value`() {
    let none = FrequencyMagnitude(MagnitudeHistogram([.nan, .infinity, 1e300]))
    #expect(none.total == 0 && none.completeness == nil && none.bValue == nil)
    let few = FrequencyMagnitude(MagnitudeHistogram(Self.catalog(b: 1, from: 2, count: 49, seed: 1)))
    #expect(few.total == 49 && few.estimates.isEmpty && few.completeness == nil && few.intervals == nil)
    let equal = FrequencyMagnitude(MagnitudeHistogram(repeatElement(3, count: 100)), completeness: 3)
    #expect(equal.count == 100 && equal.bValue == nil && equal.intervals == nil)
    let estimated = FrequencyMagnitude(MagnitudeHistogram(repeatElement(3, count: 100)))
    #expect(estimated.completeness == 3.2 && estimated.count == 0 && estimated.bRange == nil)
    // 49 of 100 are above the completeness.
    let above = FrequencyMagnitude(MagnitudeHistogram(firstBin: 20, counts: [51, 20, 15, 14]), completeness: 2.1)
    #expect(above.count == 49 && above.bValue == nil)
    #expect(
      FrequencyMagnitude(MagnitudeHistogram(firstBin: 20, counts: [50, 20, 15, 15]), completeness: 2.1).bValue != nil)
  }
}

/// Reasons to doubt a b-value.
extension FrequencyMagnitudeTests {
  /// - Parameter sources: networks and types of magnitude, with the numbers of their earthquakes.
  private func statistics(_ sources: [(network: String?, type: String?, count: Int)]) -> QuakeStatistics {
    var statistics = QuakeStatistics()
    for (index, source) in sources.enumerated() {
      for magnitude in Self.catalog(b: 1, from: 2, count: source.count, seed: UInt64(index + 1)) {
        var quake = QuakeFacts()
        quake.magnitude = magnitude
        (quake[.network], quake[.magnitudeType]) = (source.network.map { .text($0) }, source.type.map { .text($0) })
        statistics.add(quake)
      }
    }
    return statistics
  }

  @Test func `one network with one type of magnitude has no warning`() {
    let statistics = statistics([("nc", "mw", 300), ("nc", "Mww", 300), ("nc", "mwr", 300)])
    let found = statistics.frequencies()
    #expect(found.bValue != nil && statistics.warnings(of: found).isEmpty)
    #expect(statistics.magnitudeTypes(of: found).map(\.name) == ["mw"])
  }

  @Test func `mixed networks and types of magnitude are named with their counts`() throws {
    let statistics = statistics([("nc", "Md", 600), ("ci", "ml", 900), (nil, nil, 300), ("nc", "md", 100)])
    let found = statistics.frequencies()
    let networks = statistics.networks(of: found)
    #expect(networks.map(\.name) == ["ci", "nc", "unknown"])
    #expect(networks.map(\.count).reduce(0, +) == found.count)
    let types = statistics.magnitudeTypes(of: found)
    #expect(types.map(\.name) == ["ml", "md", "unknown"] && types.map(\.count) == networks.map(\.count))
    let warnings = statistics.warnings(of: found)
    #expect(warnings == [.mixedNetworks(networks), .mixedMagnitudeTypes(types)])
    let counts = networks.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    #expect(warnings.first?.text().contains("3 networks (\(counts))") == true, "\(warnings)")
  }

  @Test func `only earthquakes that count for the b-value are mixed`() {
    // The earthquake of the second network is below the magnitude of completeness.
    var statistics = statistics([("nc", "md", 1000)])
    var small = QuakeFacts()
    (small.magnitude, small[.network], small[.magnitudeType]) = (1, .text("ci"), .text("ml"))
    statistics.add(small)
    #expect(statistics.warnings(of: statistics.frequencies()).isEmpty)
    #expect(statistics.warnings(of: statistics.frequencies(completeness: 1)).map(\.code).contains("mixed_networks"))
  }

  @Test func `no warning is given for a b-value that is not computed`() {
    let statistics = statistics([("nc", "md", 20), ("ci", "ml", 20)])
    #expect(statistics.warnings(of: statistics.frequencies()).isEmpty)
  }

  @Test func `a completeness below all estimates is reported`() {
    let statistics = statistics([("nc", "md", 1000)])
    let found = statistics.frequencies(completeness: 1)
    let least = found.completenessRange?.lowerBound ?? 0
    #expect(statistics.warnings(of: found).contains(.lowCompleteness(least)) && least >= 1.9, "\(found)")
    #expect((found.bValue?.b ?? 1) < 0.7)
  }

  @Test func `magnitudes that follow no such law are reported`() throws {
    var statistics = QuakeStatistics()
    for index in 0..<400 {
      var quake = QuakeFacts()
      // Two equally large groups, one of them 3 higher.
      quake.magnitude = (index % 2 == 0 ? 1 : 4) + Double(index / 2 % 3) / 10
      statistics.add(quake)
    }
    let found = statistics.frequencies()
    #expect(found.estimates.first { $0.method == .goodnessOfFit }?.magnitude == nil, "\(found.estimates)")
    #expect(statistics.warnings(of: found).map(\.code) == ["poor_fit"], "\(found)")
  }
}
