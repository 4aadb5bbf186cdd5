import StrataRowStore
import Synchronization

/// What temporary ids of a context became, for the contexts below it: they keep using the old ones until they next ask
/// for something, as Apple's do.
///
/// The context adds on its queue; the contexts below read on theirs.
final class RetiredIDs: Sendable {
  private struct State {
    var changes: [(old: RowID, new: RowID)] = []
    /// How many changes were forgotten in front of those.
    var forgotten = 0
    var map = IDChanges()
  }

  private let state = Mutex(State())
  private let total = Atomic(0)

  /// How many ids were ever retired: a place to go on from.
  var end: Int { total.load(ordering: .acquiring) }

  /// The id that took the place of one, which is the same id for most.
  @inline(__always)
  func current(_ id: RowID) -> RowID { id.isTemporary && end > 0 ? look(up: id) : id }

  private func look(up id: RowID) -> RowID { state.withLock { $0.map[id] ?? id } }

  func add(_ changes: IDChanges) {
    guard !changes.isEmpty else { return }
    state.withLock { state in
      changes.forEach { old, new in
        state.changes.append((old, new))
        state.map.set(old, to: new)
      }
      total.store(state.forgotten + state.changes.count, ordering: .releasing)
    }
  }

  /// What was retired since a place, and the place after it.
  func changes(after place: Int) -> (map: IDChanges, end: Int) {
    state.withLock { state in
      let new = state.changes.dropFirst(max(0, place - state.forgotten))
      var map = IDChanges(capacity: new.count)
      for change in new { map.set(change.old, to: change.new) }
      return (map, state.forgotten + state.changes.count)
    }
  }

  /// Stops the program where ids were not retired in the order and number that others go by: for tests.
  func checkInvariants() {
    state.withLock { state in
      precondition(
        total.load(ordering: .acquiring) == state.forgotten + state.changes.count, "Retired ids were lost on the way.")
      for change in state.changes {
        precondition(change.old != change.new && state.map[change.old] != nil, "\(change.old) is retired and unknown.")
      }
      state.map.checkInvariants()
    }
  }

  /// Forgets everything: nobody uses the old ids any more.
  func forget() {
    guard end > 0 else { return }
    state.withLock { state in
      state.forgotten += state.changes.count
      (state.changes, state.map) = ([], IDChanges())
    }
  }
}

extension NSManagedObjectContext {
  /// Gives objects the permanent ids that they got above this context.
  @inline(__always)
  func takeIDsFromAbove() {
    guard let idsAbove, idsAbove.end != placeAbove else { return }
    renumber(from: idsAbove)
  }

  @inline(never)
  private func renumber(from above: RetiredIDs) {
    let (map, end) = above.changes(after: placeAbove)
    placeAbove = end
    // Rows that were read before still name the old ids.
    retiredIDs.add(map)
    var objects: [NSManagedObject] = []
    var ids: [RowID] = []
    map.forEach { old, new in
      guard let object = registry.object(old) else { return }
      objects.append(object)
      ids.append(new)
    }
    renumber(objects, as: ids, map)
  }
}
