/// SHA-1 (RFC 3174), by which a server shows that it understood the handshake of a WebSocket. It protects nothing.
enum SHA1 {
  /// - Returns: 20 bytes.
  static func digest(of message: some Sequence<UInt8>) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let bytes = padded(message)
    for start in stride(from: 0, to: bytes.count, by: 64) { mix(bytes[start..<start + 64], into: &state) }
    return state.flatMap(\.bigEndianBytes)
  }

  /// To whole blocks: a bit that is set, zeros, and the length in bits.
  private static func padded(_ message: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(message)
    let length = UInt64(bytes.count) * 8
    bytes.append(0x80)
    while bytes.count % 64 != 56 { bytes.append(0) }
    return bytes + length.bigEndianBytes
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map {
      UInt32(bigEndianBytes: block[$0..<$0 + 4])
    }
    for index in 16..<80 {
      words.append((words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]).rotated(by: 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (function, constant): (UInt32, UInt32) =
        switch index / 20 {
        case 0: ((b & c) | (~b & d), 0x5A82_7999)
        case 1: (b ^ c ^ d, 0x6ED9_EBA1)
        case 2: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      (a, b, c, d, e) = (a.rotated(by: 5) &+ function &+ e &+ constant &+ word, a, b.rotated(by: 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }
}

extension UInt32 {
  fileprivate func rotated(by count: UInt32) -> UInt32 { self << count | self >> (32 - count) }
}

extension FixedWidthInteger {
  /// The bytes of the number, the most significant first.
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

  /// - Parameter bytes: no more than the number has.
  init(bigEndianBytes bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Self($1) }
  }
}
