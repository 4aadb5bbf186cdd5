import Foundation
import StrataManagedModel
import StrataRowStore

extension NSManagedObjectContext {
  var debugText: String {
    let address = "<\(type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())>"
    let queue = concurrencyType == .mainQueueConcurrencyType ? "main queue" : "private queue"
    let lives = tracker.tracked.map(\.life)
    let counts = [("inserted", ObjectLife.inserted), ("updated", .changed), ("deleted", .deleted)].map { word, life in
      "\(lives.count { $0 == life }) \(word)"
    }
    let above = parent.map { "parent: \($0.label)" } ?? (source == nil ? "no store" : "coordinator")
    let parts: [String?] = [
      name.map { "name: \($0)" }, queue, transactionAuthor.map { "author: \($0)" },
      "\(registry.count) registered", counts.joined(separator: ", "), above,
    ]
    return "\(address) (\(parts.compactMap(\.self).joined(separator: "; ")))"
  }
}

/// Invariants that hold between the calls of a program.
extension NSManagedObjectContext {
  /// Stops the program if the context and its objects contradict each other; for tests. The caller must be on the
  /// context's queue.
  package func checkInvariants() {
    registry.checkInvariants()
    family.replacedIDs.checkInvariants()
    let objects = registry.objects()
    for object in objects { check(object) }
    tracker.checkInvariants(objects)
  }

  private func check(_ object: NSManagedObject) {
    precondition(object.context === self, "\(object.rowID) is registered here, and says that it is elsewhere.")
    precondition(object.rowID.entity == object.layout.number, "\(object.rowID) is of another entity than its object.")
    if object.life == .inserted || object.life == .changed {
      precondition(object.flags.contains(.tracked), "\(object.rowID) has changes, and no save would see it.")
    }
    if object.life == .inserted {
      precondition(object.flags.contains(.neverSaved), "\(object.rowID) is new, and counts as saved.")
    }
    if let page = object.page {
      precondition(page.layout === object.layout, "\(object.rowID) reads a row of another entity.")
      precondition((0..<page.count).contains(object.rowIndex), "\(object.rowID) reads a row that is not there.")
      let id = page.id(object.rowIndex)
      precondition(
        id == object.rowID || id.isTemporary || object.rowID.isTemporary, "\(object.rowID) reads the row of \(id).")
      page.checkInvariants()
    }
    precondition(!object.ownsRow || object.page != nil, "\(object.rowID) owns a row, but does not have a page.")
    object.heldEdits?._withUnsafeGuaranteedRef { for state in $0.links { state?.checkInvariants() } }
  }
}
