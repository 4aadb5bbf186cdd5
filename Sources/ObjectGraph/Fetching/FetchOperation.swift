import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// One fetch of a context: the request as a query, and the ways to its results.
///
/// - If unsaved changes can affect the result, `FetchOverlay` corrects what the source returns.
/// - With a `fetchBatchSize`, or without property values, the source returns IDs: the rows are read later, in batches or one
///   by one.
/// - Otherwise the source returns rows, and each row is given to its object.
/// - Dictionaries come from an `AggregateQuery`, which is made from this one: see `dictionaries(for:)`.
///
/// How a store reads rows is its own choice.
package struct FetchOperation<T: NSFetchRequestResult> {
  private let context: NSManagedObjectContext
  private let request: NSFetchRequest<T>
  package let query: FetchQuery

  @inline(__always)
  package init(_ request: NSFetchRequest<T>, in context: NSManagedObjectContext) throws {
    (self.context, self.request) = (context, request)
    query = try context.query(for: request)
  }

  // MARK: Results

  /// Returns objects, IDs or a count, as the request asks.
  @inline(__always)
  func results() throws -> [T] {
    switch request.resultType {
    case .managedObjectIDResultType: try context.cast(context.publicIDList(ids()), for: request)
    case .countResultType: try context.cast([NSNumber(value: count())], for: request)
    default: try context.cast(objects(), for: request)
    }
  }

  /// Returns the objects for rows that were read by the query; reads again if unsaved changes affect it.
  func results(in rows: RowList) throws -> [T] {
    let found = try overlay().map { try $0.objects() } ?? register(rows)
    return try context.cast(prefetching(found), for: request)
  }

  @inline(__always)
  package func objects() throws -> [NSManagedObject] { try prefetching(objectsWithoutPrefetch()) }

  func ids() throws -> [RowID] {
    if let overlay = overlay() { return try overlay.objects().map(\.rowID) }
    return try storedIDs()
  }

  func count() throws -> Int {
    if let overlay = overlay() { return try overlay.objects().count }
    return try storeErrors { try context.requireSource().count(for: query) }
  }

  // MARK: Parts

  private func objectsWithoutPrefetch() throws -> [NSManagedObject] {
    if let overlay = overlay() {
      let found = try overlay.objects()
      if !request.returnsObjectsAsFaults { for object in found { object.materialize() } }
      return found
    }
    if !request.includesPropertyValues { return try storedIDs().compactMap(context.object) }
    if request.fetchBatchSize > 0, request.returnsObjectsAsFaults {
      return context.faults(
        for: try storedIDs(), of: query.layout, batchSize: request.fetchBatchSize,
        prefetching: request.relationshipKeyPathsForPrefetching)
    }
    let rows = try storeErrors { try context.requireSource().rows(for: query) }
    if rows.count > 0 { context.objectKind(of: query.layout, likely: T.self) }
    return register(rows)
  }

  private func storedIDs() throws -> [RowID] { try storeErrors { try context.requireSource().ids(for: query) } }

  /// Returns the overlay that corrects the source's result, if unsaved changes can affect the query.
  private func overlay() -> FetchOverlay? {
    guard request.includesPendingChanges, !context.tracker.tracked.isEmpty else { return nil }
    let overlay = FetchOverlay(context: context, query: query, refreshes: request.shouldRefreshRefetchedObjects)
    return overlay.pending.isEmpty ? nil : overlay
  }

  private func register(_ rows: RowList) -> [NSManagedObject] {
    context.register(rows, refreshing: request.shouldRefreshRefetchedObjects, fired: !request.returnsObjectsAsFaults)
  }

  /// Reads ahead the relationships that the request names; faults that are read in batches do it for each batch.
  private func prefetching(_ found: [NSManagedObject]) throws -> [NSManagedObject] {
    if let paths = request.relationshipKeyPathsForPrefetching, !paths.isEmpty,
      !(found.first?.prefetchCache is RowBatches)
    {
      try context.prefetch(paths, from: found, of: query.layout)
    }
    return found
  }
}
