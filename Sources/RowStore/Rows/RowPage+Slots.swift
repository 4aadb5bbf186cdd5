import Glibc
import StrataManagedModel

extension RowPage {
  @inlinable @inline(__always)
  package func id(_ row: Int) -> RowID { RowID(bits: words[row &* stride]) }
  @inlinable package func setID(_ id: RowID, _ row: Int) { words[row &* stride] = id.bits }

  @inlinable @inline(__always)
  package func version(_ row: Int) -> Int64 { Int64(bitPattern: words[row &* stride &+ 1]) }
  @inlinable package func setVersion(_ version: Int64, _ row: Int) {
    words[row &* stride &+ 1] = UInt64(bitPattern: version)
  }

  @inlinable @inline(__always)
  package func isNil(_ row: Int, _ slot: Int) -> Bool {
    words[row &* stride &+ 2 &+ slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  /// The 8 bytes of a slot; 0 if it is nil.
  @inlinable @inline(__always)
  package func word(_ row: Int, _ slot: Int) -> UInt64 { words[row &* stride &+ firstSlotWord &+ slot] }

  @inlinable @inline(__always)
  package func integer(_ row: Int, _ slot: Int) -> Int64 { Int64(bitPattern: word(row, slot)) }
  @inlinable @inline(__always)
  package func double(_ row: Int, _ slot: Int) -> Double { Double(bitPattern: word(row, slot)) }
  @inlinable @inline(__always)
  package func reference(_ row: Int, _ slot: Int) -> RowID { RowID(bits: word(row, slot)) }

  /// A slot's bytes on the heap; valid while the page lives and is not changed.
  @inlinable @inline(__always)
  package func bytes(_ row: Int, _ slot: Int) -> UnsafeRawBufferPointer {
    let word = word(row, slot)
    return UnsafeRawBufferPointer(start: heapEnd - Int(word >> 32), count: Int(word & 0xFFFF_FFFF))
  }

  /// Whether a heap slot contains these bytes.
  @inlinable @inline(__always)
  package func holds(_ bytes: UnsafeRawBufferPointer, _ row: Int, _ slot: Int) -> Bool {
    if isNil(row, slot) { return false }
    let own = self.bytes(row, slot)
    guard own.count == bytes.count else { return false }
    guard let mine = own.baseAddress, let other = bytes.baseAddress else { return true }
    return memcmp(mine, other, own.count) == 0
  }

  @inlinable package func setNil(_ row: Int, _ slot: Int) {
    words[row &* stride &+ 2 &+ slot >> 6] |= 1 << UInt64(slot & 63)
    words[row &* stride &+ firstSlotWord &+ slot] = 0
  }

  /// Sets a slot whose value is not on the heap.
  @inlinable @inline(__always)
  package func setWord(_ word: UInt64, _ row: Int, _ slot: Int) {
    words[row &* stride &+ 2 &+ slot >> 6] &= ~(1 << UInt64(slot & 63))
    words[row &* stride &+ firstSlotWord &+ slot] = word
  }

  @inlinable package func setInteger(_ value: Int64, _ row: Int, _ slot: Int) {
    setWord(UInt64(bitPattern: value), row, slot)
  }
  @inlinable package func setDouble(_ value: Double, _ row: Int, _ slot: Int) { setWord(value.bitPattern, row, slot) }

  /// Sets a to-one relationship; `RowID.none` means nil.
  @inlinable package func setReference(_ id: RowID, _ row: Int, _ slot: Int) {
    if id == .none { setNil(row, slot) } else { setWord(id.bits, row, slot) }
  }

  /// Copies bytes to the heap: over the slot's old bytes if they fit there, otherwise to new space.
  @inlinable @inline(__always)
  package func setBytes(_ bytes: UnsafeRawBufferPointer, _ row: Int, _ slot: Int) {
    let old = isNil(row, slot) ? 0 : word(row, slot)
    let offset: Int
    if bytes.count <= Int(old & 0xFFFF_FFFF) {
      offset = Int(old >> 32)
      if let start = bytes.baseAddress {
        (heapEnd - offset).copyMemory(from: start, byteCount: bytes.count)
      }
    } else {
      offset = appendToHeap(bytes)
    }
    setWord(UInt64(offset) << 32 | UInt64(bytes.count), row, slot)
  }

  /// Whether a slot has the same value in two rows of the hierarchy.
  package func isEqual(_ row: Int, _ slot: Int, to other: RowPage, _ otherRow: Int) -> Bool {
    if isNil(row, slot) { return other.isNil(otherRow, slot) }
    if other.isNil(otherRow, slot) { return false }
    guard layout.kinds[slot].isOnHeap else { return word(row, slot) == other.word(otherRow, slot) }
    return holds(other.bytes(otherRow, slot), row, slot)
  }

  /// Copies one slot from another row.
  package func copySlot(_ slot: Int, to row: Int, from other: RowPage, _ otherRow: Int) {
    if other.isNil(otherRow, slot) {
      setNil(row, slot)
    } else if layout.kinds[slot].isOnHeap {
      setBytes(other.bytes(otherRow, slot), row, slot)
    } else {
      setWord(other.word(otherRow, slot), row, slot)
    }
  }

  /// Appends a copy of another page's row.
  /// - Returns: its index.
  package func append(copyOf other: RowPage, _ otherRow: Int) -> Int {
    let row = append(id: other.id(otherRow), version: other.version(otherRow))
    guard layout === other.layout else {
      for slot in layout.kinds.indices { copySlot(slot, to: row, from: other, otherRow) }
      return row
    }
    (words + row * stride + 2).update(from: other.words + otherRow * stride + 2, count: stride - 2)
    for slot in layout.heapSlots where !isNil(row, slot) {
      let bytes = other.bytes(otherRow, slot)
      setWord(UInt64(appendToHeap(bytes)) << 32 | UInt64(bytes.count), row, slot)
    }
    return row
  }
}
