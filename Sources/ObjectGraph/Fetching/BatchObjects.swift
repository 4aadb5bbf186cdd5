import StrataManagedModel
import StrataRowStore

/// The changes of a batch as objects of a context created for it, for stores implemented by the program.
///
/// The objects have the classes, values and changes of the saved objects; new ones still have temporary IDs.
package struct BatchObjects {
  package let inserted: [NSManagedObject]
  /// Includes objects of which only a relationship changed, as the inverse of another object's.
  package let updated: [NSManagedObject]
  package let deleted: [NSManagedObject]
  package let checked: [NSManagedObject]

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && checked.isEmpty }
}

extension NSManagedObjectContext {
  /// Creates the objects of a batch in a context without others. No notification is posted.
  /// - Parameter stored: the rows that the batch changes or deletes, as stored.
  /// - Throws: the source's error if the other ends of relationships cannot be read.
  package func objects(of batch: ChangeBatch, stored: RowList = RowList()) throws -> BatchObjects {
    let known = register(stored)
    applyRows(of: batch)
    try readTouchedFaults()
    let named = Set(batch.updated.map(\.row.id))
    let updated = batch.updated.compactMap { registry.object($0.row.id) }
    let others = tracker.tracked.filter { $0.life == .changed && !named.contains($0.rowID) }
    return withExtendedLifetime(known) {
      BatchObjects(
        inserted: batch.inserted.compactMap { registry.object($0.id) }, updated: updated + others,
        deleted: batch.deleted.compactMap { registry.object($0.id) },
        checked: batch.checked.compactMap { registry.object($0.id) })
    }
  }

  /// Gives new objects their permanent IDs.
  package func assignIDs(_ objects: [NSManagedObject], as ids: [RowID]) { renumber(objects, as: ids) }

  /// Returns the objects with some IDs, as faults if they are not registered.
  package func faults(_ ids: [RowID]) -> [NSManagedObject] { ids.compactMap(object) }
}
