import Foundation

/// Statistics of many earthquakes.
public struct QuakeStatistics: Sendable {
  /// Of events of all types.
  public private(set) var count = 0
  /// By days since 1970-01-01, in the zone.
  public private(set) var countsByDay: [Int: Int] = [:]
  /// By `QuakeFacts.magnitudeClass`.
  public private(set) var countsByClass: [String: Int] = [:]
  /// The events that are not earthquakes, such as explosions.
  public private(set) var countsByOtherType: [String: Int] = [:]
  public private(set) var withoutMagnitude = 0
  /// Radiated by earthquakes as seismic waves, in joules, after Gutenberg and Richter (1956): log₁₀ E = 4.8 + 1.5 M.
  /// https://www.usgs.gov/programs/earthquake-hazards/earthquake-magnitude-energy-release-and-shaking-intensity
  ///
  /// The relation is for surface-wave magnitudes, and is applied to all.
  public private(set) var energy = 0.0
  /// Of events of all types, the first added one of the largest magnitude.
  public var largest: QuakeFacts?
  private var magnitudes = MagnitudeHistogram()
  private var magnitudesByNetwork: [String: MagnitudeHistogram] = [:]
  private var magnitudesByScale: [String: MagnitudeHistogram] = [:]

  private let zone: DisplayZone

  /// - Parameter zone: whose days are counted.
  public init(zone: DisplayZone = .universal) { self.zone = zone }

  public mutating func add(_ quake: QuakeFacts) {
    count += 1
    countsByDay[day(of: quake.time), default: 0] += 1
    let isEarthquake = quake.type == "earthquake"
    if !isEarthquake { countsByOtherType[quake.type, default: 0] += 1 }
    guard let magnitude = quake.magnitude, magnitude.isFinite, let name = quake.magnitudeClass else {
      withoutMagnitude += 1
      return
    }
    countsByClass[name, default: 0] += 1
    if largest?.magnitude.map({ $0 < magnitude }) ?? true { largest = quake }
    guard isEarthquake else { return }
    energy += pow(10, 4.8 + 1.5 * magnitude)
    magnitudes.add(magnitude)
    magnitudesByNetwork[quake.text(.network) ?? "unknown", default: MagnitudeHistogram()].add(magnitude)
    magnitudesByScale[Self.scale(quake.text(.magnitudeType)), default: MagnitudeHistogram()].add(magnitude)
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

/// The distribution of magnitudes.
extension QuakeStatistics {
  /// - Parameter completeness: nil to estimate it.
  public func frequencies(completeness: Double? = nil) -> FrequencyMagnitude {
    FrequencyMagnitude(magnitudes, completeness: completeness)
  }

  /// The earthquakes that count for a b-value by network, the most first.
  public func networks(of found: FrequencyMagnitude) -> [StatisticsWarning.NamedCount] {
    Self.counts(magnitudesByNetwork, from: found.completeness)
  }

  /// The earthquakes that count for a b-value by type of magnitude, in lowercase, the most first.
  public func magnitudeTypes(of found: FrequencyMagnitude) -> [StatisticsWarning.NamedCount] {
    Self.counts(magnitudesByScale, from: found.completeness)
  }

  /// - Returns: empty without a b-value.
  public func warnings(of found: FrequencyMagnitude) -> [StatisticsWarning] {
    guard found.bValue != nil else { return [] }
    var warnings: [StatisticsWarning] = []
    let (networks, types) = (networks(of: found), magnitudeTypes(of: found))
    if networks.count > 1 { warnings.append(.mixedNetworks(networks)) }
    if types.count > 1 { warnings.append(.mixedMagnitudeTypes(types)) }
    if found.isCompletenessGiven, let given = found.completeness, let least = found.completenessRange?.lowerBound,
      given < least
    {
      warnings.append(.lowCompleteness(least))
    }
    if let fit = found.estimates.first(where: { $0.method == .goodnessOfFit && $0.magnitude == nil })?.fit {
      warnings.append(.poorFit(fit))
    }
    return warnings
  }

  private static func counts(
    _ histograms: [String: MagnitudeHistogram], from completeness: Double?
  ) -> [StatisticsWarning.NamedCount] {
    guard let bin = completeness.flatMap(MagnitudeHistogram.bin) else { return [] }
    return histograms.map { StatisticsWarning.NamedCount(name: $0.key, count: $0.value.count(from: bin)) }
      .filter { $0.count > 0 }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  /// The moment magnitudes are one scale, however they were computed; Mwp, of the first P waves, is another.
  /// https://www.usgs.gov/programs/earthquake-hazards/magnitude-types
  private static func scale(_ type: String?) -> String {
    let type = type?.lowercased() ?? ""
    if ["mw", "mwb", "mwc", "mwr", "mww"].contains(type) { return "mw" }
    return type.isEmpty ? "unknown" : type
  }
}
