import CoreData
import Foundation

/// Why the user is told of an earthquake.
public enum AlertReason: String, Sendable {
  /// Nothing was told of it yet.
  case new
  /// Its magnitude rose by the rule's step.
  case rise
  /// The user asked for it by hand.
  case test
}

/// An earthquake that a rule has yet to tell of.
public struct AlertDue {
  public var quake: Quake
  public var reason: AlertReason
  /// What was told of it before.
  public var firing: AlertFiring?
}

extension AlertRule {
  /// For how long after it happened an earthquake alerts anybody: later it is no news, however late it became known.
  public static let longestAge: TimeInterval = 24 * 3600

  /// The centre's name; nil if there is no centre.
  public var centreName: String? { place?.name ?? near }

  private var hasCentre: Bool { place != nil || latitude != nil }

  /// nil if there is no centre, or if it is no position.
  public var circle: GeoCircle? {
    guard let latitude = place?.latitude ?? latitude?.doubleValue,
      let longitude = place?.longitude ?? longitude?.doubleValue
    else { return nil }
    return GeoCircle(latitude: latitude, longitude: longitude, radius: within?.doubleValue ?? GeoCircle.usualRadius)
  }

  /// Which earthquakes the rule is about, of any time: live ones, and no explosions or other events.
  public var filter: QuakeFilter {
    var filter = QuakeFilter(minimumMagnitude: minimumMagnitude?.doubleValue)
    filter.maximumDepth = maximumDepth?.doubleValue
    filter.type = "earthquake"
    filter.circle = circle
    return filter
  }

  /// What the rule has yet to tell of, oldest first. The firings alone say what was told, so this can be asked at any time,
  /// by any process, and after any crash.
  ///
  /// - Throws: what `fetch` throws.
  public func due(at now: Date, in context: NSManagedObjectContext) throws -> [AlertDue] {
    var filter = filter
    guard filter.circle != nil || !hasCentre else { return [] }
    filter.since = max(created ?? now, now.addingTimeInterval(-Self.longestAge))
    let request = Quake.matching(filter)
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: true)]
    request.relationshipKeyPathsForPrefetching = ["aliases", "reports", "reports.aliases"]
    request.returnsObjectsAsFaults = false
    let quakes = try context.fetch(request).filter { quake in
      filter.isInCircle(latitude: quake.latitude, longitude: quake.longitude)
    }
    guard !quakes.isEmpty else { return [] }
    let told = try firings(since: filter.since ?? now, in: context)
    let namesakes = try Alias.namesakes(of: quakes.compactMap(\.identifier), in: context)
    return quakes.compactMap { quake in
      let identifiers = quake.everyIdentifier.union(namesakes[quake.identifier ?? ""] ?? [])
      let firings = identifiers.compactMap { told[$0] }
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

  /// What was told of earthquakes since a time, by id. Times of origin are revised, so it reaches a day further back.
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
  /// Every id that it or a report of it has or had.
  fileprivate var everyIdentifier: Set<String> {
    let quakes = [self] + reports
    return Set(quakes.compactMap(\.identifier) + quakes.flatMap { $0.aliases.compactMap(\.identifier) })
  }
}

extension Alias {
  /// The ids of earthquakes that have had one of these ids too: two imports at once may have stored the same earthquake
  /// under two ids, each unaware of the other.
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
  /// Records that it is being told. Whoever saves this first is the one who tells it: two who insert have the same rule and
  /// id, or change the rule's set of firings at once.
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
