import CoreData
import Foundation

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

  /// The stored earthquakes with one of these IDs; ignores unsaved changes.
  public static func identified(by identifiers: [String]) -> NSFetchRequest<Quake> {
    let request: NSFetchRequest<Quake> = fetchRequest()
    request.predicate = NSPredicate(format: "identifier IN %@", argumentArray: [identifiers])
    request.includesPendingChanges = false
    request.returnsObjectsAsFaults = false
    return request
  }

  /// The earthquake that an ID leads to: the one whose own ID it is or was; one that was merged or joined leads to its
  /// main report.
  ///
  /// - Returns: nil if the store has no such ID.
  public static func find(_ identifier: String, in context: NSManagedObjectContext) throws -> Quake? {
    if let quake = try context.fetch(identified(by: [identifier])).first {
      return quake.standingValue == .merged ? quake.main ?? quake : quake
    }
    let named = try context.fetch(Alias.identified(by: [identifier])).compactMap(\.quake)
    return named.min { ($0.standing, $0.identifier ?? "") < ($1.standing, $1.identifier ?? "") }
  }
}
