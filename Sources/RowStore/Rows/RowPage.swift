import Glibc
import StrataManagedModel

/// Rows of one entity in one block of memory: rows of fixed 8-byte slots from the front, and a heap of text and bytes
/// from the back. Packed rows share the bytes of equal short texts.
///
/// One thread fills a page. Once shared it is immutable (`seal`): it is the result of a fetch, the storage of
/// objects, and the snapshot that they are compared with. A context's own page of unsaved rows is changed only by the
/// context, on its queue, and sealed when saved.
@usableFromInline
package final class RowPage: @unchecked Sendable {
  // Sendable: changed only before it is handed to another thread.

  @usableFromInline package let layout: EntityLayout
  /// The maximum number of rows.
  @usableFromInline package let capacity: Int
  /// When the rows were read or created. Not a ContinuousClock.Instant, which is resilient: its size, and so the offset
  /// of every later member, would have to be looked up at each access.
  package let madeAt = RowPage.now
  @exclusivity(unchecked) @usableFromInline package internal(set) var count = 0
  @exclusivity(unchecked) @usableFromInline var words: UnsafeMutablePointer<UInt64>
  @usableFromInline let stride: Int
  @usableFromInline let firstSlotWord: Int
  /// Whether several slots may refer to the same bytes of the heap: those of packed rows.
  @usableFromInline let sharesTexts: Bool
  /// The end of the memory. Heap values are addressed by their distance from it, so that the memory can move.
  @exclusivity(unchecked) @usableFromInline var heapEnd: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var heapCount = 0
  /// The size of the memory in bytes.
  @exclusivity(unchecked) @usableFromInline package internal(set) var size: Int
  /// The number of rows reserved in front of the heap: the capacity or, while packing, the rows so far.
  @exclusivity(unchecked) @usableFromInline var reserved: Int

  /// Nanoseconds of a monotonic clock.
  package static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Creates a page for rows that are appended and then set.
  /// - Parameters:
  ///   - capacity: the maximum number of rows.
  ///   - heapCapacity: an estimate of the bytes of text; the heap grows as needed.
  package convenience init(layout: EntityLayout, capacity: Int, heapCapacity: Int = 0) {
    self.init(
      layout: layout, capacity: capacity, reserved: capacity, sharesTexts: false,
      size: capacity * layout.stride * 8 + heapCapacity)
  }

  /// Creates a page to pack rows into until a row or its text no longer fits.
  package convenience init(packing layout: EntityLayout, size: Int) {
    self.init(
      layout: layout, capacity: size / (layout.stride * 8), reserved: 0, sharesTexts: true, size: size)
  }

  /// An object keeps the index of its row in 16 bits.
  package static let maximumRows = 65_535

  private init(layout: EntityLayout, capacity: Int, reserved: Int, sharesTexts: Bool, size: Int) {
    precondition(capacity <= Self.maximumRows, "A page has \(Self.maximumRows) rows at most.")
    self.layout = layout
    self.capacity = capacity
    self.reserved = reserved
    self.sharesTexts = sharesTexts
    self.size = size
    stride = layout.stride
    firstSlotWord = layout.firstSlotWord
    let memory = PageMemory.allocate(size)
    words = memory.assumingMemoryBound(to: UInt64.self)
    heapEnd = memory + size
  }

  deinit { PageMemory.release(words, size: size) }

  @inlinable package var isFull: Bool { count == capacity }

  /// Appends a row whose slots are all nil.
  /// - Returns: its index.
  package func append(id: RowID, version: Int64) -> Int {
    precondition(count < capacity, "The page is full.")
    let row = words + count * stride
    row[0] = id.bits
    row[1] = UInt64(bitPattern: version)
    (row + 2).update(repeating: .max, count: layout.nullWords)
    (row + firstSlotWord).update(repeating: 0, count: stride - firstSlotWord)
    count += 1
    return count - 1
  }

  /// Removes the last row.
  package func removeLast() { count -= 1 }

  /// Removes all rows for reuse; the page must not be shared.
  package func removeAll() {
    count = 0
    heapCount = 0
  }

  /// Savings below this are not worth moving the rows.
  private static let minimumSpare = 256

  /// Releases unused memory if it is at least an eighth of the total.
  package func seal() {
    let used = max(reserved, count) * stride * 8 + heapCount
    if size - used > max(used / 8, Self.minimumSpare) { release(move(to: used)) }
  }

  /// Moves rows and heap to memory of another size; the caller releases the old memory.
  func move(to size: Int) -> (UnsafeMutablePointer<UInt64>, Int) {
    let old = (words, self.size)
    let memory = PageMemory.allocate(size)
    words = memory.assumingMemoryBound(to: UInt64.self)
    words.update(from: old.0, count: count * stride)
    (memory + size - heapCount).copyMemory(from: heapEnd - heapCount, byteCount: heapCount)
    heapEnd = memory + size
    self.size = size
    return old
  }

  func release(_ old: (UnsafeMutablePointer<UInt64>, Int)) { PageMemory.release(old.0, size: old.1) }

  /// Prepends bytes to the heap. They may be in this very heap, so the old memory is released only after the copy.
  /// - Returns: their distance from the end.
  @usableFromInline func appendToHeap(_ bytes: UnsafeRawBufferPointer) -> Int {
    var old: (UnsafeMutablePointer<UInt64>, Int)?
    let room = size - max(reserved, count) * stride * 8
    if room - heapCount < bytes.count {
      old = move(to: size - room + Swift.max(room * 2, heapCount + bytes.count, 64))
    }
    heapCount += bytes.count
    precondition(heapCount <= 0xFFFF_FFFF, "The values of a page of rows exceed 4 GiB.")
    if let start = bytes.baseAddress {
      (heapEnd - heapCount).copyMemory(from: start, byteCount: bytes.count)
    }
    if let old { release(old) }
    return heapCount
  }

  /// The bytes of text and data in the page.
  package var heapBytes: Int { heapCount }
}

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
