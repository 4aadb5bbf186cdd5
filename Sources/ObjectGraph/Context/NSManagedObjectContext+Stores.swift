import Foundation
import StrataRowStore

extension NSManagedObjectContext {
  /// Assigns a new object to the store that it is saved to.
  package func assign(_ object: NSManagedObject, to store: StoreIdentity) {
    guard object.context === self else {
      fatalError("An object can only be assigned to a store by its own context: \(object).")
    }
    guard object.life == .inserted, object.rowID.isTemporary || object.rowID.store == store.number else {
      fatalError("Can't reassign an object to a different store once it has been saved.")
    }
    guard source?.store(number: store.number) === store else {
      fatalError("Can't assign an object to a store that does not belong to its context's coordinator.")
    }
    object.ownEdits().assignedStore = store.number
  }

  /// Removes the objects of a store that is being removed from this context and those below it, on their queues;
  /// synchronously if the caller is already on the queue.
  package func invalidateObjects(of store: StoreIdentity) {
    guard isCurrent else {
      enqueue { [reference = ContextReference(self)] in reference.context?.takeOut(store) }
      return
    }
    takeOut(store)
  }

  private func takeOut(_ store: StoreIdentity) {
    let gone = registry.objects().filter { $0.rowID.store == store.number }
    for object in gone {
      // When this runs on another queue, the coordinator no longer knows the store.
      object.lastID = NSManagedObjectID(rowID: object.rowID, entity: object.entity, store: store)
      object.detach()
    }
    if !gone.isEmpty {
      tracker.removeDetached()
      NotificationCenter.default.post(
        name: .NSManagedObjectContextObjectsDidChange, object: self,
        userInfo: [NSInvalidatedObjectsKey: Set(gone)])
    }
    for child in family.children.compactMap(\.context) { child.invalidateObjects(of: store) }
  }
}
