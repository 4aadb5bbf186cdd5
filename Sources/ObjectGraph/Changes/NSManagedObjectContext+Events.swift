import Foundation
import StrataManagedModel
import StrataRowStore

extension NSManagedObjectContext {
  /// Records that an object changed in the current event.
  @inline(__always)
  func noteEvent(_ object: NSManagedObject, flags mark: ObjectFlags) {
    object.flags.formUnion(mark)
    guard !object.flags.contains(.inEvent) else { return }
    tracker.record(object)
    if !tracker.isEventScheduled { scheduleEventEnd() }
  }

  /// Outside of `perform`, changes on the main queue are processed when the queue next runs, as Apple's framework does
  /// at the end of a run-loop cycle. Changes on another thread, such as those of a test's asynchronous `setUp`, wait
  /// for a save or for `processPendingChanges()`: the main queue would process them while more are being made.
  private func scheduleEventEnd() {
    let isMain = concurrencyType == .mainQueueConcurrencyType
    tracker.isEventScheduled = !isMain || isCurrent
    guard isMain, tracker.isEventScheduled else { return }
    executor.queue.async { [reference = ContextReference(self)] in
      guard let context = reference.context else { return }
      context.endEvent()
      context.endBlock()
    }
  }

  /// Applies the delete rules and posts `NSManagedObjectContextObjectsDidChange`, if anything changed since the last
  /// time.
  /// - Returns: the posted changes; nil if nothing changed.
  @discardableResult
  func endEvent() -> ReportedChanges? {
    checkQueue()
    applyDeleteRules()
    tracker.isEventScheduled = false
    registerUndo()
    guard !tracker.event.isEmpty else { return nil }
    detachGone()
    var changed = tracker.takeEvent()
    let reported = ReportedChanges(ContextEvent(of: changed))
    notifier.postObjectsDidChange(reported, of: self)
    changed.releaseAll()
    tracker.reuse(event: &changed)
    detachGone { $0.flags.contains(.neverSaved) }
    return reported
  }

  /// Applies the delete rules as the end of the event would; a fetch sees their effects, and leaves the event open.
  func applyDeleteRules() {
    if propagatesDeletesAtEndOfEvent { propagateDeletes() }
  }
}

/// Objects by kind of change, as a notification reports them.
final class ReportedChanges {
  let event: ContextEvent
  private let inserted: Set<NSManagedObject>
  private let updated: Set<NSManagedObject>
  private let deleted: Set<NSManagedObject>
  private let refreshed: Set<NSManagedObject>

  /// - Parameter last: the previous notification: sets of the same objects are reused.
  init(_ event: ContextEvent, after last: ReportedChanges? = nil) {
    self.event = event
    inserted = Self.set(of: event.inserted, last?.inserted, of: last?.event.inserted)
    updated = Self.set(of: event.updated, last?.updated, of: last?.event.updated)
    deleted = Self.set(of: event.deleted, last?.deleted, of: last?.event.deleted)
    refreshed = Self.set(of: event.refreshed, last?.refreshed, of: last?.event.refreshed)
  }

  /// Returns the changes that a save reports: mostly the same objects as the event that it ends.
  static func of(_ pending: PendingSave, after last: ReportedChanges?) -> ReportedChanges {
    if let last, last.event.refreshed.isEmpty, last.event.inserted.holdsSame(as: pending.inserted),
      last.event.updated.holdsSame(as: pending.updated), last.event.deleted.holdsSame(as: pending.deleted)
    {
      return last
    }
    var event = ContextEvent()
    (event.inserted, event.updated, event.deleted) = (pending.inserted, pending.updated, pending.deleted)
    return ReportedChanges(event, after: last)
  }

  private static func set(
    of objects: [NSManagedObject], _ last: Set<NSManagedObject>?, of reported: [NSManagedObject]?
  ) -> Set<NSManagedObject> {
    if objects.isEmpty { return [] }
    if let last, let reported, reported.holdsSame(as: objects) { return last }
    return Set(withRoom: objects)
  }

  /// The number of objects.
  var count: Int { inserted.count + updated.count + deleted.count + refreshed.count }

  /// Returns whether an object is reported as inserted; nil if it is not reported.
  func isNew(_ object: NSManagedObject) -> Bool? {
    if inserted.contains(object) { return true }
    return updated.contains(object) || deleted.contains(object) || refreshed.contains(object) ? false : nil
  }

  var keys: ChangeKeys {
    var keys = ChangeKeys()
    keys.insert(.inserted, if: !inserted.isEmpty)
    keys.insert(.updated, if: !updated.isEmpty)
    keys.insert(.deleted, if: !deleted.isEmpty)
    keys.insert(.refreshed, if: !refreshed.isEmpty)
    return keys
  }

  subscript(key: ChangeKey) -> Set<NSManagedObject> {
    switch key {
    case .inserted: inserted
    case .updated: updated
    case .deleted: deleted
    default: refreshed
    }
  }
}

/// Objects by kind of change.
struct ContextEvent {
  var inserted: [NSManagedObject] = []
  var updated: [NSManagedObject] = []
  var deleted: [NSManagedObject] = []
  var refreshed: [NSManagedObject] = []
  /// The state at the beginning of the event of objects that had changes already.
  private(set) var starts: [ObjectIdentifier: EventStart] = [:]

  init() {}

  /// Classifies the objects of an event, and ends it for them.
  init(of objects: [NSManagedObject]) {
    objects.forEachHeld { object in
      let flags = object.flags
      object.flags.remove([.inEvent, .insertedInEvent, .refreshedInEvent, .deletedInEvent])
      if let start = object.heldEdits?._withUnsafeGuaranteedRef({ $0.eventStart }) {
        starts[ObjectIdentifier(object)] = start
        object.edits?.eventStart = nil
      }
      if flags.contains(.deletedInEvent) {
        deleted.append(object)
      } else if object.life == .detached {
        return
      } else if flags.contains(.insertedInEvent) {
        inserted.append(object)
      } else if flags.contains(.refreshedInEvent) {
        refreshed.append(object)
      } else if object.life.isPending || object.isTouchedFault {
        updated.append(object)
      }
    }
  }
}

extension NSManagedObjectContext {
  func withoutChangeTracking(_ body: () -> Void) {
    let before = tracker.isRecording
    tracker.isRecording = false
    body()
    tracker.isRecording = before
  }
}

/// Objects with nothing left to delete: others deleted their rows, or they never had one.
///
/// A save ignores them. But observers of their deletion can use them like objects deleted here: they have their
/// context, `isDeleted` is true, and they keep their last values.
extension NSManagedObjectContext {
  /// Marks an object as gone; the current event reports it.
  func markGone(_ object: NSManagedObject) {
    tracker.untrack(object)
    object.life = .deleted
    object.flags.insert([.gone, .propagated])
    noteEvent(object, flags: .deletedInEvent)
    tracker.addGone(object)
  }

  /// Detaches objects that all observers have been notified of.
  func detachGone(_ isDue: (NSManagedObject) -> Bool = { _ in true }) {
    // Other observers still have to be notified after one that saves or fetches.
    guard !tracker.gone.isEmpty, notifier.reported == nil else { return }
    // A reinserted object stays.
    for object in tracker.takeGone(where: isDue) where object.flags.contains(.gone) {
      if object.flags.contains(.inaccessible) { object.abandon() } else { object.detach() }
    }
  }
}
