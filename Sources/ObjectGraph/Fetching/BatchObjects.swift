import StrataManagedModel
import StrataRowStore

/// What a batch says, as objects of a context that was made for it: what a store that a program wrote is handed.
///
/// They have the classes, the values and the changes of the objects that are saved, and ids that are still temporary if
/// they are new.
package struct BatchObjects {
  package let inserted: [NSManagedObject]
  /// Also those of which only a relationship changed, as the other end of another's.
  package let updated: [NSManagedObject]
  package let deleted: [NSManagedObject]
  package let checked: [NSManagedObject]

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && checked.isEmpty }
}

extension NSManagedObjectContext {
  /// Makes the objects of a batch, in a context that has no others. Nobody is told of them.
  /// - Parameter stored: the rows that the batch changes or removes, as the store has them.
  /// - Throws: what the source throws when it is asked for the other ends of relationships.
  package func objects(of batch: ChangeBatch, stored: RowList = RowList()) throws -> BatchObjects {
    let known = register(stored)
    take(batch)
    try readTouchedFaults()
    let named = Set(batch.updated.map(\.row.id))
    let updated = batch.updated.compactMap { registry.object($0.row.id) }
    let others = listed.filter { $0.life == .changed && !named.contains($0.rowID) }
    return withExtendedLifetime(known) {
      BatchObjects(
        inserted: batch.inserted.compactMap { registry.object($0.id) }, updated: updated + others,
        deleted: batch.deleted.compactMap { registry.object($0.id) },
        checked: batch.checked.compactMap { registry.object($0.id) })
    }
  }

  /// Gives new objects their permanent ids.
  package func settle(_ objects: [NSManagedObject], as ids: [RowID]) { renumber(objects, as: ids) }

  /// The objects with ids, as faults if nothing is known of them.
  package func faults(_ ids: [RowID]) -> [NSManagedObject] { ids.compactMap(object) }
}
