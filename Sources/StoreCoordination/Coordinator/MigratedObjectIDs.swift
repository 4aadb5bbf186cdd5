import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSupport
import Synchronization

/// The IDs of a store's objects before and after the store got another UUID, alternating: the third element of
/// `NSUUIDChangedPersistentStoresKey`. Reading a large store takes time, so the IDs are read when they are first used, as
/// they are at that moment.
final class MigratedObjectIDs: NSArray {
  private let ids: Mutex<Content>

  private enum Content {
    case known([NSManagedObjectID])
    case unread(@Sendable () -> [NSManagedObjectID])
  }

  /// - Parameter read: reads the IDs, once.
  init(_ read: @escaping @Sendable () -> [NSManagedObjectID]) {
    ids = Mutex(.unread(read))
    super.init(objects: nil, count: 0)
  }

  required init(objects: UnsafePointer<AnyObject>?, count: Int) {
    ids = Mutex(.known((0..<count).compactMap { objects?[$0] as? NSManagedObjectID }))
    super.init(objects: nil, count: 0)
  }

  required convenience init(arrayLiteral elements: Any...) {
    let ids = elements.compactMap { $0 as? NSManagedObjectID }
    self.init { ids }
  }

  required init?(coder: NSCoder) { return nil }

  private var known: [NSManagedObjectID] {
    ids.withLock { content in
      switch content {
      case .known(let ids): return ids
      case .unread(let read):
        let ids = read()
        content = .known(ids)
        return ids
      }
    }
  }

  override var count: Int { known.count }
  override func object(at index: Int) -> Any { known[index] }
}

extension MigratedObjectIDs {
  /// The IDs of a store's copy, whose rows have the keys of the original.
  convenience init(of copy: NSPersistentStore, copiedFrom original: NSPersistentStore, _ model: NSManagedObjectModel) {
    let (old, new, backEnd) = (original.storeIdentity, copy.storeIdentity, copy.backEnd)
    let layouts = model.layouts.filter { copy.holds($0) && !$0.isAbstract }
    @Sendable func ids(of layout: EntityLayout) -> [NSManagedObjectID] {
      var ids: [RowID] = []
      do {
        ids = try backEnd.ids(for: FetchQuery(layout: layout, includesSubentities: false))
      } catch let error as StoreError where error.code == .notOpen {
        // The store was closed in the meantime.
      } catch {
        Diagnostics.warn("cannot read which objects of '\(layout.name)' were migrated: \(error)")
      }
      return ids.flatMap { id in
        [old, new].map { NSManagedObjectID(rowID: id, entity: model.entity(of: layout), store: $0) }
      }
    }
    self.init { layouts.flatMap(ids) }
  }
}
