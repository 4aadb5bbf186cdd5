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
    return faults(in: batches)
  }

  /// Who asks one member of a relationship for a value mostly asks others too; who does not has not read too many.
  private static let usualSize = 128

  /// The members of a relationship, whose rows come in batches too.
  func members(_ ids: [RowID], of layout: EntityLayout) -> [NSManagedObject] {
    let current = retiredIDs.end == 0 ? ids : ids.map(retiredIDs.current)
    return faults(in: RowBatches(current, size: Self.usualSize, of: layout, prefetching: nil))
  }

  private func faults(in batches: RowBatches) -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(batches.ids.count)
    var (number, layout, type): (Int, EntityLayout?, NSManagedObject.Type) = (0, nil, NSManagedObject.self)
    for (place, id) in batches.ids.enumerated() {
      let object: NSManagedObject
      if let known = registry.object(id) {
        object = known
      } else if id.isTemporary {
        // A new object that is gone has no row; one of a parent context has.
        guard let made = self.object(id) else { continue }
        object = made
      } else {
        if id.entity != number {
          let own = model.layout(number: id.entity)
          (number, layout, type) = (id.entity, own, objectClass(of: own))
        }
        // Set together with the number.
        object = makeFault(id, layout.unsafelyUnwrapped, type)
        recent.keep(object)
      }
      if object.life == .fault, object.heldPage == nil, object.readAhead == nil {
        object.readAhead = batches
        object.rowIndex = Int32(truncatingIfNeeded: place)
      }
      objects.append(object)
    }
    return objects
  }
}
