import Foundation
import ManagedModel
import RowStore

extension NSManagedObjectContext {
  /// Takes over what another context saved: changed objects are read anew and keep their unsaved changes, deleted ones
  /// go, new ones become known. The notification may hold objects or ids.
  public func mergeChanges(fromContextDidSave notification: Notification) {
    merge(savedChanges(in: notification.userInfo ?? [:]))
  }

  /// Takes over changes into several contexts, each on its own queue.
  /// - Parameter changeNotificationData: under the keys of ObjectsDidChange or of the ids, sets or arrays of objects,
  ///   ids or URIs.
  public class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts {
      context.performAndWait { context.merge(context.savedChanges(in: changeNotificationData)) }
    }
  }

  private func savedChanges(in userInfo: [AnyHashable: Any]) -> SavedChanges {
    SavedChanges(
      inserted: ids(in: userInfo, NSInsertedObjectsKey, NSInsertedObjectIDsKey),
      updated: ids(in: userInfo, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
        + ids(in: userInfo, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey),
      deleted: ids(in: userInfo, NSDeletedObjectsKey, NSDeletedObjectIDsKey))
  }

  private func ids(in userInfo: [AnyHashable: Any], _ keys: String...) -> [RowID] {
    keys.flatMap { key -> [RowID] in
      let members: [Any]
      switch userInfo[key] {
      case let set as NSSet: members = set.allObjects
      case let array as [Any]: members = array
      case let set as Set<AnyHashable>: members = set.map(\.base)
      default: members = []
      }
      return members.compactMap(rowID(ofMember:))
    }
  }

  private func rowID(ofMember member: Any) -> RowID? {
    switch member {
    case let object as NSManagedObject:
      // A deleted object has left its context, and its row's id still says which row it was.
      object.context == nil && !object.rowID.isTemporary ? object.rowID : rowID(of: object.objectID)
    case let id as NSManagedObjectID: rowID(of: id)
    case let uri as URL: rowID(of: uri)
    default: nil
    }
  }

  /// The row that a URI names in the stores of this context's coordinator, or the new object of this process.
  package func rowID(of uri: URL) -> RowID? {
    guard uri.scheme == "x-coredata", let source else { return nil }
    let parts = uri.pathComponents.filter { $0 != "/" }
    if uri.host?.isEmpty ?? true, parts.count == 2, let layout = source.model.entitiesByName[parts[0]]?.layout {
      return NSManagedObjectID.temporaryKey(in: parts[1]).map { RowID(store: 0, entity: layout.number, key: $0) }
    }
    guard let host = uri.host, let store = source.store(uuid: host), parts.count == 2, parts[1].hasPrefix("p"),
      let key = Int64(parts[1].dropFirst()), key > 0,
      key <= RowID.largestKey, let layout = source.model.entitiesByName[parts[0]]?.layout
    else { return nil }
    return RowID(store: store.number, entity: layout.number, key: key)
  }

  /// Takes over a commit of somebody else, on the context's queue and in the order of the calls. Commits that come
  /// while the context is busy wait together, so that a context that is never idle costs memory for ids alone.
  package func enqueueMerge(_ changes: SavedChanges) {
    let isFirst = mailbox.withLock { waiting in
      waiting.append(changes)
      return waiting.count == 1
    }
    guard isFirst else { return }
    queue.async { [reference = ContextReference(self)] in reference.context?.mergeMailbox() }
  }

  private func mergeMailbox() {
    let waiting = mailbox.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    guard !keepsItsMoment else { return }
    merge(SavedChanges(inOrder: waiting))
  }

  /// Takes over a commit of somebody else. On the context's queue.
  package func merge(_ changes: SavedChanges) {
    advanceGeneration()
    guard !changes.isEmpty else { return }
    // What others changed is not to be undone with the changes of this context.
    registerPendingUndo()
    forgetReadAhead(changes)
    takeIDsFromAbove()
    for id in changes.inserted {
      guard let object = object(id), !object.marks.contains(.neverSaved) else { continue }
      noteEvent(object, .insertedInEvent)
    }
    let updated = changes.updated.map(retiredIDs.current).compactMap(registry.object)
    refresh(updated)
    advanceGeneration()
    for object in updated { noteEvent(object, object.life == .changed ? [] : .refreshedInEvent) }
    for object in changes.deleted.map(retiredIDs.current).compactMap(registry.object) { takeDeletion(of: object) }
    post(
      SavedChanges(inserted: changes.inserted, deleted: changes.deleted), refreshed: changes.updated,
      as: .NSManagedObjectContextDidMergeChangesObjectIDs)
    processPendingChanges()
    tellChildren(changes)
  }

  /// The row is gone already: the object leaves without being something to save.
  func takeDeletion(of object: NSManagedObject) {
    unlist(object)
    noteEvent(object, .deletedInEvent)
    object.detach()
    object.marks.insert([.inEvent, .deletedInEvent])
  }

  // MARK: Contexts below this one

  /// Tells the contexts below, each on its queue, of changes that reached this one.
  /// - Parameter origin: the one that made the changes.
  func tellChildren(_ changes: SavedChanges, except origin: ObjectIdentifier? = nil) {
    guard !children.isEmpty else { return }
    children.removeAll { $0.context == nil }
    for child in children.compactMap(\.context) where child.automaticallyMergesChangesFromParent {
      if ObjectIdentifier(child) != origin { child.enqueueMerge(changes) }
    }
  }
}
