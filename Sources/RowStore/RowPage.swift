import ManagedModel

/// Rows of one entity, packed: fixed 8-byte slots, and a heap for text and bytes.
///
/// A page is filled by one thread. Once it is handed on it never changes (`seal`), and is at the same time what a
/// fetch returned, what objects read from, and the snapshot that they compare with. A context's own page of unsaved
/// rows is changed by the context alone, on its queue, and sealed when it is saved.
@usableFromInline
package final class RowPage: @unchecked Sendable {
  // Sendable: changed only before it is handed to another thread.

  @usableFromInline package let layout: EntityLayout
  @usableFromInline package let capacity: Int
  /// When the rows were read, or made.
  package let madeAt = ContinuousClock.now
  @exclusivity(unchecked) @usableFromInline package internal(set) var count = 0
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let stride: Int
  @usableFromInline let firstSlotWord: Int
  @exclusivity(unchecked) @usableFromInline var heap: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) @usableFromInline var heapCount = 0
  @exclusivity(unchecked) @usableFromInline var heapCapacity: Int

  /// - Parameters:
  ///   - capacity: the most rows that the page can hold.
  ///   - heapCapacity: the first guess of the bytes of text; the heap grows when it must.
  package init(layout: EntityLayout, capacity: Int, heapCapacity: Int = 0) {
    self.layout = layout
    self.capacity = capacity
    self.heapCapacity = heapCapacity
    stride = layout.stride
    firstSlotWord = layout.firstSlotWord
    words = .allocate(capacity: capacity * layout.stride)
    heap = .allocate(capacity: heapCapacity)
  }

  deinit {
    words.deallocate()
    heap.deallocate()
  }

  @inlinable package var isFull: Bool { count == capacity }

  /// Adds a row whose slots are all nil, and answers its index.
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

  /// Takes back the row that was added last.
  package func removeLast() { count -= 1 }

  /// Makes room for other rows; nobody else may have the page.
  package func removeAll() {
    count = 0
    heapCount = 0
  }

  /// Gives back memory that the heap does not use: 500 instead of 590 bytes a row of text, measured.
  package func seal() {
    guard heapCapacity - heapCount > heapCount / 8 else { return }
    resizeHeap(to: heapCount)
  }

  private func resizeHeap(to capacity: Int) {
    let old = heap
    heap = .allocate(capacity: capacity)
    heap.update(from: old, count: heapCount)
    heapCapacity = capacity
    old.deallocate()
  }

  /// Puts bytes behind all others, and answers where. They may lie in this very heap, so it moves after the copy.
  @usableFromInline func appendToHeap(_ bytes: UnsafeRawBufferPointer) -> Int {
    let offset = heapCount
    let old = heap
    if heapCapacity - heapCount < bytes.count {
      heapCapacity = Swift.max(heapCapacity * 2, heapCount + bytes.count, 64)
      heap = .allocate(capacity: heapCapacity)
      heap.update(from: old, count: heapCount)
    }
    if let start = bytes.baseAddress {
      UnsafeMutableRawPointer(heap + offset).copyMemory(from: start, byteCount: bytes.count)
    }
    if heap != old { old.deallocate() }
    heapCount += bytes.count
    precondition(heapCount <= 0xFFFF_FFFF, "The values of a page of rows may take 4 GiB.")
    return offset
  }

  /// The bytes of text and data in the page.
  package var heapBytes: Int { heapCount }
}
