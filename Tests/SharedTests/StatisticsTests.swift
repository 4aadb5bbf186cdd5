import Foundation
import Testing

@testable import StrataQuakes

struct StatisticsTests {
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

  @Test func `statistics without earthquakes have no figures`() {
    let statistics = QuakeStatistics()
    #expect(statistics.days(limit: 9).isEmpty && statistics.largest == nil && statistics.magnitudeOfEnergy == nil)
    let found = statistics.frequencies()
    #expect(found.completeness == nil && found.bValue == nil && found.total == 0 && found.estimates.isEmpty)
    #expect(statistics.warnings(of: found).isEmpty)
  }

  @Test func `the energy is that of Gutenberg and Richter, of earthquakes`() throws {
    var statistics = QuakeStatistics()
    for (magnitude, type) in [(4.0, "earthquake"), (6, "earthquake"), (8, "explosion"), (-1, "earthquake")] {
      var quake = QuakeFacts()
      (quake.magnitude, quake.type) = (magnitude, type)
      statistics.add(quake)
    }
    // In ergs, log₁₀ E is 11.8 + 1.5 M: 17.8, 20.8 and 10.3.
    #expect(abs(statistics.energy / 6.315_883_018e13 - 1) < 1e-6, "\(statistics.energy)")
    #expect(statistics.largest?.magnitude == 8 && statistics.countsByOtherType == ["explosion": 1])
    let magnitude = try #require(statistics.magnitudeOfEnergy)
    #expect(abs(magnitude - 6.000_29) < 1e-5, "\(magnitude)")
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

  @Test func `steps of magnitudes begin at 2.5, 4.5, 6 and 7`() {
    let magnitudes = [nil, .nan, -.infinity, 2.49, 2.5, 4.49, 4.5, 5.99, 6, 6.99, 7, .infinity]
    #expect(
      magnitudes.map { MagnitudeStep($0) } == [
        .unknown, .unknown, .micro, .micro, .light, .light, .moderate, .moderate, .strong, .strong, .major, .major,
      ])
  }

  @Test func `a magnitude that is not a number is unknown`() {
    var statistics = QuakeStatistics()
    for magnitude in [Double.nan, .infinity, nil] {
      var quake = QuakeFacts()
      quake.magnitude = magnitude
      statistics.add(quake)
    }
    #expect(statistics.withoutMagnitude == 3 && statistics.largest == nil && statistics.energy == 0)
  }
}
