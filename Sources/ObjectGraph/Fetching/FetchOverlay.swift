import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// A fetch affected by unsaved changes: rows from the source, corrected by the context's changes, then sorted and cut.
/// Uses the same predicate and order as the store, so that saving changes no result.
struct FetchOverlay {
  let context: NSManagedObjectContext
  let query: FetchQuery
  /// Whether registered objects take over the source's rows, below their unsaved changes.
  let refreshes: Bool
  /// Objects of the query's entities with unsaved changes that can affect the result; if there are none, the source's
  /// result is used as it is.
  let pending: [NSManagedObject]

  init(context: NSManagedObjectContext, query: FetchQuery, refreshes: Bool = false) {
    self.context = context
    self.query = query
    self.refreshes = refreshes
    guard !context.tracker.tracked.isEmpty else {
      pending = []
      return
    }
    let family = Set(query.includesSubentities ? query.layout.subtreeNumbers : [query.layout.number])
    let looksAt = LookedAt(by: query)
    pending = context.tracker.tracked.filter { object in
      guard family.contains(object.layout.number) else { return false }
      // A change of another object may have changed a relationship of an object that is still a fault.
      if object.life == .changed || object.isTouchedFault { return looksAt.anyChanged(in: object) }
      return object.life.isPending
    }
  }

  func objects() throws -> [NSManagedObject] {
    let stored = try storedObjects()
    return try context.throwingFailedReads {
      let matching = try pending.filter { object in try object.life != .deleted && matches(object) }
      return Array(query.window(of: try sort(stored + matching, isSorted: matching.isEmpty)))
    }
  }

  /// Returns the matching rows of the source, without those of changed objects. Each pending object can push one row
  /// out of the window, so the source is asked for that many more.
  private func storedObjects() throws -> [NSManagedObject] {
    let wide = query.fromStart(andMore: pending.count)
    let rows = try storeErrors { try context.requireSource().rows(for: wide) }
    let changed = Set(pending.map(\.rowID))
    return context.register(rows, refreshing: refreshes).filter { !changed.contains($0.rowID) }
  }

  private func matches(_ object: NSManagedObject) throws -> Bool {
    guard let filter = query.filter else { return true }
    do {
      return try filter.evaluate(on: object)
    } catch {
      throw CocoaError.coreData(.unsupported, error.description, cause: error)
    }
  }

  private func sort(_ objects: [NSManagedObject], isSorted: Bool) throws -> [NSManagedObject] {
    guard !isSorted else { return objects }
    let keyed = try objects.map { object in
      (object, try query.sort.map { key in try PredicateResult.subject(object).sortValue(at: key.keyPath) })
    }
    let reversesTies = query.reversesTies
    return keyed.sorted { left, right in
      for (index, key) in query.sort.enumerated() {
        let order = key.order(left.1[index], right.1[index])
        if order != .orderedSame { return order == .orderedAscending }
      }
      return left.0.rowID.comesBefore(right.0.rowID, reversed: reversesTies)
    }.map(\.0)
  }
}

/// The properties that a query filters and sorts by. Changes of other properties do not affect its result.
private struct LookedAt {
  private var slots: [Int] = []
  private var toMany: [Int] = []
  /// Whether the query depends on more than its key paths.
  private var isUnknown: Bool

  init(by query: FetchQuery) {
    isUnknown = query.filter?.isOpaque ?? false
    let names = Set((query.filter?.keyPaths ?? []).compactMap(\.first) + query.sort.compactMap(\.keyPath.first))
    for name in names {
      if let slot = query.layout.slot(named: name) {
        slots.append(slot)
        if query.layout.slots[slot].kind == .object { isUnknown = true }
      } else if let number = query.layout.toMany(named: name) {
        toMany.append(number)
      } else {
        isUnknown = true
      }
    }
  }

  func anyChanged(in object: NSManagedObject) -> Bool {
    guard !isUnknown else { return true }
    guard let edits = object.edits else { return false }
    if toMany.contains(where: { edits.links[$0]?.isChanged == true }) { return true }
    guard edits.ownsRow, let snapshot = edits.snapshot else { return false }
    let row = object.row
    return slots.contains { !row.page.isEqual(row: row.index, slot: $0, to: snapshot.page, row: snapshot.index) }
  }
}

extension PredicateNode {
  /// Whether a part of the predicate can depend on anything.
  fileprivate var isOpaque: Bool {
    var isFound = false
    _ = mappingExpressions { node in
      if case .opaque = node { isFound = true }
      return node
    }
    return isFound
  }
}
