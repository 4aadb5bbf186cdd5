import CoreData
import Foundation

/// The changes since a time, ordered by time of import, then by time of report.
///
/// Of each, only the place in that order is in memory, so that the list may have millions.
public struct ChangeList {
  private struct Place {
    var first: Date
    var second: Date
    /// The earthquake's own ID after the change.
    var identifier: String
    var quake: NSManagedObjectID
    /// Which of the earthquake's changes it is.
    var index: Int
  }

  /// The maximum number of changes in memory.
  private static let partSize = 500

  private var places: [Place] = []

  public var count: Int { places.count }

  /// Resets the context, which should be the caller's own.
  ///
  /// - Parameters:
  ///   - end: the last time; nil for now.
  ///   - isSaid: uses and orders by the time of report instead.
  ///   - filter: what the earthquake must be after the change, or have been before it.
  ///   - limit: only the latest; 0 for all.
  /// - Throws: what `fetch` throws.
  public init(
    since time: Date, until end: Date? = nil, isSaid: Bool = false, filter: QuakeFilter, limit: Int = 0,
    in context: NSManagedObjectContext
  ) throws {
    let request = Self.request()
    let key = isSaid ? "said" : "learnt"
    request.predicate = NSPredicate(
      format: "\(key) >= %@ OR ANY revisions.\(key) >= %@", argumentArray: [time, time])
    let states = StateFilter(filter)
    try Quake.forEach(request, in: context) { quake in
      let service = quake.service
      for (index, change) in QuakeChange.changes(in: quake.history).enumerated() {
        let (first, second) = isSaid ? (change.said, change.said) : (change.learnt, change.said)
        guard first >= time, first <= end ?? .distantFuture else { continue }
        let isMeant =
          states.matches(change.after, of: service)
          || change.before.map { states.matches($0, of: service) } ?? false
        guard isMeant else { continue }
        places.append(
          Place(
            first: first, second: second, identifier: change.identifier, quake: quake.objectID, index: index))
      }
      return true
    }
    places.sort { ($0.first, $0.second, $0.identifier) < ($1.first, $1.second, $1.identifier) }
    if limit > 0 { places.removeFirst(max(0, places.count - limit)) }
  }

  private static func request() -> NSFetchRequest<Quake> {
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    request.relationshipKeyPathsForPrefetching = ["revisions"]
    return request
  }

  /// Visits the changes in order, in batches of a few hundred.
  ///
  /// - Parameters:
  ///   - context: the one that found them; reset too.
  ///   - visit: returns whether to continue.
  /// - Throws: what `fetch` or `visit` throws.
  public func forEachPart(in context: NSManagedObjectContext, visit: ([QuakeChange]) throws -> Bool) throws {
    for start in stride(from: 0, to: places.count, by: Self.partSize) {
      let part = places[start..<min(start + Self.partSize, places.count)]
      var known: [NSManagedObjectID: [QuakeChange]] = [:]
      try Quake.forEach(Array(Set(part.map(\.quake))), sortedBy: Self.request(), in: context) { quake in
        known[quake.objectID] = QuakeChange.changes(in: quake.history)
        return true
      }
      // Without a pinned query generation, earthquakes may have lost changes since the first fetch.
      let changes = part.compactMap { place in
        known[place.quake].flatMap { $0.indices.contains(place.index) ? $0[place.index] : nil }
      }
      guard try visit(changes) else { return }
    }
  }
}
