import CoreData
import Foundation

/// Reads the objects of a store page by page, all in one snapshot, in memory that does not grow with their number: what
/// it holds of all of them is their IDs.
struct ObjectReader {
  let context: NSManagedObjectContext

  /// - Parameter opened: a store that nothing was read from yet. Without a write-ahead log, it has no snapshots.
  init(_ opened: OpenStore) throws {
    context = opened.context
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
  }

  /// Calls `body` with each page of the objects that a request selects, in its order, on the context's queue.
  /// - Parameter prefetched: the key paths of the relationships that `body` reads.
  func forEachPage(
    of request: NSFetchRequest<NSManagedObjectID>, prefetching prefetched: [String],
    body: ([NSManagedObject]) throws -> Void
  ) throws {
    try context.performAndWait {
      request.resultType = .managedObjectIDResultType
      let ids = try context.fetch(request)
      for start in stride(from: 0, to: ids.count, by: Self.pageSize) {
        let page = ids[start..<min(start + Self.pageSize, ids.count)]
        try withExtendedLifetime(objects(page, of: request, prefetching: prefetched)) { objects in
          // One that was deleted since belongs to no snapshot.
          try body(page.compactMap { objects[$0] })
        }
        context.reset()
      }
    }
  }

  private static let pageSize = 500

  private func objects(
    _ ids: ArraySlice<NSManagedObjectID>, of request: NSFetchRequest<NSManagedObjectID>,
    prefetching prefetched: [String]
  ) throws -> [NSManagedObjectID: NSManagedObject] {
    let rows = NSFetchRequest<NSManagedObject>(entityName: request.entityName ?? "")
    rows.predicate = NSPredicate(format: "SELF IN %@", Array(ids) as NSArray)
    rows.includesSubentities = request.includesSubentities
    rows.relationshipKeyPathsForPrefetching = prefetched
    return Dictionary(try context.fetch(rows).map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
