import CoreData
import Foundation

/// Reads the objects of a store page by page, all in one snapshot, in memory that does not grow with their number: what
/// it holds of all of them is their IDs.
struct ObjectReader {
  let context: NSManagedObjectContext

  /// - Parameter opened: a store that nothing was read from yet. Without a write-ahead log, it has no snapshots.
  init(_ opened: ToolStore) throws {
    context = opened.context
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
  }

  /// Calls `body` with each page of the objects that a request selects, in its order, on the context's queue.
  /// - Parameter prefetched: the key paths of the relationships that `body` reads of an entity's own objects.
  func forEachPage(
    of request: NSFetchRequest<NSManagedObjectID>, prefetching prefetched: (NSEntityDescription) -> [String],
    body: ([NSManagedObject]) throws -> Void
  ) throws {
    try context.performAndWait {
      request.resultType = .managedObjectIDResultType
      let ids = try context.fetch(request)
      for start in stride(from: 0, to: ids.count, by: Self.pageSize) {
        let page = ids[start..<min(start + Self.pageSize, ids.count)]
        try withExtendedLifetime(objects(page, prefetching: prefetched)) { objects in
          // Skips an object that was deleted since.
          try body(page.compactMap { objects[$0] })
        }
        context.reset()
      }
    }
  }

  private static let pageSize = 500

  private func objects(
    _ ids: ArraySlice<NSManagedObjectID>, prefetching prefetched: (NSEntityDescription) -> [String]
  ) throws -> [NSManagedObjectID: NSManagedObject] {
    var objects: [NSManagedObjectID: NSManagedObject] = [:]
    for (entity, ids) in Dictionary(grouping: ids, by: \.entity) {
      let rows = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      rows.predicate = NSPredicate(format: "SELF IN %@", ids as NSArray)
      rows.includesSubentities = false
      rows.relationshipKeyPathsForPrefetching = prefetched(entity)
      for object in try context.fetch(rows) { objects[object.objectID] = object }
    }
    return objects
  }
}
