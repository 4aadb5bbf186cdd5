import CoreData
import Foundation

/// Which earthquakes to fetch.
public struct QuakeFilter: Equatable, Sendable {
  /// Also excludes earthquakes without a magnitude.
  public var minimumMagnitude: Double?
  public var since: Date?

  public init(minimumMagnitude: Double? = nil, since: Date? = nil) {
    self.minimumMagnitude = minimumMagnitude
    self.since = since
  }

  public var isEmpty: Bool { minimumMagnitude == nil && since == nil }

  var predicate: NSPredicate? {
    var parts: [NSPredicate] = []
    if let since { parts.append(NSPredicate(format: "time >= %@", argumentArray: [since])) }
    if let minimumMagnitude {
      parts.append(NSPredicate(format: "magnitude >= %@", argumentArray: [minimumMagnitude]))
    }
    return parts.count < 2 ? parts.first : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }
}

extension Quake {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Quake> {
    NSFetchRequest<Quake>(entityName: "Quake")
  }

  /// Newest first.
  ///
  /// - Parameter limit: 0 for no limit, as in `fetchLimit`.
  public static func newest(_ filter: QuakeFilter = QuakeFilter(), limit: Int) -> NSFetchRequest<Quake> {
    let request: NSFetchRequest<Quake> = fetchRequest()
    request.predicate = filter.predicate
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
    request.fetchLimit = limit
    request.returnsObjectsAsFaults = false
    return request
  }

  /// Unsorted, for counting.
  public static func matching(_ filter: QuakeFilter) -> NSFetchRequest<Quake> {
    let request: NSFetchRequest<Quake> = fetchRequest()
    request.predicate = filter.predicate
    return request
  }

  /// The stored earthquakes with one of these ids; ignores unsaved changes.
  public static func identified(by identifiers: [String]) -> NSFetchRequest<Quake> {
    let request: NSFetchRequest<Quake> = fetchRequest()
    request.predicate = NSPredicate(format: "identifier IN %@", argumentArray: [identifiers])
    request.includesPendingChanges = false
    request.returnsObjectsAsFaults = false
    return request
  }

  /// Earthquakes that had this id before the service preferred another.
  public static func formerlyKnown(as identifier: String) -> NSFetchRequest<Quake> {
    let request: NSFetchRequest<Quake> = fetchRequest()
    request.predicate = NSPredicate(format: "ids CONTAINS %@", argumentArray: [",\(identifier),"])
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
    request.returnsObjectsAsFaults = false
    return request
  }
}

extension SummaryLine {
  /// Fetches the line's contents: the newest row and a count, both by index.
  public static func text(
    in context: NSManagedObjectContext, minimumMagnitude: Double?, now: Date
  ) throws -> String {
    let newest = try context.fetch(Quake.newest(QuakeFilter(minimumMagnitude: minimumMagnitude), limit: 1)).first
    guard let newest else { return noQuakes }
    let today = QuakeFilter(minimumMagnitude: minimumMagnitude, since: Age.startOfToday(now))
    return text(newest: newest.facts, today: try context.count(for: Quake.matching(today)), now: now)
  }
}
