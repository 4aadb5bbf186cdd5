import StrataManagedModel
import StrataRowStore

/// Objects of which nothing is left to be deleted: others deleted their rows, or there never was one.
///
/// They are nothing to save. But whoever is told that they are deleted may ask them as he may ask objects that were deleted
/// here: they have their context, `isDeleted` is true, and their values are those that were last known.
extension NSManagedObjectContext {
  /// Counts an object as gone, which this event tells of.
  func depart(_ object: NSManagedObject) {
    unlist(object)
    object.life = .deleted
    object.flags.insert([.gone, .propagated])
    noteEvent(object, .deletedInEvent)
    departing.append(object)
  }

  /// Lets objects go that everybody was told of.
  func letGo(_ isDue: (NSManagedObject) -> Bool = { _ in true }) {
    // An observer that saves or fetches is not the last one to be told.
    guard !departing.isEmpty, telling == nil else { return }
    let due = departing.filter { !$0.flags.contains(.inEvent) && isDue($0) }
    guard !due.isEmpty else { return }
    departing.removeAll { !$0.flags.contains(.inEvent) && isDue($0) }
    // One that was inserted again has come back.
    for object in due where object.flags.contains(.gone) { object.detach() }
  }
}
