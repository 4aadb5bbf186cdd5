import Foundation
import StrataPredicates
import StrataTestSupport

/// The values for rows and constants: few, so that they coincide, and including edge cases.
enum Pool {
  static let texts = [
    "", "a", "A", "ab", "aB", "AB", "b", "é", "e\u{301}", "É", "E", "e", "ß", "ss", "SS", "i", "I", "İ", "ı", "🌋",
    "🌋a", "a*b", "a?b", "a\\b", "%", "_", "10", "9", "naïve", "NAI\u{308}VE", "naive", "東京", "\u{1E9E}", "Σας", "σΑΣ",
    "ﬁ", "\u{301}", "a b", " a", "a\0b",
  ]
  static let patterns = [
    "*", "?", "a*", "*b", "?b", "*[a]*", "é*", "*\u{301}", "\\*", "a\\?b", "??", "*e*", "🌋?", "i*",
  ]
  static let expressions = [".*", "a.*", "[a-c]+", "(?i)É", "a|b", "\\d+", ".", "..", "s+", "é", "^a$", "i"]
  /// Whether a text may be the operand of LIKE or MATCHES, where other texts may be invalid.
  static func isPattern(_ text: String) -> Bool { patterns.contains(text) || expressions.contains(text) }

  static let links = ["https://a.example/x", "https://A.example/x", "mailto:a", "a", "ab"]
  static let wholes: [Int64] = [
    0, 1, -1, 2, 3, 5, -3, 7, 100, 32_767, -32_768, 2_147_483_647, -2_147_483_648, 1 << 53, (1 << 53) + 1,
    -(1 << 53) - 1, .max, .min, .max - 1,
  ]
  static let reals: [Double] = [
    0, -0.0, 1, -1, 2, 0.5, -1.5, 2.25, 0.1, 0.3, 0.1 + 0.2, 3, 100, 1e300, -1e300, 0x1p53, 0x1p63, -0x1p63, 1e-300,
    .infinity, -.infinity,
  ]
  static let singles: [Float] = [0, -0.0, 1, -1.5, 0.1, 2.25, 16_777_216, 3, 100]
  static let decimals = ["0", "0.1", "0.3", "-3", "10.25", "123456789.123", "5", "2", "1"].compactMap {
    Decimal(string: $0)
  }
  static let seconds: [Double] = [0, 1, -1, 0.5, 86_400, 700_000_000.25, -63_114_076_800]
  static let bytes: [[UInt8]] = [[], [0], [0, 1], [1], [255], [97], [97, 98]]
  static let tokens = (0..<4).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0, $0 * 80)) }
}

extension SeededRandom {
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }

  /// Returns true once in `times` on average.
  mutating func once(in times: Int) -> Bool { next() % UInt64(times) == 0 }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
}
