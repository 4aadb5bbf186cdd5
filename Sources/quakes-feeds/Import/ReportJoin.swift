import Foundation
import StrataQuakes

/// Decides which reports are the same earthquake.
struct ReportJoin {
  struct Decision {
    var quake: Quake
    /// nil if the report stands alone or is itself the main one.
    var main: Quake?
    var reason: String?
  }

  /// The most reports that one may be taken for, at first sight. Those of six agencies at one place are a handful, and
  /// a hostile body that repeats a report at one place would cause unlimited pairs.
  private static let maximumPartners = 20

  let limits: JoinLimits
  /// By time.
  private var reports: [(quake: Quake, origin: ReportOrigin)] = []

  init(limits: JoinLimits) {
    self.limits = limits
  }

  mutating func add(_ quake: Quake) {
    guard let identifier = quake.identifier, let service = quake.service, let time = quake.time else { return }
    let origin = ReportOrigin(
      identifier: identifier, service: service, time: time, latitude: quake.latitude, longitude: quake.longitude,
      timeSpan: ReportOrigin.timeSpan(of: service))
    reports.append((quake, origin))
  }

  /// The nearest pairs first; each report is joined once, and a main report has one report of each other service at
  /// most, because two IDs of one source are two earthquakes.
  func decisions() -> [Decision] {
    var mains: [Int: (main: Int, reason: String)] = [:]
    var taken: Set<String> = []
    var isMain: Set<Int> = []
    for pair in pairs() {
      let (main, other) = (pair.main, pair.other)
      guard mains[main] == nil, mains[other] == nil, !isMain.contains(other),
        taken.insert("\(reports[main].origin.identifier) \(reports[other].origin.service)").inserted
      else { continue }
      mains[other] = (main, pair.text)
      isMain.insert(main)
    }
    return reports.indices.map { index in
      let joined = mains[index]
      return Decision(quake: reports[index].quake, main: joined.map { reports[$0.main].quake }, reason: joined?.reason)
    }
  }

  private func pairs() -> [(main: Int, other: Int, text: String, size: Double)] {
    var pairs: [(main: Int, other: Int, text: String, size: Double)] = []
    // The reports that are compared with all others near in time.
    let times = reports.map(\.origin.time.timeIntervalSinceReferenceDate)
    let names = Dictionary(grouping: reports.indices) { reports[$0].origin.service }
    var services = times.map { _ in 0 }
    for (number, indices) in names.values.enumerated() { for index in indices { services[index] = number } }
    if names.count < 2 { return [] }
    for first in reports.indices {
      var (second, partners) = (first + 1, 0)
      let reach = limits.seconds + reports[first].origin.timeSpan
      while second < times.count, partners < Self.maximumPartners, times[second] - times[first] <= reach {
        if services[first] != services[second], let pair = pair(first, second) {
          pairs.append(pair)
          partners += 1
        }
        second += 1
      }
    }
    return pairs.sorted {
      ($0.size, reports[$0.main].origin.identifier, reports[$0.other].origin.identifier)
        < ($1.size, reports[$1.main].origin.identifier, reports[$1.other].origin.identifier)
    }
  }

  private func pair(_ first: Int, _ second: Int) -> (main: Int, other: Int, text: String, size: Double)? {
    let services = (reports[first].origin.service, reports[second].origin.service)
    let isFirst = Self.rank(services.0) < Self.rank(services.1)
    let (main, other) = isFirst ? (first, second) : (second, first)
    guard let separation = limits.separation(reports[other].origin, reports[main].origin) else { return nil }
    return (main, other, separation.text, separation.size)
  }

  /// The USGS knows the whole world, and joins its own sources; the others come by name.
  private static func rank(_ service: String) -> (Int, String) { (service == "usgs" ? 0 : 1, service) }
}
