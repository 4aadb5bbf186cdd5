import CoreData
import Foundation

/// Which earthquakes to fetch.
public struct QuakeFilter: Equatable, Sendable {
  /// Also excludes earthquakes without a magnitude.
  public var minimumMagnitude: Double?
  public var since: Date?
  public var until: Date?
  /// Also earthquakes that were withdrawn.
  public var includesRetracted = false

  public init(
    minimumMagnitude: Double? = nil, since: Date? = nil, until: Date? = nil, includesRetracted: Bool = false
  ) {
    (self.minimumMagnitude, self.since, self.until) = (minimumMagnitude, since, until)
    self.includesRetracted = includesRetracted
  }

  public var isEmpty: Bool { minimumMagnitude == nil && since == nil && until == nil }

  var standings: [Standing] { includesRetracted ? [.live, .retracted] : [.live] }

  var predicate: NSPredicate {
    var parts = [
      includesRetracted
        ? NSPredicate(format: "standing IN %@", argumentArray: [standings.map(\.rawValue)])
        : NSPredicate(format: "standing == %@", argumentArray: [Standing.live.rawValue])
    ]
    if let until { parts.append(NSPredicate(format: "time <= %@", argumentArray: [until])) }
    if let since { parts.append(NSPredicate(format: "time >= %@", argumentArray: [since])) }
    if let minimumMagnitude {
      parts.append(NSPredicate(format: "magnitude >= %@", argumentArray: [minimumMagnitude]))
    }
    return parts.count == 1 ? parts[0] : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }

  /// Whether a state matches, of whatever time it is.
  public func matches(_ state: QuakeState) -> Bool {
    guard standings.contains(state.standing), let time = state.date(.time) else { return false }
    if let since, time < since { return false }
    if let until, time > until { return false }
    guard let minimumMagnitude else { return true }
    return state.number(.magnitude).map { $0 >= minimumMagnitude } ?? false
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

  /// The earthquake that an id leads to: the one whose own id it is or was; one that was merged or joined leads to its
  /// main report.
  ///
  /// - Returns: nil if the store has no such id.
  public static func find(_ identifier: String, in context: NSManagedObjectContext) throws -> Quake? {
    if let quake = try context.fetch(identified(by: [identifier])).first {
      return quake.standingValue == .merged ? quake.main ?? quake : quake
    }
    let named = try context.fetch(Alias.identified(by: [identifier])).compactMap(\.quake)
    return named.min { ($0.standing, $0.identifier ?? "") < ($1.standing, $1.identifier ?? "") }
  }
}
