import Foundation
import Testing

@testable import StrataQuakes

struct StatisticsTests {
  /// Returns magnitudes of a Gutenberg-Richter distribution with this b value, each in the middle of an equal share of
  /// probability.
  private func magnitudes(b: Double, from minimum: Double, count: Int) -> [Double] {
    (0..<count).map { index -> Double in
      let share: Double = (Double(index) + 0.5) / Double(count)
      return minimum - 0.05 - log10(1 - share) / b
    }
  }

  @Test(arguments: [0.7, 1, 1.3]) func `the b value of a distribution is estimated`(_ b: Double) throws {
    let found = try #require(FrequencyMagnitude(magnitudes(b: b, from: 2, count: 5000)))
    #expect(abs(found.b - b) < 0.03, "\(found)")
    #expect(found.completeness == 2)
    #expect(found.count == 5000)
    // About b / √n, according to Aki.
    #expect(abs(found.error / (b / 5000.0.squareRoot()) - 1) < 0.1, "\(found)")
  }

  @Test func `magnitudes below the completeness do not count`() throws {
    let complete = magnitudes(b: 1, from: 2, count: 5000)
    let found = try #require(FrequencyMagnitude(complete + Array(repeating: 0.5, count: 300)))
    #expect(found.completeness == 2 && found.count == 5000)
    let later = try #require(FrequencyMagnitude(complete, completeness: 3))
    #expect(later.count < 600 && abs(later.b - 1) < 0.1)
  }

  @Test func `halves of a magnitude class are rounded up`() throws {
    // 1.45 and 1.55 are shown as 1.5 and 1.6, although 1.45 / 0.1 is less than 14.5.
    let magnitudes = Array(repeating: 1.45, count: 60) + Array(repeating: 1.55, count: 40)
    let found = try #require(FrequencyMagnitude(magnitudes))
    #expect(found.completeness == 1.5 && found.count == 100)
    #expect(abs(found.b - M_LOG10E / (1.54 - 1.45)) < 1e-9, "\(found)")
  }

  @Test func `too few or equal magnitudes have no b value`() {
    #expect(FrequencyMagnitude([]) == nil)
    #expect(FrequencyMagnitude(magnitudes(b: 1, from: 2, count: 49)) == nil)
    #expect(FrequencyMagnitude(Array(repeating: 3, count: 100)) == nil)
    #expect(FrequencyMagnitude([.nan, .infinity, 1e300]) == nil)
  }

  @Test func `aftershock windows match the published table`() {
    // Gardner and Knopoff, table 1.
    for (magnitude, radius, days) in [(4.0, 30.0, 42.0), (5.0, 40.0, 155.0), (6.0, 54.0, 510.0), (7.0, 70.0, 915.0)] {
      let window = AftershockWindow(magnitude: magnitude)
      #expect(abs(window.radius / radius - 1) < 0.1 && abs(window.days / days - 1) < 0.1, "\(magnitude) \(window)")
    }
    #expect(AftershockWindow(magnitude: 1e300).days.isFinite)
  }

  @Test func `days without earthquakes are listed with zero`() {
    var statistics = QuakeStatistics()
    for (day, magnitude) in [(0.0, 4.0), (0.5, nil), (3, 6)] {
      var quake = QuakeFacts()
      (quake.time, quake.magnitude) = (Date(timeIntervalSince1970: day * 86_400), magnitude)
      statistics.add(quake)
    }
    #expect(statistics.days(limit: 9).map(\.count) == [2, 0, 0, 1])
    #expect(statistics.days(limit: 2).map(\.count) == [0, 1])
    #expect(statistics.countsByClass == ["light": 1, "strong": 1] && statistics.withoutMagnitude == 1)
    #expect(statistics.largest?.magnitude == 6)
    #expect(statistics.magnitudeOfEnergy.map { abs($0 - 6) < 0.01 } == true)
  }

  @Test func `classes of magnitude are those of IRIS`() {
    for (magnitude, name) in [
      (-1, "micro"), (2.99, "micro"), (3, "minor"), (4, "light"), (5, "moderate"), (6.99, "strong"), (7, "major"),
      (8, "great"),
    ] {
      var quake = QuakeFacts()
      quake.magnitude = magnitude
      #expect(quake.magnitudeClass == name)
    }
  }
}
