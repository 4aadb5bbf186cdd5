import StrataManagedModel

extension RowPage {
  /// Stops the program where the page is not as it must be at rest: for tests.
  package func checkInvariants() {
    precondition(count <= capacity, "The page has \(count) rows and room for \(capacity).")
    precondition(
      max(count, reserved) * stride * 8 + heapCount <= size, "The rows and the heap of the page lie on each other.")
    for row in 0..<count {
      precondition(
        id(row).entity == layout.number, "Row \(row) of entity \(layout.number) has the id \(id(row)).")
      for slot in layout.slots.indices where isNil(row: row, slot: slot) {
        precondition(word(row: row, slot: slot) == 0, "Slot \(slot) of row \(row) is nil and has a value.")
      }
      for slot in layout.heapSlots where !isNil(row: row, slot: slot) {
        let (start, length) = (Int(word(row: row, slot: slot) >> 32), Int(word(row: row, slot: slot) & 0xFFFF_FFFF))
        precondition(
          length <= start && start <= heapCount, "The bytes of slot \(slot) of row \(row) are not on the heap.")
      }
    }
  }
}
