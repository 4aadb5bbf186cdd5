import Foundation
import StrataManagedModel
import StrataRowStore

/// The one way in and out of a row, for typed accessors, key-value coding and relationships alike.
extension NSManagedObject {
  /// Says that the object is about to change: from here on a save has to do with it. True even if the new value turns
  /// out to equal the old one (Apple's `hasChanges` is a dirty flag).
  func willEdit(_ slot: Int = -1) {
    materialize(slot)
    guard let context else { return }
    guard context.tracksChanges else { return }
    context.journal?.note(self)
    switch life {
    case .clean:
      life = .changed
      context.list(self)
      context.noteEvent(self, [])
    case .inserted, .changed: context.noteEvent(self, [])
    case .fault, .deleted, .detached: break
    }
  }

  /// A row of the object's own that can be written; what it read until now becomes its snapshot.
  func writableRow() -> Row {
    let edits = ownEdits()
    registry.valueChanges &+= 1
    if edits.ownsRow { return row }
    let scratch: Row
    if let page {
      if edits.snapshot == nil { edits.snapshot = Row(page: page, index: Int(rowIndex)) }
      scratch = scratchRow(copying: page)
    } else {
      scratch = scratchRow(copying: nil)
    }
    adopt(scratch.page, scratch.index)
    edits.ownsRow = true
    return scratch
  }

  private func scratchRow(copying old: RowPage?) -> Row {
    // Other objects' rows of a context's page are for everyone to read once they are saved; this one, if the save has
    // nothing to do with it, goes on being written.
    let shared = life.isPending ? context?.scratchPage(for: layout) : nil
    let page = shared ?? RowPage(layout: layout, capacity: 1)
    guard let old else { return Row(page: page, index: page.append(id: rowID, version: 0)) }
    return Row(page: page, index: page.append(copyOf: old, Int(rowIndex)))
  }

  func ownEdits() -> ObjectEdits {
    if let edits { return edits }
    let made = ObjectEdits(layout: layout)
    edits = made
    return made
  }

  /// Whether the object's context knows already that it changes in this event, so that `willEdit` has nothing to do, and
  /// nobody is to be told.
  @inline(__always)
  private var isNoted: Bool {
    flags.isDisjoint(with: .observed) && flags.contains(.inEvent) && (life == .inserted || life == .changed)
      && !registry.keepsJournal
      && !ConcurrencyDebug.isOn
  }

  /// Writes a slot, if it changes, without counting references to the page.
  @inline(__always)
  private func write(
    _ slot: Int, unless isSame: (RowPage, Int) -> Bool, _ body: (RowPage, Int) -> Void
  ) {
    guard isNoted else { return writeAnew(slot, unless: isSame, body) }
    store(slot, unless: isSame, body)
  }

  /// The same for the first change of an event, and where observers are to be told.
  @inline(never)
  private func writeAnew(
    _ slot: Int, unless isSame: (RowPage, Int) -> Bool, _ body: (RowPage, Int) -> Void
  ) {
    let notice = willTell(slot)
    willEdit(slot)
    store(slot, unless: isSame, body)
    notice?.end()
  }

  @inline(__always)
  private func store(_ slot: Int, unless isSame: (RowPage, Int) -> Bool, _ body: (RowPage, Int) -> Void) {
    if let heldPage, heldPage._withUnsafeGuaranteedRef({ isSame($0, Int(rowIndex)) }) { return }
    if edits?.ownsRow == true, let heldPage {
      registry.valueChanges &+= 1
      heldPage._withUnsafeGuaranteedRef { body($0, Int(rowIndex)) }
    } else {
      let row = writableRow()
      body(row.page, row.index)
    }
  }

  /// Sets a slot that is not on the heap, if it changes.
  func setWord(_ word: UInt64, _ slot: Int) {
    write(slot, unless: { $0.word($1, slot) == word && !$0.isNil($1, slot) }, { $0.setWord(word, $1, slot) })
  }

  /// Sets a slot on the heap, if it changes.
  func setBytes(_ bytes: UnsafeRawBufferPointer, _ slot: Int) {
    write(slot, unless: { $0.holds(bytes, $1, slot) }, { $0.setBytes(bytes, $1, slot) })
  }

  /// Empties a slot, if it is not.
  func setNil(_ slot: Int) {
    write(slot, unless: { $0.isNil($1, slot) }, { $0.setNil($1, slot) })
  }

  /// Stops the program as Apple's framework does for a name that is no property.
  func unknown(_ key: String) -> Never {
    fatalError("the entity \(entity.name ?? "") is not key value coding-compliant for the key \"\(key)\".")
  }
}
