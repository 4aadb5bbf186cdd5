import StrataFormats
import Testing

@testable import StrataQuakesMap

/// Compressed data is checked with an independent decompressor.
struct DeflateTests {
  @Test func `packed data unpacks unchanged`() {
    var random = SystemRandomNumberGenerator()
    let flat = [UInt8](repeating: 7, count: 5000)
    var samples: [[UInt8]] = [[], [0], [1, 2, 3], [255, 144, 143, 0], flat, Array(0...255) + Array(0...255)]
    samples.append((0..<2000).map { _ in .random(in: 0...255, using: &random) })
    for _ in 0..<40 {
      // Repeats of all lengths, at all distances.
      var bytes: [UInt8] = []
      for _ in 0..<30 {
        let start = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
        bytes += bytes[start...].prefix(.random(in: 0...700, using: &random))
        bytes += (0..<Int.random(in: 1...20, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      }
      samples.append(bytes)
    }
    for sample in samples {
      let packed = Deflate.pack(sample)
      #expect(Inflate.unpack(packed) == sample, "\(sample.count) bytes")
    }
    #expect(Deflate.pack(flat).count < 100)
  }

  @Test func `repeats are found up to the format's maximum distance`() {
    let phrase = (0..<200 as Range<UInt8>).map { $0 ^ 0x5A }
    for gap in [32_768 - 200, 32_768, 40_000] {
      let bytes = phrase + [UInt8](repeating: 0, count: gap) + phrase
      #expect(Inflate.unpack(Deflate.pack(bytes)) == bytes, "\(gap)")
    }
  }
}
