import StrataRowStore
import Synchronization

/// The permanent IDs that replaced temporary IDs of a context, for its children: they keep using the old ones until
/// their next query, as Apple's do.
///
/// The context adds on its queue; its children read on theirs.
final class ReplacedIDs: Sendable {
  private struct State {
    var changes: [(old: RowID, new: RowID)] = []
    /// The number of changes that were dropped at the front.
    var forgotten = 0
    var map = IDChanges()
  }

  private let state = Mutex(State())
  private let total = Atomic(0)

  /// The number of IDs ever retired: a position to continue from.
  var end: Int { total.load(ordering: .acquiring) }

  /// Returns the ID that replaced an ID, which for most is the same one.
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

  /// Returns what was retired since a position, and the position after it.
  func changes(after position: Int) -> (map: IDChanges, end: Int) {
    state.withLock { state in
      let new = state.changes.dropFirst(max(0, position - state.forgotten))
      var map = IDChanges(capacity: new.count)
      for change in new { map.set(change.old, to: change.new) }
      return (map, state.forgotten + state.changes.count)
    }
  }

  /// Stops the program if IDs were not retired in the order and number that children rely on; for tests.
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

  /// Drops all entries, because the old IDs are not used any more.
  func forget() {
    guard end > 0 else { return }
    state.withLock { state in
      state.forgotten += state.changes.count
      (state.changes, state.map) = ([], IDChanges())
    }
  }
}

extension NSManagedObjectContext {
  /// Gives objects the permanent IDs that they received in contexts above this one.
  @inline(__always)
  func applyParentReplacements() {
    if family.hasNewReplacements { renumberAsParent() }
  }

  @inline(never)
  private func renumberAsParent() {
    let map = family.takeReplacements()
    var objects: [NSManagedObject] = []
    var ids: [RowID] = []
    map.forEach { old, new in
      guard let object = registry.object(old) else { return }
      objects.append(object)
      ids.append(new)
    }
    renumber(objects, as: ids, known: map)
  }
}
