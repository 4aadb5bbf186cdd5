import Foundation
import ManagedModel
import RowStore

extension NSManagedObjectContext {
  /// Remembers that something happened to an object in the current event.
  @inline(__always)
  func noteEvent(_ object: NSManagedObject, _ mark: ObjectMarks) {
    object.marks.formUnion(mark)
    guard !object.marks.contains(.inEvent) else { return }
    object.marks.insert(.inEvent)
    event.append(object)
    if let edits = object.edits, !object.marks.contains(.insertedInEvent) { object.startEvent(edits) }
    if !isEventScheduled { scheduleEventEnd() }
  }

  /// Outside of `perform`, changes on the main queue are processed when the queue gets to it, as Apple's framework
  /// does at the end of a turn of the run loop.
  private func scheduleEventEnd() {
    isEventScheduled = true
    guard concurrencyType == .mainQueueConcurrencyType else { return }
    queue.async { [reference = ContextReference(self)] in
      guard let context = reference.context else { return }
      context.processPendingChanges()
      context.endBlock()
    }
  }

  /// Carries out delete rules and posts ObjectsDidChange, if anything changed since the last time.
  public func processPendingChanges() {
    checkQueue()
    if propagatesDeletesAtEndOfEvent { propagateDeletes() }
    isEventScheduled = false
    registerUndo()
    guard !event.isEmpty else { return }
    let changed = event
    event = []
    post(ContextEvent(of: changed), as: .NSManagedObjectContextObjectsDidChange)
  }

  /// Posts a notification about sets of objects; empty sets have no key.
  func post(_ event: ContextEvent, as name: Notification.Name) {
    var userInfo = NoticeKey.makeUserInfo()
    if !event.inserted.isEmpty { userInfo[NoticeKey.inserted] = Set(withRoom: event.inserted) }
    if !event.updated.isEmpty { userInfo[NoticeKey.updated] = Set(withRoom: event.updated) }
    if !event.deleted.isEmpty { userInfo[NoticeKey.deleted] = Set(withRoom: event.deleted) }
    if !event.refreshed.isEmpty { userInfo[NoticeKey.refreshed] = Set(withRoom: event.refreshed) }
    guard !userInfo.isEmpty else { return }
    if name != .NSManagedObjectContextObjectsDidChange { userInfo[NoticeKey.context] = self }
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}

/// Objects by what happened to them.
struct ContextEvent {
  var inserted: [NSManagedObject] = []
  var updated: [NSManagedObject] = []
  var deleted: [NSManagedObject] = []
  var refreshed: [NSManagedObject] = []

  init() {}

  /// Sorts the objects of an event, and ends it for them.
  init(of objects: [NSManagedObject]) {
    for object in objects {
      let marks = object.marks
      object.marks.remove([.inEvent, .insertedInEvent, .refreshedInEvent, .deletedInEvent])
      if let edits = object.edits, edits.eventStart != nil { edits.eventStart = nil }
      if marks.contains(.deletedInEvent) {
        deleted.append(object)
      } else if object.life == .detached {
        continue
      } else if marks.contains(.insertedInEvent) {
        inserted.append(object)
      } else if marks.contains(.refreshedInEvent) {
        refreshed.append(object)
      } else if object.life.isPending || object.isTouchedFault {
        updated.append(object)
      }
    }
  }
}
