import StrataManagedModel
import StrataRowStore

/// Objects with nothing left to delete: others deleted their rows, or they never had one.
///
/// A save ignores them. But observers of their deletion can use them like objects deleted here: they have their
/// context, `isDeleted` is true, and they keep their last values.
extension NSManagedObjectContext {
  /// Marks an object as gone; the current event reports it.
  func depart(_ object: NSManagedObject) {
    unlist(object)
    object.life = .deleted
    object.flags.insert([.gone, .propagated])
    noteEvent(object, flags: .deletedInEvent)
    departing.append(object)
  }

  /// Detaches objects that all observers have been notified of.
  func letGo(_ isDue: (NSManagedObject) -> Bool = { _ in true }) {
    // Other observers still have to be notified after one that saves or fetches.
    guard !departing.isEmpty, changesBeingReported == nil else { return }
    let due = departing.filter { !$0.flags.contains(.inEvent) && isDue($0) }
    guard !due.isEmpty else { return }
    departing.removeAll { !$0.flags.contains(.inEvent) && isDue($0) }
    // A reinserted object stays.
    for object in due where object.flags.contains(.gone) {
      if object.flags.contains(.inaccessible) { object.abandon() } else { object.detach() }
    }
  }
}
