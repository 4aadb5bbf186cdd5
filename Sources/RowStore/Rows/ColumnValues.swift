/// The values of a row's columns as a store's engine passes them, for packing the row into a page.
///
/// The engines' sources stay apart, as each reads its own format; the loops over a row's slots are here once. They are
/// inlined into each builder of pages, where a call for each value would cost as much as reading it.
@usableFromInline
package protocol ColumnValues {
  /// nil for NULL.
  mutating func integer(_ column: Int) -> Int64?
  /// nil for NULL.
  mutating func real(_ column: Int) -> Double?
  /// A text's bytes, valid until the next call; nil for NULL.
  mutating func text(_ column: Int) -> (start: UnsafeRawPointer, count: Int)?
  /// The number in the model of a stored Z_ENT.
  func number(ofStored entity: Int) -> Int?
}

extension RowPage.Draft {
  /// Sets the slots that take one call each: all but `reading.others`.
  /// - Parameters:
  ///   - store: the store's number, for the IDs of references.
  ///   - recent: see `setText`.
  @inlinable @inline(__always)
  package mutating func setSlots(
    of reading: RowReading, from values: inout some ColumnValues, store: Int,
    among recent: UnsafeMutablePointer<UInt64>?
  ) {
    for slot in reading.absent { setWord(0, slot: slot) }
    reading.doubles.forEachSlot { slot in
      if let real = values.real(slot.pointee.column) {
        setWord(real.bitPattern, slot: slot.pointee.number)
      } else {
        setNil(slot.pointee.number)
      }
    }
    reading.integers.forEachSlot { slot in
      if let integer = values.integer(slot.pointee.column) {
        setWord(UInt64(bitPattern: integer), slot: slot.pointee.number)
      } else {
        setNil(slot.pointee.number)
      }
    }
    reading.booleans.forEachSlot { slot in
      if let integer = values.integer(slot.pointee.column) {
        setWord(integer != 0 ? 1 : 0, slot: slot.pointee.number)
      } else {
        setNil(slot.pointee.number)
      }
    }
    reading.references.forEachSlot { slot in
      guard let key = values.integer(slot.pointee.column) else { return setNil(slot.pointee.number) }
      var entity = slot.pointee.destination
      if slot.pointee.entityColumn >= 0, let stored = values.integer(slot.pointee.entityColumn), stored != 0 {
        entity = values.number(ofStored: Int(truncatingIfNeeded: stored)) ?? entity
      }
      setWord(RowID(store: store, entity: entity, key: key).bits, slot: slot.pointee.number)
    }
    reading.texts.forEachSlot { slot in
      if let text = values.text(slot.pointee.column) {
        setText(text.start, count: text.count, slot: slot.pointee.number, among: recent)
      } else {
        setNil(slot.pointee.number)
      }
    }
  }
}

extension RowReading.Run {
  /// Visits the slots by pointer: iterating a range as a collection compares with both bounds at each step.
  @inlinable @inline(__always)
  func forEachSlot(_ body: (UnsafePointer<RowReading.Slot>) -> Void) {
    var slot = lowerBound
    while slot != upperBound {
      body(slot)
      slot += 1
    }
  }
}
