import Foundation
import StrataManagedModel
import StrataRowStore

extension NSManagedObjectContext {
  func objectOrFault(with objectID: NSManagedObjectID) -> NSManagedObject {
    checkQueue("object(with:)")
    applyParentReplacements()
    guard let id = rowID(of: objectID) else {
      fatalError(
        "Object's persistent store is not reachable from this NSManagedObjectContext's coordinator: \(objectID).")
    }
    return object(id) ?? makeFault(id)
  }

  func knownObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    checkQueue("registeredObject(for:)")
    applyParentReplacements()
    return rowID(of: objectID).flatMap(registry.object)
  }

  func verifiedObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    checkQueue("existingObject(with:)")
    applyParentReplacements()
    guard let id = rowID(of: objectID) else { throw CocoaError.missingObject(objectID) }
    detachGone()
    if let object = registry.object(id), object.life != .fault {
      // An observer that is being notified of the deletion no longer finds the object.
      guard !object.flags.contains(.gone) else { throw CocoaError.missingObject(objectID) }
      return object
    }
    guard !id.isTemporary || parent != nil,
      let row = try storeErrors({ try requireSource().rows(with: [id]).rows.first })
    else { throw CocoaError.missingObject(objectID) }
    let object = object(for: row)
    object.materialize()
    return object
  }

  var knownObjects: Set<NSManagedObject> {
    checkQueue("registeredObjects")
    return Set(presentObjects)
  }

  /// Whether objects are registered, for a caller that sets up a context on any queue.
  package final var hasRegisteredObjects: Bool { !presentObjects.isEmpty }

  private var presentObjects: [NSManagedObject] {
    tracker.gone.isEmpty ? registry.objects() : registry.objects().filter { !$0.flags.contains(.gone) }
  }

  var pendingInsertions: Set<NSManagedObject> {
    checkQueue("insertedObjects")
    return Set(tracker.tracked.filter { $0.life == .inserted })
  }
  var pendingUpdates: Set<NSManagedObject> {
    checkQueue("updatedObjects")
    return Set(tracker.tracked.filter { $0.life == .changed || $0.isTouchedFault })
  }
  var pendingDeletions: Set<NSManagedObject> {
    checkQueue("deletedObjects")
    let merged = tracker.gone.filter { $0.flags.contains(.gone) && !$0.flags.contains(.neverSaved) }
    return Set(tracker.tracked.filter { $0.life == .deleted } + merged)
  }
  var hasPendingChanges: Bool {
    checkQueue("hasChanges")
    return tracker.tracked.contains { $0.life.isPending || $0.isTouchedFault }
  }

  func add(_ object: NSManagedObject) {
    checkQueue("insert(_:)")
    if object.context === self, object.flags.contains(.gone) { object.detach() }
    if object.context === self { return object.life == .deleted ? revive(object) : () }
    precondition(object.context == nil, "An NSManagedObject cannot be in two contexts: \(object).")
    precondition(!object.layout.isAbstract, "Cannot insert an object of the abstract entity '\(object.layout.name)'.")
    journal?.note(object)
    enter(object, as: object.rowID == .none ? .temporary(entity: object.layout.number) : object.rowID)
    giveRow(to: object)
    tracker.track(object)
    noteEvent(object, flags: .insertedInEvent)
    object.awakeFromInsert()
  }

  /// Adds an object to this context; the next save inserts it.
  func enter(_ object: NSManagedObject, as id: RowID) {
    object.join(registry, as: id)
    object.flags = object.flags.intersection(.observed).union(.neverSaved)
  }

  /// Gives an inserted object its row: the model's default values, or the values set before it was inserted.
  private func giveRow(to object: NSManagedObject) {
    let page = tracker.unsavedRows.page(for: object.layout)
    if let early = object.page {
      object.use(page, row: page.append(copyOf: early, object.rowIndex))
    } else if let defaults = defaultRow(for: object) {
      object.use(page, row: page.append(copyOf: defaults, 0))
    } else {
      object.use(page, row: page.append(id: object.rowID, version: 0))
    }
    page.setID(object.rowID, row: object.rowIndex)
    object.markRowAsOwn()
    object.heldEdits?._withUnsafeGuaranteedRef { $0.snapshot = nil }
    if !object.layout.transientDefaults.isEmpty { object.applyDefaultObjects() }
  }

  /// Returns a row with the default values of the object's entity; nil if the entity does not have any.
  func defaultRow(for object: NSManagedObject) -> RowPage? {
    let layout = object.layout
    if let known = sourceState.defaultRows[layout.number] { return known.count == 0 ? nil : known }
    let page = RowPage(layout: layout, capacity: 1)
    let defaults = layout.slots.indices.compactMap { slot in
      layout.kinds[slot] == .object ? nil : layout.slots[slot].defaultValue.map { (slot, $0) }
    }
    if !defaults.isEmpty {
      // The object itself writes the values to the page, because it knows how each type is stored.
      let own = (object.page, object.rowIndex, object.edits)
      object.edits = nil
      object.use(page, row: page.append(id: object.rowID, version: 0))
      object.ownEdits().ownsRow = true
      withoutChangeTracking { for (slot, value) in defaults { object.setSlotValue(value, slot: slot) } }
      if let page = own.0 { object.use(page, row: own.1) } else { object.dropRow() }
      object.edits = own.2
    }
    sourceState.defaultRows[layout.number] = page
    return defaults.isEmpty ? nil : page
  }

  private func revive(_ object: NSManagedObject) {
    object.materialize()
    if object.isUnread { return }
    object.flags.remove(.deletedUnread)
    journal?.note(object)
    tracker.removeDeletion(object)
    object.life = object.flags.contains(.neverSaved) ? .inserted : .changed
    object.flags.remove([.propagated, .deletedInEvent])
    noteEvent(object, flags: [])
  }

  func givePermanentIDs(to objects: [NSManagedObject]) throws {
    checkQueue("obtainPermanentIDs(for:)")
    applyParentReplacements()
    let temporary = objects.filter { $0.context === self && $0.rowID.isTemporary }
    guard !temporary.isEmpty else { return }
    // Undo actions name objects by their current IDs.
    registerPendingUndo()
    let batch = PendingSave(naming: temporary).batch
    guard let ids = try storeErrors({ try requireSource().permanentIDs(for: batch) }) else { return }
    renumber(temporary, as: ids)
  }
}
