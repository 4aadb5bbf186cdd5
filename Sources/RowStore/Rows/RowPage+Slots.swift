import Glibc
import StrataManagedModel

extension RowPage {
  @inlinable @inline(__always)
  package func id(_ row: Int) -> RowID { RowID(bits: words[row &* stride]) }
  @inlinable package func setID(_ id: RowID, row: Int) { words[row &* stride] = id.bits }

  @inlinable @inline(__always)
  package func version(_ row: Int) -> Int64 { Int64(bitPattern: words[row &* stride &+ 1]) }
  @inlinable package func setVersion(_ version: Int64, row: Int) {
    words[row &* stride &+ 1] = UInt64(bitPattern: version)
  }

  @inlinable @inline(__always)
  package func isNil(row: Int, slot: Int) -> Bool {
    words[row &* stride &+ 2 &+ slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  /// The 8 bytes of a slot; 0 if it is nil.
  @inlinable @inline(__always)
  package func word(row: Int, slot: Int) -> UInt64 { words[row &* stride &+ firstSlotWord &+ slot] }

  @inlinable @inline(__always)
  package func integer(row: Int, slot: Int) -> Int64 { Int64(bitPattern: word(row: row, slot: slot)) }
  @inlinable @inline(__always)
  package func double(row: Int, slot: Int) -> Double { Double(bitPattern: word(row: row, slot: slot)) }
  @inlinable @inline(__always)
  package func reference(row: Int, slot: Int) -> RowID { RowID(bits: word(row: row, slot: slot)) }

  /// A slot's bytes on the heap; valid while the page lives and is not changed.
  @inlinable @inline(__always)
  package func bytes(row: Int, slot: Int) -> UnsafeRawBufferPointer {
    let word = word(row: row, slot: slot)
    return UnsafeRawBufferPointer(start: heapEnd - Int(word >> 32), count: Int(word & 0xFFFF_FFFF))
  }

  /// Whether a heap slot contains these bytes.
  @inlinable @inline(__always)
  package func holds(_ bytes: UnsafeRawBufferPointer, row: Int, slot: Int) -> Bool {
    if isNil(row: row, slot: slot) { return false }
    let own = self.bytes(row: row, slot: slot)
    guard own.count == bytes.count else { return false }
    guard let mine = own.baseAddress, let other = bytes.baseAddress else { return true }
    return memcmp(mine, other, own.count) == 0
  }

  @inlinable package func setNil(row: Int, slot: Int) {
    words[row &* stride &+ 2 &+ slot >> 6] |= 1 << UInt64(slot & 63)
    words[row &* stride &+ firstSlotWord &+ slot] = 0
  }

  /// Sets a slot whose value is not on the heap.
  @inlinable @inline(__always)
  package func setWord(_ word: UInt64, row: Int, slot: Int) {
    words[row &* stride &+ 2 &+ slot >> 6] &= ~(1 << UInt64(slot & 63))
    words[row &* stride &+ firstSlotWord &+ slot] = word
  }

  @inlinable package func setInteger(_ value: Int64, row: Int, slot: Int) {
    setWord(UInt64(bitPattern: value), row: row, slot: slot)
  }
  @inlinable package func setDouble(_ value: Double, row: Int, slot: Int) {
    setWord(value.bitPattern, row: row, slot: slot)
  }

  /// Sets a to-one relationship; `RowID.none` means nil.
  @inlinable package func setReference(_ id: RowID, row: Int, slot: Int) {
    if id == .none { setNil(row: row, slot: slot) } else { setWord(id.bits, row: row, slot: slot) }
  }

  /// Copies bytes to the heap: over the slot's old bytes if they fit there and belong to it alone, otherwise to new
  /// space.
  @inlinable @inline(__always)
  package func setBytes(_ bytes: UnsafeRawBufferPointer, row: Int, slot: Int) {
    let old = isNil(row: row, slot: slot) ? 0 : word(row: row, slot: slot)
    let offset: Int
    if bytes.count <= Int(old & 0xFFFF_FFFF), !sharesTexts {
      offset = Int(old >> 32)
      if let start = bytes.baseAddress {
        (heapEnd - offset).copyMemory(from: start, byteCount: bytes.count)
      }
    } else {
      offset = appendToHeap(bytes)
    }
    setWord(UInt64(offset) << 32 | UInt64(bytes.count), row: row, slot: slot)
  }

  /// Whether a slot has the same value in two rows of the hierarchy.
  package func isEqual(row: Int, slot: Int, to other: RowPage, row otherRow: Int) -> Bool {
    if isNil(row: row, slot: slot) { return other.isNil(row: otherRow, slot: slot) }
    if other.isNil(row: otherRow, slot: slot) { return false }
    guard layout.kinds[slot].isOnHeap else {
      return word(row: row, slot: slot) == other.word(row: otherRow, slot: slot)
    }
    return holds(other.bytes(row: otherRow, slot: slot), row: row, slot: slot)
  }

  /// Copies one slot from another row.
  package func copySlot(_ slot: Int, to row: Int, from other: RowPage, row otherRow: Int) {
    if other.isNil(row: otherRow, slot: slot) {
      setNil(row: row, slot: slot)
    } else if layout.kinds[slot].isOnHeap {
      setBytes(other.bytes(row: otherRow, slot: slot), row: row, slot: slot)
    } else {
      setWord(other.word(row: otherRow, slot: slot), row: row, slot: slot)
    }
  }

  /// Appends a copy of another page's row.
  /// - Returns: its index.
  package func append(copyOf other: RowPage, _ otherRow: Int) -> Int {
    let row = append(id: other.id(otherRow), version: other.version(otherRow))
    guard layout === other.layout else {
      for slot in layout.kinds.indices { copySlot(slot, to: row, from: other, row: otherRow) }
      return row
    }
    (words + row * stride + 2).update(from: other.words + otherRow * stride + 2, count: stride - 2)
    for slot in layout.heapSlots where !isNil(row: row, slot: slot) {
      let bytes = other.bytes(row: otherRow, slot: slot)
      setWord(UInt64(appendToHeap(bytes)) << 32 | UInt64(bytes.count), row: row, slot: slot)
    }
    return row
  }
}
