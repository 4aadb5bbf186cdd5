extension RowID {
  /// The first index to probe for the row in an open-addressing table.
  ///
  /// Eight consecutive keys are adjacent, because rows come and go in key order and a large table is slow if each
  /// look-up is far from the last. The group of eight is the high part of a product with the golden ratio, which
  /// distributes consecutive numbers as evenly as possible for any count.
  /// See Knuth, The Art of Computer Programming, volume 3, section 6.4.
  /// - Parameter count: the table's capacity, a multiple of 8.
  @inlinable @inline(__always)
  package func firstBucket(in count: Int) -> Int {
    let spread = (bits >> 3 &* 0x9E37_79B9_7F4A_7C15) >> 32
    let block = (spread &* UInt64(truncatingIfNeeded: count >> 3)) >> 32
    return Int(truncatingIfNeeded: block << 3 | bits & 7)
  }
}
