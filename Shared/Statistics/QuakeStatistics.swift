import Foundation

/// Statistics of many earthquakes.
public struct QuakeStatistics: Sendable {
  public private(set) var count = 0
  /// By days since 1970-01-01, in the zone.
  public private(set) var countsByDay: [Int: Int] = [:]
  /// By `QuakeFacts.magnitudeClass`.
  public private(set) var countsByClass: [String: Int] = [:]
  public private(set) var withoutMagnitude = 0
  /// Radiated, in joules: log₁₀ E = 4.8 + 1.5 M, https://www.usgs.gov/programs/earthquake-hazards/earthquake-magnitude-energy-release-and-shaking-intensity
  public private(set) var energy = 0.0
  public var largest: QuakeFacts?
  private var magnitudes: [Double] = []

  private let zone: DisplayZone

  /// - Parameter zone: whose days are counted.
  public init(zone: DisplayZone = .universal) { self.zone = zone }

  public mutating func add(_ quake: QuakeFacts) {
    count += 1
    countsByDay[day(of: quake.time), default: 0] += 1
    guard let magnitude = quake.magnitude, let name = quake.magnitudeClass else {
      withoutMagnitude += 1
      return
    }
    countsByClass[name, default: 0] += 1
    energy += pow(10, 4.8 + 1.5 * magnitude)
    if largest?.magnitude.map({ $0 < magnitude }) ?? true { largest = quake }
    if quake.type == "earthquake" { magnitudes.append(magnitude) }
  }

  /// - Parameter completeness: nil to find it.
  /// - Returns: nil if there are too few earthquakes.
  public func frequencies(completeness: Double? = nil) -> FrequencyMagnitude? {
    FrequencyMagnitude(magnitudes, completeness: completeness)
  }

  /// The magnitude of a single earthquake with the total energy; nil without earthquakes.
  public var magnitudeOfEnergy: Double? {
    energy > 0 && energy.isFinite ? (log10(energy) - 4.8) / 1.5 : nil
  }

  /// Days, as midnights in UTC, and their counts from the first to the last, those without earthquakes too.
  ///
  /// - Parameter limit: the most days, which are the last ones.
  public func days(limit: Int) -> [(day: Date, count: Int)] {
    guard let first = countsByDay.keys.min(), let last = countsByDay.keys.max() else { return [] }
    return (max(first, last - limit + 1)...last).map { day in
      (Date(timeIntervalSince1970: Double(day) * 86_400), countsByDay[day] ?? 0)
    }
  }

  /// Clamped as calendar dates are.
  private func day(of time: Date) -> Int {
    Int((zone.calendarDate(time).instant.timeIntervalSince1970 / 86_400).rounded(.down))
  }
}
