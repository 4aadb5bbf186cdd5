import Glibc
import StrataManagedModel

/// Rows of one entity, packed into one piece of memory: rows of fixed 8-byte slots from the front, and from the back the
/// heap of text and bytes.
///
/// A page is filled by one thread. Once it is handed on it never changes (`seal`), and is at the same time what a
/// fetch returned, what objects read from, and the snapshot that they compare with. A context's own page of unsaved
/// rows is changed by the context alone, on its queue, and sealed when it is saved.
@usableFromInline
package final class RowPage: @unchecked Sendable {
  // Sendable: changed only before it is handed to another thread.

  @usableFromInline package let layout: EntityLayout
  /// The most rows that the page can hold.
  @usableFromInline package let capacity: Int
  /// When the rows were read, or made. A number: instants of the library have no size that is known here, and the
  /// places of all that follows would be looked up at each use.
  package let madeAt = RowPage.now
  @exclusivity(unchecked) @usableFromInline package internal(set) var count = 0
  @exclusivity(unchecked) @usableFromInline var words: UnsafeMutablePointer<UInt64>
  @usableFromInline let stride: Int
  @usableFromInline let firstSlotWord: Int
  /// The end of the memory. Values on the heap are named by how far before it they begin, so that both may move.
  @exclusivity(unchecked) @usableFromInline var heapEnd: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var heapCount = 0
  /// The bytes of the memory.
  @exclusivity(unchecked) @usableFromInline package internal(set) var size: Int
  /// The rows that the heap leaves room for: all that the page can hold, or as it is packed those that there are.
  @exclusivity(unchecked) @usableFromInline var reserved: Int

  /// Nanoseconds of a clock that never stops.
  package static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// A page for rows that are added and then set.
  /// - Parameters:
  ///   - capacity: the most rows that the page can hold.
  ///   - heapCapacity: the first guess of the bytes of text; the heap grows when it must.
  package convenience init(layout: EntityLayout, capacity: Int, heapCapacity: Int = 0) {
    self.init(
      layout: layout, capacity: capacity, reserved: capacity, size: capacity * layout.stride * 8 + heapCapacity)
  }

  /// A page that is packed row by row, until neither a row nor its text fits any more.
  package convenience init(packing layout: EntityLayout, size: Int) {
    self.init(layout: layout, capacity: size / (layout.stride * 8), reserved: 0, size: size)
  }

  private init(layout: EntityLayout, capacity: Int, reserved: Int, size: Int) {
    self.layout = layout
    self.capacity = capacity
    self.reserved = reserved
    self.size = size
    stride = layout.stride
    firstSlotWord = layout.firstSlotWord
    let memory = PageMemory.allocate(size)
    words = memory.assumingMemoryBound(to: UInt64.self)
    heapEnd = memory + size
  }

  deinit { PageMemory.release(words, size) }

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

  /// Less than this is not worth the moving of a row.
  private static let smallest = 256

  /// Gives back memory that is not used, if that is an eighth of all.
  package func seal() {
    let used = max(reserved, count) * stride * 8 + heapCount
    if size - used > max(used / 8, Self.smallest) { release(move(to: used)) }
  }

  /// Moves rows and heap to memory of another size; the old memory is for the caller to release.
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

  func release(_ old: (UnsafeMutablePointer<UInt64>, Int)) { PageMemory.release(old.0, old.1) }

  /// Puts bytes before all others, and answers how far before the end they begin. They may lie in this very heap, so
  /// that goes after the copy.
  @usableFromInline func appendToHeap(_ bytes: UnsafeRawBufferPointer) -> Int {
    var old: (UnsafeMutablePointer<UInt64>, Int)?
    let room = size - max(reserved, count) * stride * 8
    if room - heapCount < bytes.count {
      old = move(to: size - room + Swift.max(room * 2, heapCount + bytes.count, 64))
    }
    heapCount += bytes.count
    precondition(heapCount <= 0xFFFF_FFFF, "The values of a page of rows may take 4 GiB.")
    if let start = bytes.baseAddress {
      (heapEnd - heapCount).copyMemory(from: start, byteCount: bytes.count)
    }
    if let old { release(old) }
    return heapCount
  }

  /// The bytes of text and data in the page.
  package var heapBytes: Int { heapCount }
}
