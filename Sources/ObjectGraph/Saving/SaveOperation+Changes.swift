import Foundation
import StrataRowStore

/// The pending changes before a save.
extension SaveOperation {
  /// Up to this many objects, the save keeps the event's sets for its own notification. For more, keeping them costs more
  /// memory than making them again costs time.
  private static let maximumReused = 10_000

  mutating func processChanges() throws {
    guard context.source != nil else {
      _ = try context.requireSource()
      return
    }
    reported = try settle().flatMap { $0.count <= Self.maximumReused ? $0 : nil }
  }

  /// Ends the event, applies the delete rules, and reads the rows of objects that changed while they were faults. Repeated
  /// after each step that runs code of the program.
  /// - Returns: what the event reported.
  /// - Throws: also the error of a fault that could not be read since the save began.
  @discardableResult
  func settle() throws -> ReportedChanges? {
    let reported = context.endEvent()
    context.propagateDeletes()
    try context.readTouchedFaults()
    return reported
  }
}

extension NSManagedObjectContext {
  /// Reads the rows of objects whose relationships changed while they were faults.
  func readTouchedFaults() throws {
    try refuseSaveAfterFaultFailure()
    guard tracker.tracked.containsHeld(where: { $0.isTouchedFault }) else { return }
    let faults = tracker.tracked.filter(\.isTouchedFault)
    let unread = faults.filter { $0.page == nil }.map(\.rowID)
    if !unread.isEmpty {
      try storeErrors { try requireSource().rows(with: unread) }.forEach { page, index in
        registry.object(page.id(index))?.use(page, row: index)
      }
    }
    for object in faults {
      // A deleted row cannot be updated; the store's history reports the deletion.
      guard object.page != nil else {
        object.edits = nil
        continue
      }
      object.life = .changed
      if !object.layout.transientDefaults.isEmpty { object.applyTransientDefaults(in: self) }
      withoutChangeTracking { object.awakeFromFetch() }
    }
  }
}
