import StrataManagedModel
import StrataRowStore

/// An object that could not be read: it stays a fault, so that the next access reads it.
///
/// An edit that needs a missing value has no effect: not on the object, and not on the other end of a relationship.
extension NSManagedObject {
  /// Whether the object needs its row and does not have it, after an attempt to read it.
  var isUnread: Bool { heldPage == nil && (life == .fault || life == .deleted) }

  /// Records that the row could not be read; stops the program if it wants that.
  func didFailToRead(_ error: any Error, in context: NSManagedObjectContext) {
    if context.failures.stopsProgram { fatalError("CoreData could not fulfill a fault for '\(objectID)': \(error)") }
    // A row that is too old to be used must not be used because the new one cannot be read.
    if heldPage != nil { dropRow() }
    context.noteFailure(error, reading: .row(rowID))
  }

  /// Records that a to-many relationship could not be read.
  func didFailToRead(toMany number: Int, _ error: any Error, in context: NSManagedObjectContext) {
    if context.failures.stopsProgram {
      fatalError(
        "CoreData could not fulfill a fault for '\(objectID)', relationship '\(layout.toMany[number].name)': \(error)")
    }
    context.noteFailure(error, reading: .members(of: rowID, number: number))
  }

  /// A new empty row, for reads of an object that could not be read.
  var emptyRow: Row {
    let page = RowPage(layout: layout, capacity: 1)
    return Row(page: page, index: page.append(id: rowID, version: 0))
  }

  // MARK: Edits of relationships

  /// Returns the members of a to-many relationship; nil if they could not be read.
  func readableLinks(_ number: Int) -> [NSManagedObject]? {
    let failures = registry.failedReads
    let members = linkedObjects(number)
    return registry.failedReads == failures ? members : nil
  }

  /// Whether both ends of a link can be changed.
  /// - Parameter failures: the number of failed reads before the caller looked at the relationship.
  func canChangeLink(to other: NSManagedObject, toMany number: Int, since failures: Int) -> Bool {
    if case .slot = layout.toMany[number].inverse { other.materialize() }
    return registry.failedReads == failures
  }

  /// Whether the members of a relationship can be replaced, and the rows can be read that this changes.
  /// - Parameters:
  ///   - changing: the objects that leave and arrive. Their rows were read together if that was possible.
  ///   - failures: the number of failed reads before the caller looked at the relationship.
  func canReplaceLinks(
    _ number: Int, changing: @autoclosure () -> [NSManagedObject], since failures: Int
  ) -> Bool {
    guard registry.failedReads == failures else { return false }
    guard case .slot = layout.toMany[number].inverse else { return true }
    for object in changing() where object.waitsForRow { object.materialize() }
    return registry.failedReads == failures
  }

  /// Whether all objects can be read that a change of a one-to-one relationship changes: up to four.
  func canChangeTarget(_ slot: Int, from old: RowID, to target: NSManagedObject?) -> Bool {
    guard case .slot(let back) = layout.slots[slot].inverse, maintainsInverses else { return true }
    let failures = registry.failedReads
    related(old)?.materialize(back)
    if let target { _ = target.target(back)?.materialize(slot) }
    return registry.failedReads == failures
  }
}

extension Error {
  /// Whether other rows may be readable: false if the whole store cannot be reached, which it takes a while to find out.
  var mayConcernOneRow: Bool {
    switch (self as? StoreError)?.code {
    case .notOpen, .busy, .incompatibleModel, .permission: false
    default: true
    }
  }
}
