import Foundation
import StrataQuakes

/// `20130603104822`: a date and a time of day without separators.
enum CompactTime {
  /// In UTC; nil for anything else.
  static func date(_ text: String) -> Date? {
    let digits = Array(text.utf8)
    guard digits.count == 14, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
    return ISO8601.date(
      "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))")
  }

  /// The same with three more digits, for milliseconds.
  static func text(_ date: Date) -> String { ISO8601.text(date, hasMilliseconds: true).filter(\.isNumber) }
}

/// Times whose zone is that of their source.
enum LocalTime {
  /// The time, with a zone added if it is without one. The date has two hyphens, and a zone a third one or a plus.
  static func text(_ time: String, zone: String) -> String {
    let clock = time.dropFirst(10)
    let hasZone = clock.contains { $0 == "+" || $0 == "-" } || clock.uppercased().hasSuffix("Z")
    return hasZone || clock.isEmpty ? time : time + zone
  }
}
