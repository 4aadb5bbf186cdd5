import Foundation
import StrataQuakes

/// A field's value as a document writes it.
enum FieldValue: Equatable, Sendable {
  case null
  case number(Double)
  case text(String)
  /// true, false, a list or an object: no field has such a value.
  case other
}

/// Why a value was not taken.
enum FieldRefusal: Error {
  case wrongType
  case tooLong
  /// With the value and its bounds, as people write them.
  case outOfRange(value: String, bounds: String)

  func reason(of field: EventField) -> FeedProblem.Reason {
    switch self {
    case .wrongType: .wrongType(field.name)
    case .tooLong: .tooLong(field.name)
    case .outOfRange(let value, let bounds): .outOfRange(field.name, value: value, bounds: bounds)
    }
  }
}

// MARK: - Reading a value as what its field needs; nil for null

extension FieldValue {
  /// Bytes. Far longer than any place, address or list of a service.
  static let maximumTextLength = 4096

  func text() throws(FieldRefusal) -> String? {
    switch self {
    case .null: return nil
    case .text(let text):
      guard text.utf8.count <= Self.maximumTextLength else { throw .tooLong }
      return text
    case .number, .other: throw .wrongType
    }
  }

  /// A number, also one that is written as text.
  func number() throws(FieldRefusal) -> Double? {
    switch self {
    case .null: return nil
    case .number(let number): return number
    case .text(let text):
      guard let number = Double(decimal: text) else { throw .wrongType }
      return number
    case .other: throw .wrongType
    }
  }

  func number(within bounds: ClosedRange<Double>?) throws(FieldRefusal) -> Double? {
    guard let number = try number() else { return nil }
    if let bounds, !(bounds ~= number) {
      throw .outOfRange(
        value: number.shortText, bounds: "\(bounds.lowerBound.shortText) to \(bounds.upperBound.shortText)")
    }
    return number
  }

  /// An integer, which some servers write as `12.0`.
  func integer() throws(FieldRefusal) -> Int32? {
    guard let number = try number() else { return nil }
    guard number == number.rounded() else { throw .wrongType }
    guard let whole = Int32(exactly: number) else {
      throw .outOfRange(value: number.shortText, bounds: "\(Int32.min) to \(Int32.max)")
    }
    return whole
  }

  /// Catalogs begin later.
  private static let earliest = CalendarDate(year: 1600, month: 1, day: 1).instant

  /// The time of something that happened, from 1600 to the latest.
  func date(until latest: Date) throws(FieldRefusal) -> Date? {
    try date(within: Self.earliest...max(Self.earliest, latest))
  }

  /// An instant: milliseconds since 1970-01-01 UTC, negative before, or ISO 8601.
  private func date(within bounds: ClosedRange<Date>) throws(FieldRefusal) -> Date? {
    let date: Date
    if case .text(let text) = self, let instant = Self.instant(text) {
      date = instant
    } else {
      guard let milliseconds = try number() else { return nil }
      date = Date(timeIntervalSince1970: milliseconds / 1000)
    }
    guard bounds ~= date else {
      throw .outOfRange(
        value: date.shortText, bounds: "\(bounds.lowerBound.shortText) to \(bounds.upperBound.shortText)")
    }
    return date
  }

  /// Seconds since 1970 from 1973 on; as milliseconds, the same numbers are in the first three years of the 1970s.
  private static let manySeconds = 1e8..<1e11
  /// Seconds from 2000 to 2036; as milliseconds, in January 1970.
  static let recentSeconds = 946_684_800.0..<2_082_758_400

  /// The value, if it is a time that may be in seconds.
  var possibleSeconds: Double? {
    if case .text(let text) = self, Self.instant(text) != nil { return nil }
    return (try? number()).flatMap { Self.manySeconds ~= $0 ? $0 : nil }
  }

  /// Rounded to microseconds, so that `.160` is the very instant that 160 milliseconds are in another format.
  static func instant(_ text: String) -> Date? {
    ISO8601.date(text).map { Date(timeIntervalSince1970: ($0.timeIntervalSince1970 * 1e6).rounded() / 1e6) }
  }
}

extension Double {
  /// The number that a text is, written in decimal digits; nil for anything else, such as `nan`, `0x10` or nothing.
  init?(decimal text: String) {
    let isDecimal = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    self = number
  }

  fileprivate var shortText: String { DecimalText.shortest(self) }
}

extension Date {
  fileprivate var shortText: String {
    // Outside of the calendar's dates, only the number can be printed.
    abs(timeIntervalSince1970) < 8.64e12 ? ISO8601.text(self) : "\(timeIntervalSince1970.shortText) s after 1970"
  }
}
