import Foundation
import StrataFormats
import Testing

/// Raw DEFLATE data as zlib writes it.
@Suite struct InflateTests {
  private func unpack(_ base64: String) -> [UInt8]? {
    Data(base64Encoded: base64).flatMap { Inflate.unpack(Array($0)) }
  }

  @Test func `fixed Huffman codes are unpacked`() {
    #expect(unpack("KyxNzE4tVihEoRLzUhSKUtMz8/OKAQ==") == Array("quakes quakes quakes and regions".utf8))
  }

  @Test func `dynamic Huffman codes are unpacked`() {
    let sentence = Array("A predicate's tree has a place for every kind of expression. ".utf8)
    let packed = """
      c1QoKEpNyUxOLElVL1YoKUpNVchILFZIVCjISUxOVUjLL1JILUstqlTIzsxLUchPU0itAGooLs7Mz9NTcBzVPKp5VPOo5oHVzMDIxMzCysbOwcnF\
      zcPLxy8gKCQsIiomLiEpJS0jKyevoKikrKKqpq6hqaWto6unb2BoZGxiamZuYWllbWNrZ+/g6OTs4urm7uHp5e3j6+cfEBgUHBIaFh4RGRUdExsX\
      n5CYlJySmpaekZmVnZObl19QWFRcUlpWXlFZVV1TW1ff0NjU3NLa1t7R2dXd09vXP2HipMlTpk6bPmPmrNlz5s6bv2DhosVLli5bvmLlqtVr1q5b\
      v2Hjps1btm7bvmPnrt179u7bf+DgocNHjh47fuLkqdNnzp47f+HipctXrl67fuPmrdt37t67/+Dho8dPnj57/uLlq9dv3r57/+Hjp89fvn77/uPn\
      r99//v77DwA=
      """
    #expect(unpack(packed) == (0..<20).flatMap { _ in sentence } + Array(0...255))
  }

  @Test func `stored blocks are unpacked`() {
    for count in [0, 1, 65_535, 65_536, 200_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      #expect(Inflate.unpack(Inflate.store(bytes)) == bytes)
    }
  }

  @Test func `unpacking invalid data returns nil`() {
    #expect(Inflate.unpack([]) == nil)
    #expect(Inflate.unpack([0x07]) == nil)
    #expect(Inflate.unpack([0x01, 0x05, 0x00, 0xFA, 0xFF, 1, 2]) == nil)
    #expect(unpack("KyxNzE4tVihE") == nil)
  }
}
