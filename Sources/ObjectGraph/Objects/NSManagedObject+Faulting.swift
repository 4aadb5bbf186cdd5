import Foundation
import StrataManagedModel
import StrataRowStore

extension NSManagedObject {
  /// Makes the object's values readable, firing it if it is a fault.
  /// - Parameter slot: the property being read; nil for the whole object.
  @inline(__always)
  package func materialize(_ slot: Int = -1) {
    if ConcurrencyDebug.isOn { checkQueue(slot) }
    if life == .fault || (life == .deleted && heldPage == nil) { fire(slot) }
  }

  /// Reads the row, unless it came with the fetch, and awakes the object.
  @inline(never)
  func fire(_ slot: Int) {
    heldRegistry._withUnsafeGuaranteedRef { registry in
      registry.heldContext?._withUnsafeGuaranteedRef { fire(slot, in: $0) }
    }
  }

  @inline(__always)
  private func fire(_ slot: Int, in context: NSManagedObjectContext) {
    if let recorder = context.registry.recorder { return recorder.note(self, slot: slot) }
    let isAtHand = heldPage?._withUnsafeGuaranteedRef { !context.isStale($0) } ?? false
    if !isAtHand, !readStoredRow(from: context, slot) { return }
    if life == .fault { life = isTouchedFault ? .changed : .clean }
    if !layout.transientDefaults.isEmpty { applyTransientDefaults(in: context) }
    context.withoutChangeTracking { awakeFromFetch() }
  }

  /// Returns whether the object has its row now. If the row does not exist, the object counts as deleted, and its values
  /// as nil. If it cannot be read, the object stays a fault.
  private func readStoredRow(from context: NSManagedObjectContext, _ slot: Int) -> Bool {
    if flags.contains(.gone) {
      useEmptyRow()
      return false
    }
    do {
      if page == nil, let batches = prefetchCache as? RowBatches {
        do { try batches.read(for: self, in: context) } catch {
          // If another row of the batch is damaged, the object's own can be read alone.
          guard error.mayConcernOneRow else { throw error }
        }
        if page != nil { return true }
      }
      guard !flags.contains(.neverSaved), let row = try context.requireSource().rows(with: [rowID]).rows.first else {
        becomeInaccessible(in: context, slot)
        return false
      }
      use(row.page, row: row.index)
      return true
    } catch {
      didFailToRead(error, in: context)
      return false
    }
  }

  /// https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/shoulddeleteinaccessiblefaults
  private func becomeInaccessible(in context: NSManagedObjectContext, _ slot: Int) {
    let property = slot < 0 ? nil : entity.property(at: layout.slots[slot].ownerName)
    // An object that is being deleted is gone already.
    guard
      context.tracker.isDeleting
        || context.shouldHandleInaccessibleFault(self, for: objectID, triggeredByProperty: property)
    else {
      fatalError("CoreData could not fulfill a fault for '\(objectID)'")
    }
    useEmptyRow()
    edits = nil
    flags.insert([.inaccessible, .propagated])
    life = .deleted
    // An object without a row in any store need not be deleted.
    if !flags.contains(.neverSaved) { context.tracker.track(self) }
    context.noteEvent(self, flags: .deletedInEvent)
  }

  private func useEmptyRow() {
    let empty = RowPage(layout: layout, capacity: 1)
    use(empty, row: empty.append(id: rowID, version: 0))
  }

  /// The row that the object reads. The object must be materialized; if that failed, the row is empty.
  var row: Row {
    guard let page else {
      guard !isUnread else { return emptyRow }
      fatalError("The values of '\(entity.name ?? "")' \(rowID.key) were not read.")
    }
    return Row(page: page, index: rowIndex)
  }

  /// The stored row that the object has; nil for an inserted object.
  var committedRow: Row? {
    if let snapshot = heldEdits?._withUnsafeGuaranteedRef({ $0.snapshot }) { return snapshot }
    return life == .inserted || page == nil || ownsRow ? nil : row
  }

  /// Discards values and changes, and turns the object into a fault.
  func turnIntoFault() {
    guard life != .detached else { return }
    let notice = beginNoticeOfAll()
    let hadValues = life != .fault
    if hadValues { willTurnIntoFault() }
    dropRow()
    edits = nil
    prefetchCache = nil
    flags.remove([.propagated, .inaccessible, .deletedInEvent, .deletedUnread])
    life = .fault
    if hadValues { didTurnIntoFault() }
    notice?.end()
  }

  /// Removes the object from its context for good; its last values stay readable.
  func detach() {
    guard life != .detached else { return }
    if heldPrefetchCache != nil { prefetchCache = nil }
    if lastID == nil { lastID = context?.publicID(rowID) ?? objectID }
    context?.relationships.takeSets()
    heldEdits?._withUnsafeGuaranteedRef { $0.fetched = nil }
    leaveRegistry()
    flags.formIntersection(.observed)
  }

  /// Removes the object from its context; it remains a fault that cannot fire.
  func abandon() {
    edits = nil
    detach()
    dropRow()
  }

  /// Returns whether a relationship has not been read yet. Never reads it.
  public func hasFault(forRelationshipNamed key: String) -> Bool {
    if let number = layout.toMany(named: key) {
      guard life != .inserted else { return false }
      return !hasCurrentLinks(number) && prefetchedLinks(number) == nil
    }
    guard let slot = layout.slot(named: key), layout.slots[slot].kind == .toOne else { return false }
    // Even if the object is a fault, its row and relationships may be available.
    guard let page, life != .fault || (prefetchCache != nil && prefetchCache is RelationshipReads == false) else {
      return true
    }
    let id = page.reference(row: rowIndex, slot: slot)
    return id != .none && context?.registry.object(id)?.isFault != false && prefetchCache?.row(id) == nil
  }

  /// Returns the IDs of the related objects without creating the objects. A relationship that has not been read is
  /// read.
  ///
  /// ```swift
  /// let count = region.objectIDs(forRelationshipNamed: "quakes").count
  /// show(count)  // Without an object for each quake, as in region.quakes.count.
  /// ```
  public func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    guard let context else { return [] }
    if let number = layout.toMany(named: key) { return linkedIDs(number).map(context.publicID) }
    guard let slot = layout.slot(named: key), layout.slots[slot].kind == .toOne else { unknown(key) }
    materialize(slot)
    let id = row.page.reference(row: row.index, slot: slot)
    return id == .none ? [] : [context.publicID(id)]
  }
}
