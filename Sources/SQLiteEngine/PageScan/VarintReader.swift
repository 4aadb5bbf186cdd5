/// Reads consecutive varints from a page, never beyond its end.
struct VarintReader {
  let page: UnsafeRawPointer
  private(set) var offset: Int
  private let limit: Int

  /// - Parameter page: at least `limit` bytes.
  init(_ page: UnsafeRawPointer, from offset: Int, to limit: Int) {
    self.page = page
    self.offset = offset
    self.limit = limit
  }

  /// The next varint: seven bits per byte, most significant first, while the high bit is set; the ninth byte
  /// contributes all eight. Bytes past the end read as zero. See https://sqlite.org/fileformat2.html#varint
  @inline(__always)
  mutating func varint() -> UInt64 {
    if offset < limit {
      let byte = page.load(fromByteOffset: offset, as: UInt8.self)
      if byte < 0x80 {
        offset &+= 1
        return UInt64(byte)
      }
    }
    return longVarint()
  }

  @inline(never)
  private mutating func longVarint() -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<9 {
      let byte = offset < limit ? UInt64(page.load(fromByteOffset: offset, as: UInt8.self)) : 0
      offset += 1
      if index == 8 { return number << 8 | byte }
      number = number << 7 | byte & 0x7F
      if byte < 0x80 { break }
    }
    return number
  }

  /// The offset `count` bytes ahead; nil if that is past the end.
  func end(after count: Int) -> Int? { offset <= limit && count <= limit - offset ? offset + count : nil }
}
