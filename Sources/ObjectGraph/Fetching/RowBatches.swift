import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// The IDs of a fetch whose rows are read in batches, when a value of one of a batch's objects is first read.
final class RowBatches: PrefetchCache {
  let ids: [RowID]
  let size: Int
  private let layout: EntityLayout
  /// The relationships to prefetch for each batch.
  private let prefetched: [String]
  /// For the members of a relationship, if they refer to their owner: the owner and the inverse relationship.
  private let owner: (id: RowID, inverse: String)?
  @exclusivity(unchecked) private var hasAskedOwner = false

  init(_ ids: [RowID], size: Int, of layout: EntityLayout, prefetching paths: [String]?) {
    self.ids = ids
    self.size = size
    self.layout = layout
    prefetched = paths ?? []
    owner = nil
  }

  /// Creates batches of the members of a relationship.
  init(_ ids: [RowID], of owner: NSManagedObject, property: ToManyProperty) {
    let layout = property.relationship.destination
    self.ids = ids
    size = Self.defaultSize
    self.layout = layout
    prefetched = []
    if case .slot(let slot) = property.inverse, ids.count <= Self.maximumOfOwner {
      self.owner = (owner.rowID, layout.slots[slot].name)
    } else {
      self.owner = nil
    }
  }

  /// Creates batches of unrelated faults whose rows changed together.
  init(_ faults: [NSManagedObject], of layout: EntityLayout) {
    ids = faults.map(\.rowID)
    size = Self.defaultSize
    self.layout = layout
    prefetched = []
    owner = nil
  }

  /// A program that reads one of several objects mostly reads others too; if not, only a few rows were read needlessly.
  private static let defaultSize = 128
  /// The largest number of members that one query for all rows that refer to the owner may read.
  private static let maximumOfOwner = 512

  /// The indexes of the batch that contains an index.
  func batch(at index: Int) -> Range<Int> {
    let start = index / size * size
    return start..<min(start + size, ids.count)
  }

  /// Gives an object and the other faults of its batch their rows, with one query.
  func read(for object: NSManagedObject, in context: NSManagedObjectContext) throws {
    guard case .waiting(let index) = object.rowPosition, ids.indices.contains(index), ids[index] == object.rowID else {
      return
    }
    if let query = queryForOwner(in: context) {
      let rows = try context.requireSource().rows(for: query)
      rows.forEach { page, row in
        guard let member = context.registry.object(page.id(row)), member.waitsForRow else { return }
        member.use(page, row: row)
      }
      if !object.waitsForRow { return }
    }
    let waiting = ids[batch(at: index)].compactMap(context.registry.object).filter(\.waitsForRow)
    let rows = try context.requireSource().rows(with: waiting.map(\.rowID))
    rows.forEach { page, row in context.registry.object(page.id(row))?.use(page, row: row) }
    if !prefetched.isEmpty { try context.prefetch(prefetched, from: waiting, of: layout) }
  }
}

extension RowBatches {
  /// Returns a query for all rows that refer to the owner, once; members that no longer do are read by key. A parent
  /// context would have to search its own changes, so it is queried by key.
  private func queryForOwner(in context: NSManagedObjectContext) -> FetchQuery? {
    guard let owner, !hasAskedOwner, context.parent == nil, !owner.id.isTemporary else { return nil }
    hasAskedOwner = true
    let isOwned = ComparisonNode(.keyPath([owner.inverse]), .equal, .value(.row(owner.id.bits)))
    return FetchQuery(layout: layout, filter: .comparison(isOwned))
  }
}

/// The meaning of an object's `rowIndex`.
enum RowPosition {
  /// The row's index in the object's page.
  case row(Int)
  /// The index of a fault without a page in the batches that it waits for.
  case waiting(Int)
}

extension NSManagedObject {
  var rowPosition: RowPosition { heldPage == nil ? .waiting(rowIndex) : .row(rowIndex) }

  /// Whether the object is a fault without a row.
  var waitsForRow: Bool { life == .fault && heldPage == nil }

  /// Makes a fault without a row wait for a batch.
  @inline(__always)
  func wait(for batches: RowBatches?, at index: Int) {
    prefetchCache = batches
    waitForRow(number: index)
  }
}

extension NSManagedObjectContext {
  /// Returns faults for IDs; their rows are read in batches.
  /// - Parameter paths: the relationships to prefetch for each batch.
  func faults(
    for ids: [RowID], of layout: EntityLayout, batchSize: Int, prefetching paths: [String]?
  ) -> [NSManagedObject] {
    let batches = RowBatches(ids, size: batchSize, of: layout, prefetching: paths)
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(ids.count)
    forEachObject(ids[...], prefetchCache: nil, else: batches) { objects.append($0) }
    return objects
  }

  /// Makes those objects that are faults without a row read their rows together when one of them fires.
  func readTogether(_ objects: [NSManagedObject]) {
    let faults = objects.filter(\.waitsForRow)
    guard faults.count > 1 else { return }
    let batches = RowBatches(faults, of: faults[0].layout)
    for (index, object) in faults.enumerated() { object.wait(for: batches, at: index) }
  }

  /// Visits the members of a relationship, with prefetched rows, or rows read in batches.
  func forEachMember(
    _ ids: ArraySlice<RowID>, of owner: NSManagedObject, toMany number: Int, inBatches: Bool,
    body: (NSManagedObject) -> Void
  ) {
    let current = family.replacedIDs.end == 0 ? ids : ids.map(family.replacedIDs.current)[...]
    forEachObject(
      current, prefetchCache: owner.prefetchCache,
      else: inBatches ? RowBatches(Array(current), of: owner, property: owner.layout.toMany[number]) : nil,
      body: body)
  }

  /// Visits the object of each ID, and tells a fault without a row where to get it.
  /// - Parameter batches: the batches of these IDs, if any; created only if needed.
  private func forEachObject(
    _ ids: ArraySlice<RowID>, prefetchCache: PrefetchCache?, else batches: @autoclosure () -> RowBatches?,
    body: (NSManagedObject) -> Void
  ) {
    var made: RowBatches?
    var (number, layout, kind): (Int, EntityLayout?, ObjectKind?) = (0, nil, nil)
    for (index, id) in ids.enumerated() {
      let object: NSManagedObject
      if let known = registry.object(id) {
        object = known
      } else if id.isTemporary {
        // A deleted new object has no row; one of a parent context has.
        guard let made = self.object(id) else { continue }
        object = made
      } else {
        if id.entity != number {
          let own = model.layout(number: id.entity)
          (number, layout, kind) = (id.entity, own, objectKind(of: own))
        }
        // Set together with `number`.
        object = makeFault(id, layout: layout.unsafelyUnwrapped, kind: kind.unsafelyUnwrapped)
        relationships.keep(object)
      }
      if object.life == .fault, object.heldPage == nil {
        if let prefetchCache, let row = prefetchCache.row(id) {
          object.use(row.page, row: row.index)
          if object.prefetchCache == nil { object.prefetchCache = prefetchCache }
        } else if object.prefetchCache == nil, ids.count > 1 {
          if made == nil { made = batches() }
          if let made { object.wait(for: made, at: index) }
        }
      }
      body(object)
    }
  }
}
