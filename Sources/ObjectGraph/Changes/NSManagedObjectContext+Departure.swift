import StrataManagedModel
import StrataRowStore

/// Objects with nothing left to delete: others deleted their rows, or they never had one.
///
/// A save ignores them. But observers of their deletion can use them like objects deleted here: they have their
/// context, `isDeleted` is true, and they keep their last values.
extension NSManagedObjectContext {
  /// Marks an object as gone; the current event reports it.
  func depart(_ object: NSManagedObject) {
    tracker.untrack(object)
    object.life = .deleted
    object.flags.insert([.gone, .propagated])
    noteEvent(object, flags: .deletedInEvent)
    tracker.addDeparted(object)
  }

  /// Detaches objects that all observers have been notified of.
  func letGo(_ isDue: (NSManagedObject) -> Bool = { _ in true }) {
    // Other observers still have to be notified after one that saves or fetches.
    guard !tracker.departed.isEmpty, notifier.reported == nil else { return }
    // A reinserted object stays.
    for object in tracker.takeDeparted(where: isDue) where object.flags.contains(.gone) {
      if object.flags.contains(.inaccessible) { object.abandon() } else { object.detach() }
    }
  }
}
