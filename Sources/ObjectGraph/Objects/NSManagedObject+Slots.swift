import Foundation
import StrataManagedModel
import StrataRowStore

/// The only access to the slots of a row, for typed accessors, key-value coding and relationships alike.
extension NSManagedObject {
  /// Marks the object as changed for the next save, even if the new value turns out to equal the old one (Apple's
  /// `hasChanges` is a dirty flag).
  func willEdit(_ slot: Int = -1) {
    materialize(slot)
    guard let context else { return }
    guard context.tracker.isRecording, !isUnread else { return }
    context.journal?.note(self)
    switch life {
    case .clean:
      life = .changed
      context.tracker.track(self)
      context.noteEvent(self, flags: [])
    case .inserted, .changed: context.noteEvent(self, flags: [])
    case .fault, .deleted, .detached: break
    }
  }

  /// Returns a row that only this object uses and that can be written; the row used until now becomes its saved row. If
  /// the object could not be read, no object uses the row: what is written to it is lost.
  func writableRow() -> Row {
    registry.valueChanges &+= 1
    if ownsRow { return row }
    let edits = ownEdits()
    let unsaved: Row
    if let page {
      if edits.snapshot == nil { edits.snapshot = Row(page: page, index: rowIndex) }
      unsaved = unsavedRow(copying: page)
    } else {
      if isUnread { return emptyRow }
      unsaved = unsavedRow(copying: nil)
    }
    use(unsaved.page, row: unsaved.index)
    edits.ownsRow = true
    return unsaved
  }

  private func unsavedRow(copying old: RowPage?) -> Row {
    // Once saved, any context may read the other rows of a context's page; a row that the save does not concern
    // continues to be written.
    let shared = life.isPending ? context?.tracker.unsavedRows.page(for: layout) : nil
    let page = shared ?? RowPage(layout: layout, capacity: 1)
    guard let old else { return Row(page: page, index: page.append(id: rowID, version: 0)) }
    return Row(page: page, index: page.append(copyOf: old, rowIndex))
  }

  func ownEdits() -> ObjectEdits {
    if let edits { return edits }
    let made = ObjectEdits(layout: layout)
    edits = made
    return made
  }

  /// Whether the context already knows of this event's change, so that `willEdit` has nothing to do and no observer
  /// is notified.
  @inline(__always)
  private var isNoted: Bool {
    flags.isDisjoint(with: .observed) && flags.contains(.inEvent) && (life == .inserted || life == .changed)
      && !registry.keepsJournal && ConcurrencyDebug.allowsFastPaths
  }

  /// Writes a slot if its value changes, without counting references to the page.
  @inline(__always)
  private func write(
    _ slot: Int, unless isSame: (RowPage, Int) -> Bool, body: (RowPage, Int) -> Void
  ) {
    checkQueueOnFastPath(slot)
    guard isNoted else { return writeAnew(slot, unless: isSame, body: body) }
    store(slot, unless: isSame, body: body)
  }

  /// Like `write`, for the first change of an event, and if observers have to be notified.
  @inline(never)
  private func writeAnew(
    _ slot: Int, unless isSame: (RowPage, Int) -> Bool, body: (RowPage, Int) -> Void
  ) {
    let notice = beginNotice(slot)
    willEdit(slot)
    store(slot, unless: isSame, body: body)
    notice?.end()
  }

  @inline(__always)
  private func store(_ slot: Int, unless isSame: (RowPage, Int) -> Bool, body: (RowPage, Int) -> Void) {
    if let heldPage, heldPage._withUnsafeGuaranteedRef({ isSame($0, rowIndex) }) { return }
    if ownsRow, let heldPage {
      registry.valueChanges &+= 1
      heldPage._withUnsafeGuaranteedRef { body($0, rowIndex) }
    } else {
      let row = writableRow()
      body(row.page, row.index)
    }
  }

  /// Sets a slot that is not on the heap, if its value changes.
  func setWord(_ word: UInt64, slot: Int) {
    write(
      slot, unless: { $0.word(row: $1, slot: slot) == word && !$0.isNil(row: $1, slot: slot) },
      body: { $0.setWord(word, row: $1, slot: slot) })
  }

  /// Sets a slot on the heap, if its value changes.
  func setBytes(_ bytes: UnsafeRawBufferPointer, slot: Int) {
    write(slot, unless: { $0.holds(bytes, row: $1, slot: slot) }, body: { $0.setBytes(bytes, row: $1, slot: slot) })
  }

  /// Sets a slot to nil, if it is not.
  func setNil(_ slot: Int) {
    write(slot, unless: { $0.isNil(row: $1, slot: slot) }, body: { $0.setNil(row: $1, slot: slot) })
  }

  /// Stops the program as Apple's framework does for an unknown property name.
  func unknown(_ key: String) -> Never {
    fatalError("the entity \(entity.name ?? "") is not key value coding-compliant for the key \"\(key)\".")
  }
}
