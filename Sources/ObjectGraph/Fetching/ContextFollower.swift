import StrataManagedModel
import StrataRowStore

/// Who shows objects of a context, and is to hear of rows that others changed even if no object was made of them: a
/// fetched results controller.
package protocol ContextFollower: AnyObject {
  /// The entities whose objects may come in by changes elsewhere, by number.
  var followedEntities: Set<Int> { get }
}

/// A follower, which the context does not keep alive.
struct WeakContextFollower {
  weak var follower: (any ContextFollower)?
}

extension NSManagedObjectContext {
  package func add(follower: any ContextFollower) { followers.append(WeakContextFollower(follower: follower)) }

  package func remove(follower: any ContextFollower) { followers.removeAll { $0.follower === follower } }

  /// The entities whose rows followers show.
  var followedEntities: Set<Int> {
    followers.reduce(into: []) { $0.formUnion($1.follower?.followedEntities ?? []) }
  }

  /// Objects that changed since what was posted last.
  package var unpostedChanges: [NSManagedObject] { event }

  /// The faults whose rows are gone, as others deleted them. Those that are there are read, in one go.
  package func missingRows(ofFaultsAmong objects: [NSManagedObject]) -> Set<ObjectIdentifier> {
    let unread = objects.filter { $0.life == .fault && $0.page == nil }
    // What cannot be read now fires by itself, and fails there.
    guard !unread.isEmpty, let rows = try? requireSource().rows(with: unread.map(\.rowID)) else { return [] }
    rows.forEach { page, index in
      guard let object = registry.object(page.id(index)), object.life == .fault else { return }
      object.adopt(page, index)
    }
    return Set(unread.filter { $0.page == nil }.map(ObjectIdentifier.init))
  }
}

extension NSManagedObject {
  /// The row that the object's values are in; nil of a fault that has none.
  package var heldRow: Row? { page.map { Row(page: $0, index: Int(rowIndex)) } }

  /// The row that the object's values are in, if it is as it was read and thus never changes.
  package var unchangedRow: Row? { edits?.ownsRow == true ? nil : heldRow }
}
