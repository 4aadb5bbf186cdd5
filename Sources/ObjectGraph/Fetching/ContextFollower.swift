import StrataManagedModel
import StrataRowStore

/// Shows objects of a context, and must hear of rows that others changed even if they have no objects here: a fetched
/// results controller.
package protocol ContextFollower: AnyObject {
  /// The numbers of the entities whose objects may appear through changes elsewhere.
  var followedEntities: Set<Int> { get }
}

/// A follower, held weakly.
struct WeakContextFollower {
  weak var follower: (any ContextFollower)?
}

extension NSManagedObjectContext {
  package func add(follower: any ContextFollower) { followers.append(WeakContextFollower(follower: follower)) }

  package func remove(follower: any ContextFollower) { followers.removeAll { $0.follower === follower } }

  /// The entities whose rows the followers show.
  var followedEntities: Set<Int> {
    followers.reduce(into: []) { $0.formUnion($1.follower?.followedEntities ?? []) }
  }

  /// Objects changed since the last notification.
  package var unpostedChanges: [NSManagedObject] { event }

  /// Returns the faults whose rows others deleted. The existing rows are read in one query.
  package func missingRows(ofFaultsAmong objects: [NSManagedObject]) -> Set<ObjectIdentifier> {
    let unread = objects.filter { $0.life == .fault && $0.page == nil }
    // What cannot be read now fires later, and fails there.
    guard !unread.isEmpty, let rows = try? requireSource().rows(with: unread.map(\.rowID)) else { return [] }
    rows.forEach { page, index in
      guard let object = registry.object(page.id(index)), object.life == .fault else { return }
      object.adopt(page, row: index)
    }
    return Set(unread.filter { $0.page == nil }.map(ObjectIdentifier.init))
  }
}

extension NSManagedObject {
  /// The row with the object's values; nil for a fault without one.
  package var heldRow: Row? { page.map { Row(page: $0, index: Int(rowIndex)) } }

  /// The row with the object's values if it is unchanged since it was read, and thus immutable.
  package var unchangedRow: Row? { edits?.ownsRow == true ? nil : heldRow }
}
