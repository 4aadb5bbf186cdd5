import Observation
import Synchronization

/// Tracks the properties of retained models during a step: each must be reported if it changes, and no other.
final class Watch {
  private let before: [String: PlainGraph]
  private let tracked: Set<Property>
  private let reports = Reports()

  struct Property: Hashable, Sendable {
    let space: String
    let key: Int
    let name: String
  }

  /// The properties that were reported.
  private final class Reports: Sendable {
    let properties = Mutex<Set<Property>>([])
  }

  init(_ session: ModelSession) {
    before = Dictionary(uniqueKeysWithValues: session.spaces.map { ($0.name, $0.graph) })
    var tracked: Set<Property> = []
    for space in session.spaces {
      for (key, model) in space.held where space.graph.isLive(key) {
        tracked.formUnion(Self.track(model, key, in: space, reports))
      }
    }
    self.tracked = tracked
  }

  private static func track(_ model: any GraphModel, _ key: Int, in space: Space, _ reports: Reports) -> [Property] {
    var reads: [(String, () -> Void)] = [("name", { _ = model.name }), ("number", { _ = model.number })]
    if let badge = model as? GraphBadge { reads.append(("code", { _ = badge.code })) }
    // Without an inverse, and while the inverse denies it, a deletion of the target does not change the relationship.
    for link in Kind(of: model).links {
      guard let inverse = link.inverse.map(link.destination.link), inverse.rule != .deny else { continue }
      if link.isRequired, space.graph.targets(link.name, of: key).isEmpty { continue }
      reads.append((link.name, { _ = link.read(model) }))
    }
    return reads.map { name, read in
      let property = Property(space: space.name, key: key, name: name)
      withObservationTracking(read) { reports.properties.withLock { _ = $0.insert(property) } }
      return property
    }
  }

  func check(_ session: ModelSession, _ operation: Step.Operation) throws {
    guard operation != .interleave, operation != .switchContext, operation != .reopen else { return }
    let reported = reports.properties.withLock { $0 }
    for property in tracked {
      guard let space = session.spaces.first(where: { $0.name == property.space }), let before = before[property.space],
        space.graph.isLive(property.key)
      else { continue }
      let values = (before.shown(property.key)[property.name], space.graph.shown(property.key)[property.name])
      let title = "\(property.space): \(property.key).\(property.name)"
      if values.0 != values.1, !reported.contains(property) {
        throw GraphFailure("\(title) changed from \(values.0 ?? "nil") to \(values.1 ?? "nil"), and was not reported")
      }
      // A rollback reports all properties of what has changed.
      if values.0 == values.1, reported.contains(property), space === session.space,
        ![.save, .rollback].contains(operation),
        session.written.isDisjoint(with: ["*", "\(property.key).\(property.name)"])
      {
        throw GraphFailure("\(title) did not change, and was reported")
      }
    }
  }
}
