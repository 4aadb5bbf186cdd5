import StrataManagedModel
import StrataRowStore

/// Shows objects of a context, and is notified of rows that others changed even if they have no objects here: a fetched
/// results controller.
package protocol ContextObserver: AnyObject {
  /// The numbers of the entities whose objects may appear through changes elsewhere.
  var observedEntities: Set<Int> { get }

  /// The query for all objects that may appear.
  var observedQuery: FetchQuery? { get }
}

/// An observer, held weakly.
struct WeakContextObserver {
  weak var observer: (any ContextObserver)?
}

extension NSManagedObjectContext {
  package func add(observer: any ContextObserver) { notifier.add(observer) }

  package func remove(observer: any ContextObserver) { notifier.remove(observer) }

  /// Objects changed since the last notification.
  package var unpostedChanges: [NSManagedObject] { tracker.event }

  /// Returns the faults whose rows others deleted. The existing rows are read in one query.
  package func missingRows(ofFaultsAmong objects: [NSManagedObject]) -> Set<ObjectIdentifier> {
    let unread = objects.filter { $0.life == .fault && $0.page == nil }
    // A row that cannot be read now is read when its object is first used, and fails there.
    guard !unread.isEmpty, let rows = try? requireSource().rows(with: unread.map(\.rowID)) else { return [] }
    rows.forEach { page, index in
      guard let object = registry.object(page.id(index)), object.life == .fault else { return }
      object.use(page, row: index)
    }
    return Set(unread.filter { $0.page == nil }.map(ObjectIdentifier.init))
  }
}

extension NSManagedObject {
  /// The row with the object's values; nil for a fault without one.
  package var heldRow: Row? { page.map { Row(page: $0, index: rowIndex) } }

  /// The row with the object's values if it is unchanged since it was read, and thus immutable.
  package var unchangedRow: Row? { ownsRow ? nil : heldRow }
}
