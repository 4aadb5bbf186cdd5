import StrataManagedModel
import StrataRowStore

/// The changed objects of a context: what the next save may write, and what the next notification reports.
///
/// An object knows by its flags `tracked` and `inEvent` whether it is in these lists. The tracker sets the flags; a save and
/// the end of an event, which take a whole list, clear them. No function here calls code of the program.
struct ChangeTracker {
  /// Objects that the next save may concern, retained, in order of arrival.
  private(set) var tracked: [NSManagedObject] = []
  /// Deleted objects whose delete rules have not been applied.
  private(set) var deletions: [NSManagedObject] = []
  /// Clean objects that the next save checks for conflicts, retained until then.
  private(set) var checked: [NSManagedObject] = []
  /// Objects that changed since the last `NSManagedObjectContextObjectsDidChange`.
  private(set) var event: [NSManagedObject] = []
  /// Objects that are gone, retained for as long as observers of the deletion may use them.
  private(set) var departed: [NSManagedObject] = []
  /// Objects with unsaved changes whose rows others changed, for the next block.
  private(set) var outdated: [ObjectIdentifier: NSManagedObject] = [:]
  var unsavedRows = UnsavedRows()
  /// Whether the end of the event is scheduled.
  var isEventScheduled = false
  /// Whether edits count as changes: false while an object awakes.
  var isOn = true
  /// Whether objects are being deleted, so that an object whose row is gone is simply removed.
  var isDeleting = false

  // MARK: The next save

  mutating func track(_ object: NSManagedObject) {
    guard !object.flags.contains(.tracked) else { return }
    object.flags.insert(.tracked)
    tracked.append(object)
  }

  mutating func untrack(_ object: NSManagedObject) {
    guard object.flags.contains(.tracked) else { return }
    object.flags.remove(.tracked)
    tracked.removeAll { $0 === object }
    removeDeletion(object)
  }

  /// Removes many objects at once; they stay among the deletions.
  mutating func untrack(_ objects: [NSManagedObject]) {
    for object in objects { object.flags.remove(.tracked) }
    removeUntracked()
  }

  /// Removes the objects whose flag was cleared.
  mutating func removeUntracked() { tracked.removeAll { !$0.flags.contains(.tracked) } }

  /// Takes what was saved; the caller clears the flags and then gives the memory back (`reclaim(saved:)`).
  mutating func takeSaved() -> [NSManagedObject] {
    checked = []
    unsavedRows.seal()
    return tracked.removeAndReturnAll()
  }

  mutating func reclaim(saved: inout [NSManagedObject]) { tracked.reclaim(&saved) }

  // MARK: Deletions

  mutating func addDeletion(_ object: NSManagedObject) { deletions.append(object) }

  mutating func removeDeletion(_ object: NSManagedObject) { deletions.removeAll { $0 === object } }

  /// Takes the deletions to which the delete rules have to be applied.
  mutating func takeDeletions() -> [NSManagedObject] {
    defer { deletions = [] }
    return deletions.filter { $0.life == .deleted && !$0.flags.contains(.propagated) }
  }

  // MARK: Conflicts

  mutating func check(_ object: NSManagedObject) { checked.append(object) }

  mutating func removeGoneFromChecked() { checked.removeAll { $0.flags.contains(.gone) } }

  mutating func addOutdated(_ objects: [NSManagedObject]) {
    for object in objects { outdated[ObjectIdentifier(object)] = object }
  }

  mutating func takeOutdated() -> [NSManagedObject] {
    defer { outdated = [:] }
    return Array(outdated.values)
  }

  // MARK: The current event

  /// Records that an object changed in the current event.
  @inline(__always)
  mutating func record(_ object: NSManagedObject) {
    object.flags.insert(.inEvent)
    event.append(object)
    if !object.flags.contains(.insertedInEvent), let edits = object.edits { object.startEvent(edits) }
  }

  /// Takes the objects of the event; the caller clears the flags and then gives the memory back (`reclaim(event:)`).
  mutating func takeEvent() -> [NSManagedObject] { event.removeAndReturnAll() }

  mutating func reclaim(event changed: inout [NSManagedObject]) { event.reclaim(&changed) }

  // MARK: Objects that are gone

  mutating func addDeparted(_ object: NSManagedObject) { departed.append(object) }

  /// Takes objects of which all observers have been notified.
  mutating func takeDeparted(where isDue: (NSManagedObject) -> Bool) -> [NSManagedObject] {
    let due = departed.filter { !$0.flags.contains(.inEvent) && isDue($0) }
    if !due.isEmpty { departed.removeAll { !$0.flags.contains(.inEvent) && isDue($0) } }
    return due
  }

  /// Removes objects that were taken out of the context with their store.
  mutating func removeDetached() {
    tracked.removeAll { $0.life == .detached }
    checked.removeAll { $0.life == .detached }
    deletions.removeAll { $0.life == .detached }
    event.removeAll { $0.life == .detached && !$0.flags.contains(.deletedInEvent) }
  }

  // MARK: Discarding

  /// Forgets what the next save would do, and returns its objects.
  mutating func discard() -> [NSManagedObject] {
    let discarded = tracked
    for object in discarded { object.flags.remove(.tracked) }
    (tracked, checked, deletions) = ([], [], [])
    unsavedRows.removeAll()
    return discarded
  }

  /// Forgets everything. The caller abandons all objects, and keeps the returned lists until then.
  mutating func reset() -> ChangeTracker {
    let before = self
    self = ChangeTracker()
    (isOn, isDeleting, isEventScheduled) = (before.isOn, before.isDeleting, before.isEventScheduled)
    return before
  }

  /// Stops the program if the lists contradict the objects' flags; for tests.
  /// - Parameter objects: all objects of the context.
  func checkInvariants(_ objects: [NSManagedObject]) {
    let flagged = objects.filter { $0.flags.contains(.tracked) }
    precondition(
      Set(tracked.map(ObjectIdentifier.init)).isSuperset(of: flagged.map(ObjectIdentifier.init)),
      "An object has the flag of a tracked one, and is not tracked.")
    precondition(tracked.allSatisfy { $0.flags.contains(.tracked) }, "A tracked object does not have the flag.")
    precondition(Set(tracked.map(ObjectIdentifier.init)).count == tracked.count, "An object is tracked twice.")
  }
}
