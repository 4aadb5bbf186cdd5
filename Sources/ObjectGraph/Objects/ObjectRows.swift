import Foundation
import StrataManagedModel
import StrataRowStore

/// The rows of a batch insert from one object that a handler fills repeatedly: its accessors write straight into the
/// page that goes to the store.
final class ObjectRows: BulkRows {
  private let handler: (NSManagedObject) -> Bool
  private let object: NSManagedObject
  private let maker: BulkPageMaker
  private var hasEnded = false
  /// Whether the store must know which values were given.
  private let notesGiven: Bool

  init(
    _ layout: EntityLayout, _ onConflict: BulkInsertion.Conflict, in context: NSManagedObjectContext,
    handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.handler = handler
    maker = BulkPageMaker(layout)
    object = context.objectClass(of: layout).init(entity: context.model.entity(of: layout), insertInto: nil)
    object.ownEdits().ownsRow = true
    let isUnique = layout.lineage.contains { !$0.uniqueNames.isEmpty }
    notesGiven = isUnique && onConflict == .takeGiven
  }

  deinit { object.dropRow() }

  func next() throws -> BulkPage? {
    maker.begin()
    while !hasEnded, !maker.page.isFull {
      let row = maker.append()
      object.use(maker.page, row: row)
      if handler(object) {
        maker.removeLast()
        hasEnded = true
      } else {
        try check()
        if notesGiven { noteGiven(row) }
      }
    }
    return maker.finish()
  }

  private func check() throws {
    if object.edits?.links.areUntouched == false {
      throw maker.refusal(of: "", reason: BulkPageMaker.noRelationships)
    }
    object.edits?.objects.removeAll(keepingCapacity: true)
  }

  private func noteGiven(_ row: Int) {
    for slot in maker.layout.slots.indices where !maker.page.isEqual(row: row, slot: slot, to: maker.defaults, row: 0) {
      maker.noteGiven(row: row, slot: slot)
    }
  }
}
