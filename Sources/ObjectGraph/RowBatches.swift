import ManagedModel
import RowStore

/// The ids of a fetch whose rows are read batch by batch, when an object of a batch is first asked for a value.
final class RowBatches: RowsReadAhead {
  let ids: [RowID]
  let size: Int
  private let layout: EntityLayout
  /// What is read along with the objects of a batch.
  private let prefetched: [String]

  init(_ ids: [RowID], size: Int, of layout: EntityLayout, prefetching paths: [String]?) {
    self.ids = ids
    self.size = size
    self.layout = layout
    prefetched = paths ?? []
  }

  /// The places of the batch that a place belongs to.
  func batch(at place: Int) -> Range<Int> {
    let start = place / size * size
    return start..<min(start + size, ids.count)
  }

  /// Gives an object and the faults of its batch their rows, in one question.
  func read(for object: NSManagedObject, in context: NSManagedObjectContext) throws {
    // A fault without a row keeps its place in the place of the row's.
    let place = Int(object.rowIndex)
    guard ids.indices.contains(place), ids[place] == object.rowID else { return }
    let waiting = ids[batch(at: place)].compactMap(context.registry.object).filter {
      $0.life == .fault && $0.page == nil
    }
    let rows = try context.requireSource().rows(with: waiting.map(\.rowID))
    rows.forEach { page, index in context.registry.object(page.id(index))?.adopt(page, index) }
    if !prefetched.isEmpty { try context.prefetch(prefetched, from: waiting, of: layout) }
  }
}

extension NSManagedObjectContext {
  /// Faults for the ids of a plan, whose rows come in batches.
  func faults<T>(for plan: FetchPlan, _ request: NSFetchRequest<T>) throws -> [NSManagedObject] {
    let ids = try storeErrors { try requireSource().ids(for: plan) }
    let batches = RowBatches(
      ids, size: request.fetchBatchSize, of: plan.layout, prefetching: request.relationshipKeyPathsForPrefetching)
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(ids.count)
    for (place, id) in ids.enumerated() {
      let object = registry.object(id) ?? makeFault(id)
      if object.life == .fault, object.page == nil {
        object.readAhead = batches
        object.rowIndex = Int32(truncatingIfNeeded: place)
      }
      objects.append(object)
    }
    return objects
  }
}
