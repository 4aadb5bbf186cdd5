extension RowID {
  /// Where the search for the row begins in an open-addressing table.
  ///
  /// Eight keys in a row stand side by side, since rows come and go by the order of their keys: the memory of a large table
  /// is slow where each look-up is far from the last. Which eight is the upper part of a product with the golden ratio: that
  /// spreads numbers in a row as evenly as can be, over any count.
  /// See Knuth, The Art of Computer Programming, volume 3, section 6.4.
  /// - Parameter count: the entries of the table, a multiple of 8.
  @inlinable @inline(__always)
  package func firstPlace(in count: Int) -> Int {
    let spread = (bits >> 3 &* 0x9E37_79B9_7F4A_7C15) >> 32
    let block = (spread &* UInt64(truncatingIfNeeded: count >> 3)) >> 32
    return Int(truncatingIfNeeded: block << 3 | bits & 7)
  }
}
