import StrataManagedModel
import StrataRowStore

/// The changed objects of a context: what the next save may write, and what the next notification reports.
///
/// The flags `tracked` and `inEvent` of an object say whether it is in the lists `tracked` and `event`. After `takeSaved()` and
/// `takeEvent()`, the caller clears them.
///
/// Releasing an object can run code of the program, in its `deinit`. So a function that empties a list returns it, and the caller
/// releases the objects.
struct ChangeTracker {
  /// Objects that the next save may concern, retained, in order of arrival.
  private(set) var tracked: [NSManagedObject] = []
  /// Deleted objects whose delete rules have not been applied.
  private(set) var deletions: [NSManagedObject] = []
  /// Objects whose versions the next save checks even if they are unchanged (`detectConflicts(for:)`), retained until then.
  private(set) var checked: [NSManagedObject] = []
  /// Objects that changed since the last `NSManagedObjectContextObjectsDidChange`.
  private(set) var event: [NSManagedObject] = []
  /// Objects that are gone, retained for as long as observers of the deletion may use them.
  private(set) var gone: [NSManagedObject] = []
  /// Objects with unsaved changes whose rows others changed, for the next block.
  private(set) var outdated: [ObjectIdentifier: NSManagedObject] = [:]
  var unsavedRows = UnsavedRows()
  /// Whether the end of the event is scheduled.
  var isEventScheduled = false
  /// Whether edits count as changes: false while an object awakes.
  var isRecording = true
  /// Whether delete rules are being applied: an object whose row is gone then counts as deleted, without asking
  /// `shouldHandleInaccessibleFault`.
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

  /// Removes many objects, which stay among the deletions.
  mutating func untrackKeepingDeletions(_ objects: [NSManagedObject]) {
    for object in objects { object.flags.remove(.tracked) }
    removeUntracked()
  }

  /// Removes the objects whose flag was cleared.
  mutating func removeUntracked() { tracked.removeAll { !$0.flags.contains(.tracked) } }

  /// Takes what was saved, and what it was checked with; the caller clears the flags, releases the objects, and then gives
  /// the memory back (`reuse(saved:)`).
  mutating func takeSaved() -> (saved: [NSManagedObject], checked: [NSManagedObject]) {
    unsavedRows.seal()
    return (tracked.removeAndReturnAll(), checked.removeAndReturnAll())
  }

  mutating func reuse(saved emptied: inout [NSManagedObject]) { tracked.reuse(&emptied) }

  // MARK: Deletions

  mutating func addDeletion(_ object: NSManagedObject) { deletions.append(object) }

  mutating func removeDeletion(_ object: NSManagedObject) { deletions.removeAll { $0 === object } }

  mutating func takeDeletions() -> [NSManagedObject] { deletions.removeAndReturnAll() }

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

  /// Takes the objects of the event; the caller clears the flags, releases the objects, and then gives the memory back
  /// (`reuse(event:)`).
  mutating func takeEvent() -> [NSManagedObject] { event.removeAndReturnAll() }

  mutating func reuse(event emptied: inout [NSManagedObject]) { event.reuse(&emptied) }

  // MARK: Objects that are gone

  mutating func addGone(_ object: NSManagedObject) { gone.append(object) }

  /// Removes and returns the objects that satisfy a condition and are not in the open event.
  mutating func takeGone(where isDue: (NSManagedObject) -> Bool) -> [NSManagedObject] {
    let remaining = gone.partition { !$0.flags.contains(.inEvent) && isDue($0) }
    defer { gone.removeSubrange(remaining...) }
    return Array(gone[remaining...])
  }

  /// Removes objects that were taken out of the context with their store.
  mutating func removeDetached() {
    tracked.removeAll { $0.life == .detached }
    checked.removeAll { $0.life == .detached }
    deletions.removeAll { $0.life == .detached }
    event.removeAll { $0.life == .detached && !$0.flags.contains(.deletedInEvent) }
  }

  // MARK: Discarding

  /// Forgets what the next save would do. The caller clears the flag of each tracked object when it has discarded its changes:
  /// until then, the flag tells a fault with changes from one without.
  /// - Returns: the lists before.
  mutating func discard() -> ChangeTracker {
    let before = self
    (tracked, checked, deletions) = ([], [], [])
    unsavedRows.removeAll()
    return before
  }

  /// Forgets everything. The caller abandons all objects.
  /// - Returns: the lists before.
  mutating func reset() -> ChangeTracker {
    let before = self
    self = ChangeTracker()
    (isRecording, isDeleting, isEventScheduled) = (before.isRecording, before.isDeleting, before.isEventScheduled)
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
