import Glibc

/// Packing: each row is written in one pass over its values.
extension RowPage {
  /// The next row while it is being packed. It becomes part of the page only when kept; one that does not fit is simply
  /// abandoned.
  @usableFromInline
  package struct Draft {
    @usableFromInline let row: UnsafeMutablePointer<UInt64>
    @usableFromInline let slots: UnsafeMutablePointer<UInt64>
    @usableFromInline let heapEnd: UnsafeMutableRawPointer
    /// The heap's size so far, and its limit.
    @usableFromInline var heapCount: Int
    @usableFromInline let heapLimit: Int
    /// Whether everything so far fits.
    @usableFromInline package var fits: Bool { @inline(__always) get { heapCount <= heapLimit } }

    @inlinable @inline(__always)
    init(_ page: RowPage) {
      row = page.words + page.count &* page.stride
      slots = row + page.firstSlotWord
      heapEnd = page.heapEnd
      heapCount = page.heapCount
      heapLimit = page.size &- (page.count &+ 1) &* page.stride &* 8
    }

    /// Begins the row.
    /// - Parameter nulls: the initial bit set of nil slots.
    @inlinable @inline(__always)
    package func begin(_ id: RowID, version: Int64, nulls: UnsafeBufferPointer<UInt64>) {
      row[0] = id.bits
      row[1] = UInt64(bitPattern: version)
      for word in 0..<nulls.count { row[2 &+ word] = nulls[word] }
    }

    @inlinable @inline(__always)
    package func setNil(_ slot: Int) {
      row[2 &+ slot >> 6] |= 1 << UInt64(slot & 63)
      slots[slot] = 0
    }

    /// Sets a slot whose value is not on the heap.
    @inlinable @inline(__always)
    package func setWord(_ word: UInt64, slot: Int) { slots[slot] = word }

    /// Copies bytes to the heap if they fit.
    @inlinable @inline(__always)
    package mutating func setBytes(_ start: UnsafeRawPointer?, count: Int, slot: Int) {
      heapCount &+= count
      if heapCount <= heapLimit, let start { Self.copy(start, to: heapEnd + (0 &- heapCount), count) }
      slots[slot] = UInt64(truncatingIfNeeded: heapCount) << 32 | UInt64(truncatingIfNeeded: count)
    }

    /// Sets a text, whose bytes are copied only if they are not on the heap already.
    /// - Parameter recent: where to look for them; nil if it does not pay.
    @inlinable @inline(__always)
    package mutating func setText(
      _ start: UnsafeRawPointer, count: Int, slot: Int, among recent: UnsafeMutablePointer<UInt64>?
    ) {
      guard let recent, RecentTexts.fits(count), fits else { return setBytes(start, count: count, slot: slot) }
      let ends = RecentTexts.ends(start, count)
      let entry = recent + RecentTexts.index(ends, count)
      let known = entry.pointee
      // Reads only bytes within the heap: the entry's start is at least its length before the end.
      if known & 0xFFFF_FFFF == UInt64(truncatingIfNeeded: count), known >> 32 <= UInt64(truncatingIfNeeded: heapCount)
      {
        let other = UnsafeRawPointer(heapEnd) - Int(truncatingIfNeeded: known >> 32)
        if RecentTexts.ends(other, count) == ends, count <= 16 || memcmp(other, start, count) == 0 {
          slots[slot] = known
          return
        }
      }
      setBytes(start, count: count, slot: slot)
      entry.pointee = slots[slot]
    }

    /// A call of memcpy costs more than copying a name, so 2 to 64 bytes are copied as overlapping pieces.
    @inlinable @inline(__always)
    static func copy(_ start: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, _ count: Int) {
      if UInt(bitPattern: count &- 2) > 62 { return destination.copyMemory(from: start, byteCount: count) }
      if count >= 16 {
        // Always copies four pieces: a branch on whether the middle ones are needed would be unpredictable.
        let last = count &- 16
        let (second, third) = (min(16, last), max(last &- 16, 0))
        let pieces = (
          piece(start, 0), piece(start, second), piece(start, third), piece(start, last)
        )
        destination.storeBytes(of: pieces.0, as: SIMD2<UInt64>.self)
        destination.storeBytes(of: pieces.1, toByteOffset: second, as: SIMD2<UInt64>.self)
        destination.storeBytes(of: pieces.2, toByteOffset: third, as: SIMD2<UInt64>.self)
        destination.storeBytes(of: pieces.3, toByteOffset: last, as: SIMD2<UInt64>.self)
      } else if count >= 8 {
        copy(UInt64.self, start, to: destination, count)
      } else if count >= 4 {
        copy(UInt32.self, start, to: destination, count)
      } else {
        copy(UInt16.self, start, to: destination, count)
      }
    }

    @inlinable @inline(__always)
    static func piece(_ start: UnsafeRawPointer, _ offset: Int) -> SIMD2<UInt64> {
      start.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    }

    /// Copies the first and the last bytes, overlapping if there are fewer than two whole pieces.
    @inlinable @inline(__always)
    static func copy<Piece: BitwiseCopyable>(
      _: Piece.Type, _ start: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, _ count: Int
    ) {
      let last = count &- MemoryLayout<Piece>.size
      let pieces = (start.loadUnaligned(as: Piece.self), (start + last).loadUnaligned(as: Piece.self))
      destination.storeBytes(of: pieces.0, as: Piece.self)
      (destination + last).storeBytes(of: pieces.1, as: Piece.self)
    }

    /// The heap bytes that the page needs including this row.
    package var heapBytes: Int { heapCount }
  }

  /// Begins a draft of the next row; nil if not even its slots fit.
  @inlinable @inline(__always)
  package func draft() -> Draft? {
    let draft = Draft(self)
    return draft.fits ? draft : nil
  }

  /// Appends a draft that fits.
  /// - Returns: its index.
  @inlinable @inline(__always)
  package func keep(_ draft: Draft) -> Int {
    heapCount = draft.heapCount
    count &+= 1
    return count &- 1
  }

  /// Grows the page for one more row and a heap of the given size.
  package func makeRoom(forHeap bytes: Int) {
    precondition(bytes <= 0xFFFF_FFFF, "The values of a page of rows exceed 4 GiB.")
    release(move(to: (count + 1) * stride * 8 + bytes + bytes / 8))
  }
}
