import StrataCoreDataErrors
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// The ids of a fetch whose rows are read batch by batch, when an object of a batch is first asked for a value.
final class RowBatches: PrefetchCache {
  let ids: [RowID]
  let size: Int
  private let layout: EntityLayout
  /// What is read along with the objects of a batch.
  private let prefetched: [String]
  /// Of the members of a relationship, if they name their owner themselves: by which relationship.
  private let owner: (id: RowID, inverse: String)?
  @exclusivity(unchecked) private var hasAskedOwner = false

  init(_ ids: [RowID], size: Int, of layout: EntityLayout, prefetching paths: [String]?) {
    self.ids = ids
    self.size = size
    self.layout = layout
    prefetched = paths ?? []
    owner = nil
  }

  /// The members of a relationship.
  init(_ ids: [RowID], of owner: NSManagedObject, _ property: ToManyProperty) {
    // A relationship that has members has a destination.
    let layout = property.relationship.destinationEntity?.layout ?? owner.layout
    self.ids = ids
    size = Self.usualSize
    self.layout = layout
    prefetched = []
    if case .slot(let slot) = property.inverse, ids.count <= Self.mostOfOwner {
      self.owner = (owner.rowID, layout.slots[slot].name)
    } else {
      self.owner = nil
    }
  }

  /// Faults that have nothing in common but that their rows changed together.
  init(_ faults: [NSManagedObject], of layout: EntityLayout) {
    ids = faults.map(\.rowID)
    size = Self.usualSize
    self.layout = layout
    prefetched = []
    owner = nil
  }

  /// Who asks one of several objects for a value mostly asks others too; who does not has not read too many.
  private static let usualSize = 128
  /// As many members are read at once if one question does: all that name an owner.
  private static let mostOfOwner = 512

  /// The places of the batch that a place belongs to.
  func batch(at place: Int) -> Range<Int> {
    let start = place / size * size
    return start..<min(start + size, ids.count)
  }

  /// Gives an object and the faults of its batch their rows, in one question.
  func read(for object: NSManagedObject, in context: NSManagedObjectContext) throws {
    guard case .waiting(let place) = object.rowPosition, ids.indices.contains(place), ids[place] == object.rowID else {
      return
    }
    if let plan = planForOwner(in: context) {
      let rows = try context.requireSource().rows(for: plan)
      rows.forEach { page, index in
        guard let member = context.registry.object(page.id(index)), member.waitsForRow else { return }
        member.adopt(page, index)
      }
      if !object.waitsForRow { return }
    }
    let waiting = ids[batch(at: place)].compactMap(context.registry.object).filter(\.waitsForRow)
    let rows = try context.requireSource().rows(with: waiting.map(\.rowID))
    rows.forEach { page, index in context.registry.object(page.id(index))?.adopt(page, index) }
    if !prefetched.isEmpty { try context.prefetch(prefetched, from: waiting, of: layout) }
  }
}

extension RowBatches {
  /// Asks for all that name the owner, once: who is none of them by now is asked for by its key. A parent context has
  /// changes of its own to look through, so it is asked by keys.
  private func planForOwner(in context: NSManagedObjectContext) -> FetchQuery? {
    guard let owner, !hasAskedOwner, context.parent == nil, !owner.id.isTemporary else { return nil }
    hasAskedOwner = true
    let isOwned = ComparisonNode(.keyPath([owner.inverse]), .equal, .value(.row(owner.id.bits)))
    return FetchQuery(layout: layout, filter: .comparison(isOwned))
  }
}

/// What the number means that an object has for the place of its row. One number has to do: a second one would make every
/// object larger.
enum RowPosition {
  /// The row's index in the object's page.
  case row(Int)
  /// The place of a fault that has no page yet in the batches that it waits for.
  case waiting(Int)
}

extension NSManagedObject {
  var rowPosition: RowPosition { heldPage == nil ? .waiting(Int(rowIndex)) : .row(Int(rowIndex)) }

  /// Whether the object is a fault without a row.
  var waitsForRow: Bool { life == .fault && heldPage == nil }

  /// Has a fault without a row get it from a batch.
  @inline(__always)
  func wait(for batches: RowBatches?, at place: Int) {
    readAhead = batches
    rowIndex = Int32(truncatingIfNeeded: place)
  }
}

extension NSManagedObjectContext {
  /// Faults for the ids of a plan, whose rows come in batches.
  func faults<T>(for plan: FetchQuery, _ request: NSFetchRequest<T>) throws -> [NSManagedObject] {
    let ids = try storeErrors { try requireSource().ids(for: plan) }
    let batches = RowBatches(
      ids, size: request.fetchBatchSize, of: plan.layout, prefetching: request.relationshipKeyPathsForPrefetching)
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(ids.count)
    forEachObject(ids[...], readAhead: nil, else: batches) { objects.append($0) }
    return objects
  }

  /// Makes those of the objects that are faults without a row read together, when one of them is asked for a value.
  func readTogether(_ objects: [NSManagedObject]) {
    let faults = objects.filter(\.waitsForRow)
    guard faults.count > 1 else { return }
    let batches = RowBatches(faults, of: faults[0].layout)
    for (place, object) in faults.enumerated() { object.wait(for: batches, at: place) }
  }

  /// Hands over the members of a relationship: with the rows that were read ahead, or with rows that come in batches.
  func forEachMember(
    _ ids: ArraySlice<RowID>, of owner: NSManagedObject, _ number: Int, _ body: (NSManagedObject) -> Void
  ) {
    let current = retiredIDs.end == 0 ? ids : ids.map(retiredIDs.current)[...]
    forEachObject(
      current, readAhead: owner.readAhead, else: RowBatches(Array(current), of: owner, owner.layout.toMany[number]),
      body)
  }

  /// Hands over the object for each id, and gives a fault that waits for its row what it gets it from.
  /// - Parameter batches: the batches of these ids; not made if nobody needs them.
  private func forEachObject(
    _ ids: ArraySlice<RowID>, readAhead: PrefetchCache?, else batches: @autoclosure () -> RowBatches,
    _ body: (NSManagedObject) -> Void
  ) {
    var made: RowBatches?
    var (number, layout, type): (Int, EntityLayout?, NSManagedObject.Type) = (0, nil, NSManagedObject.self)
    for (place, id) in ids.enumerated() {
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
      if object.life == .fault, object.heldPage == nil {
        if let readAhead, let row = readAhead.row(id) {
          object.adopt(row.page, row.index)
          if object.readAhead == nil { object.readAhead = readAhead }
        } else if object.readAhead == nil, ids.count > 1 {
          if made == nil { made = batches() }
          object.wait(for: made, at: place)
        }
      }
      body(object)
    }
  }
}
