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
  public func processPendingChanges() { endEvent() }

  /// Answers what was told, if anything changed.
  @discardableResult
  func endEvent() -> ToldChanges? {
    checkQueue()
    if propagatesDeletesAtEndOfEvent { propagateDeletes() }
    isEventScheduled = false
    registerUndo()
    guard !event.isEmpty else { return nil }
    var changed = event.takeAll()
    let told = ToldChanges(ContextEvent(of: changed))
    post(told, as: .NSManagedObjectContextObjectsDidChange)
    event.takeBack(&changed)
    return told
  }

  /// Posts a notification about sets of objects; empty sets have no key.
  func post(_ changes: ToldChanges, as name: Notification.Name) {
    var keys = changes.keys
    guard !keys.isEmpty else { return }
    keys.insert(.context, if: name != .NSManagedObjectContextObjectsDidChange)
    NotificationCenter.default.post(
      name: name, object: self, userInfo: notices.take(keys) { $0 == .context ? self as Any : changes[$0] })
    notices.giveBack(keys)
  }
}

/// Objects by what happened to them, as a notification tells of them.
final class ToldChanges {
  private let event: ContextEvent
  private let inserted: Set<NSManagedObject>
  private let updated: Set<NSManagedObject>
  private let deleted: Set<NSManagedObject>
  private let refreshed: Set<NSManagedObject>

  /// - Parameter last: what was told before: sets of the same objects need not be made again.
  init(_ event: ContextEvent, after last: ToldChanges? = nil) {
    self.event = event
    inserted = Self.set(of: event.inserted, last?.inserted, of: last?.event.inserted)
    updated = Self.set(of: event.updated, last?.updated, of: last?.event.updated)
    deleted = Self.set(of: event.deleted, last?.deleted, of: last?.event.deleted)
    refreshed = Self.set(of: event.refreshed, last?.refreshed, of: last?.event.refreshed)
  }

  /// What a save tells of: mostly the same objects as the event that it ends.
  static func of(_ pending: PendingSave, after last: ToldChanges?) -> ToldChanges {
    if let last, last.event.refreshed.isEmpty, last.event.inserted.holdsSame(as: pending.inserted),
      last.event.updated.holdsSame(as: pending.updated), last.event.deleted.holdsSame(as: pending.deleted)
    {
      return last
    }
    var event = ContextEvent()
    (event.inserted, event.updated, event.deleted) = (pending.inserted, pending.updated, pending.deleted)
    return ToldChanges(event, after: last)
  }

  private static func set(
    of objects: [NSManagedObject], _ last: Set<NSManagedObject>?, of told: [NSManagedObject]?
  ) -> Set<NSManagedObject> {
    if objects.isEmpty { return [] }
    if let last, let told, told.holdsSame(as: objects) { return last }
    return Set(withRoom: objects)
  }

  var keys: NoticeKeys {
    var keys = NoticeKeys()
    keys.insert(.inserted, if: !inserted.isEmpty)
    keys.insert(.updated, if: !updated.isEmpty)
    keys.insert(.deleted, if: !deleted.isEmpty)
    keys.insert(.refreshed, if: !refreshed.isEmpty)
    return keys
  }

  subscript(key: NoticeKey) -> Set<NSManagedObject> {
    switch key {
    case .inserted: inserted
    case .updated: updated
    case .deleted: deleted
    default: refreshed
    }
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
