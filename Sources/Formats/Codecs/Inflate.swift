/// Decompresses raw DEFLATE (RFC 1951), the compression of a store's `Z_MODELCACHE`.
///
/// Foundation on Linux has no decompressor, and zlib would have to be installed on every build machine, for a few
/// kilobytes.
package struct Inflate {
  private let bytes: [UInt8]
  private var position = 0
  private var bitBuffer: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Returns: nil if the bytes are not valid DEFLATE.
  package static func unpack(_ bytes: [UInt8]) -> [UInt8]? {
    var inflate = Inflate(bytes)
    while true {
      guard let isLast = inflate.bits(1), let kind = inflate.bits(2), inflate.block(kind) else { return nil }
      if isLast == 1 { return inflate.output }
    }
  }

  private mutating func bits(_ count: Int) -> Int? {
    while bitCount < count {
      guard position < bytes.count else { return nil }
      bitBuffer |= UInt32(bytes[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    defer {
      bitBuffer >>= UInt32(count)
      bitCount -= count
    }
    return Int(bitBuffer & (1 << UInt32(count) - 1))
  }

  private mutating func block(_ kind: Int) -> Bool {
    switch kind {
    case 0: return stored()
    case 1: return compressed(lengths: .fixedLengths, distances: .fixedDistances)
    case 2: return dynamicTables().map { compressed(lengths: $0.lengths, distances: $0.distances) } ?? false
    default: return false
    }
  }

  private mutating func stored() -> Bool {
    (bitBuffer, bitCount) = (0, 0)
    guard position + 4 <= bytes.count else { return false }
    let count = Int(bytes[position]) | Int(bytes[position + 1]) << 8
    position += 4
    guard position + count <= bytes.count else { return false }
    output += bytes[position..<position + count]
    position += count
    return true
  }

  private mutating func symbol(_ table: HuffmanTable) -> Int? {
    var (code, first, index) = (0, 0, 0)
    for count in table.counts.dropFirst() {
      guard let bit = bits(1) else { return nil }
      code |= bit
      if code - first < count { return table.symbols[index + code - first] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }

  private mutating func compressed(lengths: HuffmanTable, distances: HuffmanTable) -> Bool {
    while true {
      guard let symbol = symbol(lengths) else { return false }
      switch symbol {
      case 0..<256: output.append(UInt8(symbol))
      case 256: return true
      default: guard copy(symbol - 257, distances: distances) else { return false }
      }
    }
  }

  /// Copies bytes from earlier output.
  private mutating func copy(_ lengthSymbol: Int, distances: HuffmanTable) -> Bool {
    guard lengthSymbol < Self.lengthBases.count, let extra = bits(Self.lengthBits[lengthSymbol]),
      let symbol = symbol(distances), symbol < Self.distanceBases.count,
      let more = bits(Self.distanceBits[symbol])
    else { return false }
    let distance = Self.distanceBases[symbol] + more
    guard distance <= output.count else { return false }
    for _ in 0..<Self.lengthBases[lengthSymbol] + extra { output.append(output[output.count - distance]) }
    return true
  }

  private mutating func dynamicTables() -> (lengths: HuffmanTable, distances: HuffmanTable)? {
    guard let lengthCount = bits(5).map({ $0 + 257 }), let distanceCount = bits(5).map({ $0 + 1 }),
      let codeCount = bits(4).map({ $0 + 4 })
    else { return nil }
    var codeSizes = [Int](repeating: 0, count: 19)
    for index in Self.codeOrder.prefix(codeCount) {
      guard let size = bits(3) else { return nil }
      codeSizes[index] = size
    }
    let codes = HuffmanTable(codeSizes)
    var sizes: [Int] = []
    while sizes.count < lengthCount + distanceCount {
      guard let symbol = symbol(codes), let run = run(symbol, after: sizes.last) else { return nil }
      sizes += run
    }
    guard sizes.count == lengthCount + distanceCount else { return nil }
    return (HuffmanTable(Array(sizes[..<lengthCount])), HuffmanTable(Array(sizes[lengthCount...])))
  }

  private mutating func run(_ symbol: Int, after last: Int?) -> [Int]? {
    switch symbol {
    case 16: last.flatMap { last in bits(2).map { [Int](repeating: last, count: $0 + 3) } }
    case 17: bits(3).map { [Int](repeating: 0, count: $0 + 3) }
    case 18: bits(7).map { [Int](repeating: 0, count: $0 + 11) }
    default: [symbol]
    }
  }

  private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073, 4_097,
    6_145, 8_193, 12_289, 16_385, 24_577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]
}

/// A canonical Huffman code: the number of codes of each length, and the symbols in code order.
private struct HuffmanTable {
  package var counts = [Int](repeating: 0, count: 16)
  package var symbols: [Int] = []

  /// - Parameter sizes: each symbol's code length; 0 for symbols that do not occur.
  package init(_ sizes: [Int]) {
    for size in sizes where size > 0 { counts[size] += 1 }
    for length in 1..<16 { symbols += sizes.indices.filter { sizes[$0] == length } }
  }

  package static let fixedLengths = HuffmanTable(
    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
      + [Int](repeating: 8, count: 8))
  package static let fixedDistances = HuffmanTable([Int](repeating: 5, count: 30))
}

extension Inflate {
  /// Encodes bytes as DEFLATE without compressing them: stored blocks of at most 65,535 bytes.
  package static func store(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    var start = 0
    repeat {
      let count = min(bytes.count - start, 65_535)
      let isLast: UInt8 = start + count == bytes.count ? 1 : 0
      let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
      packed += [isLast, low, high, ~low, ~high] + bytes[start..<start + count]
      start += count
    } while start < bytes.count
    return packed
  }
}
