import CoreData
import Foundation

/// The reason of an alert.
public enum AlertReason: String, Sendable {
  /// The earthquake has not fired the alert yet.
  case new
  /// Its magnitude rose by the rule's step.
  case rise
  /// The user asked for it by hand.
  case test
}

/// An earthquake for which a rule's alert is due.
public struct AlertDue {
  public var quake: Quake
  public var reason: AlertReason
  /// The earlier firing for this earthquake.
  public var firing: AlertFiring?
}

extension AlertRule {
  /// The maximum age at which an earthquake fires alerts, no matter when it became known.
  public static let maximumAge: TimeInterval = 24 * 3600

  /// The center's name; nil without a center.
  public var centerName: String? { place?.name ?? near }

  private var hasCenter: Bool { place != nil || latitude != nil }

  /// nil without a center, or if it is not a position.
  public var circle: GeoCircle? {
    guard let latitude = place?.latitude ?? latitude?.doubleValue,
      let longitude = place?.longitude ?? longitude?.doubleValue
    else { return nil }
    return GeoCircle(latitude: latitude, longitude: longitude, radius: within?.doubleValue ?? GeoCircle.defaultRadius)
  }

  /// Which earthquakes the rule is about, of any time: live ones, and no explosions or other events.
  public var filter: QuakeFilter {
    var filter = QuakeFilter(minimumMagnitude: minimumMagnitude?.doubleValue)
    filter.maximumDepth = maximumDepth?.doubleValue
    filter.type = "earthquake"
    filter.circle = circle
    return filter
  }

  /// The rule's due alerts, oldest first. They depend only on the recorded firings, so any process can compute them at any
  /// time, also after a crash.
  ///
  /// - Throws: what `fetch` throws.
  public func due(at now: Date, in context: NSManagedObjectContext) throws -> [AlertDue] {
    var filter = filter
    guard filter.circle != nil || !hasCenter else { return [] }
    filter.since = max(created ?? now, now.addingTimeInterval(-Self.maximumAge))
    let request = Quake.matching(filter)
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: true)]
    request.relationshipKeyPathsForPrefetching = ["aliases", "reports", "reports.aliases"]
    request.returnsObjectsAsFaults = false
    let quakes = try context.fetch(request).filter { quake in
      filter.isInCircle(latitude: quake.latitude, longitude: quake.longitude)
    }
    guard !quakes.isEmpty else { return [] }
    let firingsByID = try firings(since: filter.since ?? now, in: context)
    let namesakes = try Alias.namesakes(of: quakes.compactMap(\.identifier), in: context)
    return quakes.compactMap { quake in
      let identifiers = quake.everyIdentifier.union(namesakes[quake.identifier ?? ""] ?? [])
      let firings = identifiers.compactMap { firingsByID[$0] }
      guard let last = firings.max(by: { $0.toldMagnitude < $1.toldMagnitude }) else {
        return AlertDue(quake: quake, reason: .new)
      }
      return hasRisen(quake, above: last) ? AlertDue(quake: quake, reason: .rise, firing: last) : nil
    }
  }

  /// An unknown magnitude is less than any.
  private func hasRisen(_ quake: Quake, above firing: AlertFiring) -> Bool {
    guard let step = magnitudeStep?.doubleValue, let magnitude = quake.magnitude?.doubleValue else { return false }
    // 6.6 less 6.1 is a little less than 0.5.
    return magnitude >= firing.toldMagnitude + step - 1e-6
  }

  /// The firings since a time, by the earthquake's ID. Origin times are revised, so it reaches a day further back.
  private func firings(since time: Date, in context: NSManagedObjectContext) throws -> [String: AlertFiring] {
    let request: NSFetchRequest<AlertFiring> = AlertFiring.fetchRequest()
    request.predicate = NSPredicate(
      format: "ruleName == %@ AND fired >= %@", argumentArray: [name ?? "", time.addingTimeInterval(-24 * 3600)])
    request.returnsObjectsAsFaults = false
    let pairs = try context.fetch(request).map { ($0.quakeIdentifier ?? "", $0) }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension AlertFiring {
  fileprivate var toldMagnitude: Double { magnitude?.doubleValue ?? -.infinity }
}

extension Quake {
  /// All current and former IDs of the earthquake and its merged reports.
  fileprivate var everyIdentifier: Set<String> {
    let quakes = [self] + reports
    return Set(quakes.compactMap(\.identifier) + quakes.flatMap { $0.aliases.compactMap(\.identifier) })
  }
}

extension Alias {
  /// The IDs of other earthquakes that have had one of these IDs: two simultaneous imports may store the same earthquake
  /// under two IDs.
  fileprivate static func namesakes(
    of identifiers: [String], in context: NSManagedObjectContext
  ) throws -> [String: Set<String>] {
    var names: [String: Set<String>] = [:]
    for alias in try context.fetch(identified(by: identifiers)) {
      guard let identifier = alias.identifier, let name = alias.quake?.identifier else { continue }
      names[identifier, default: []].insert(name)
    }
    return names
  }
}

extension AlertDue {
  /// Claims the alert. The first process that saves its claim delivers the alert; a second one fails with a conflict,
  /// because both insert a firing with the same rule and ID, or change the rule's set of firings.
  ///
  /// - Returns: the record, without an outcome.
  public func claim(for rule: AlertRule, at now: Date, in context: NSManagedObjectContext) -> AlertFiring {
    let firing = firing ?? AlertFiring(context: context)
    if self.firing == nil {
      (firing.ruleName, firing.quakeIdentifier, firing.rule) = (rule.name, quake.identifier, rule)
    }
    (firing.fired, firing.magnitude, firing.outcome) = (now, quake.magnitude, nil)
    return firing
  }
}
