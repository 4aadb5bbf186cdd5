import Foundation

/// A date and time of day in the Gregorian calendar, in UTC or without a time zone.
///
/// The algorithms are Howard Hinnant's (https://howardhinnant.github.io/date_algorithms.html). Foundation's formatters
/// load locale data first, which takes milliseconds that a line in a status bar does not have.
public struct CalendarDate: Equatable, Sendable {
  public var year = 1970
  /// 1 to 12.
  public var month = 1
  /// 1 to 31.
  public var day = 1
  /// Seconds since midnight, below 86,400, without leap seconds.
  public var secondOfDay = 0
  /// 0 to 999.
  public var millisecond = 0

  public init(year: Int, month: Int, day: Int, secondOfDay: Int = 0, millisecond: Int = 0) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.secondOfDay, self.millisecond) = (secondOfDay, millisecond)
  }

  /// The limit of dates in either direction from 1970, in milliseconds: 100 million days, as in ECMAScript.
  private static let farthest = 8.64e15

  /// Milliseconds since 1970, as in GeoJSON of the USGS; 0 for NaN. Clamped to the years -271821 to 275760, because a store
  /// may contain any number as a date.
  public static func milliseconds(of date: Date) -> Int {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    return milliseconds.isNaN ? 0 : Int(max(-farthest, min(milliseconds, farthest)))
  }

  /// The UTC date and time of an instant, rounded to milliseconds and clamped like these.
  public init(_ date: Date) {
    let (days, rest) = Self.floorDivide(Self.milliseconds(of: date), by: 86_400_000)
    // Years begin in March here, so that the leap day comes last.
    let (era, dayOfEra) = Self.floorDivide(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    secondOfDay = rest / 1000
    millisecond = rest % 1000
  }

  /// The instant of this date and time in UTC.
  public var instant: Date {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = Self.floorDivide(shiftedYear, by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Date(timeIntervalSince1970: Double(days * 86_400 + secondOfDay) + Double(millisecond) / 1000)
  }

  /// Whether the date exists; false for 31 April, for example.
  public var exists: Bool { 1...9999 ~= year && CalendarDate(instant) == self }

  private static func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension CalendarDate {
  /// `2026-11-21`.
  public var dayText: String {
    "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
  }

  /// `07:40:46`.
  public var clockText: String {
    let (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    return "\(Self.padded(hour, to: 2)):\(Self.padded(minute, to: 2)):\(Self.padded(second, to: 2))"
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  fileprivate var millisecondText: String { millisecond == 0 ? "" : ".\(Self.padded(millisecond, to: 3))" }
}

/// Formats and parses instants in the RFC 3339 profile of ISO 8601.
public enum ISO8601 {
  /// `2026-11-21T07:40:46Z`, with milliseconds unless they are 0.
  ///
  /// - Parameter hasMilliseconds: also then.
  public static func text(_ date: Date, hasMilliseconds: Bool = false) -> String {
    let parts = CalendarDate(date)
    let fraction = hasMilliseconds && parts.millisecond == 0 ? ".000" : parts.millisecondText
    return "\(parts.dayText)T\(parts.clockText)\(fraction)Z"
  }

  /// Parses `2026-11-21`, optionally followed by `T` or a space, a time `07:40[:46[.123]]`, and a zone `Z` or `+01:00`;
  /// UTC by default. nil for anything else and for dates that do not exist.
  public static func date(_ text: some StringProtocol) -> Date? { dateAndZone(text)?.date }

  /// Parses the same, and returns whether the text has a zone.
  static func dateAndZone(_ text: some StringProtocol) -> (date: Date, hasZone: Bool)? {
    var reader = DigitParser(text)
    guard let year = reader.number(digits: 4), reader.pass("-"), let month = reader.number(digits: 2),
      reader.pass("-"), let day = reader.number(digits: 2)
    else { return nil }
    let midnight = CalendarDate(year: year, month: month, day: day)
    guard 1...12 ~= month, 1...31 ~= day, midnight.exists else { return nil }
    if reader.isAtEnd { return (midnight.instant, false) }
    guard reader.pass("T") || reader.pass("t") || reader.pass(" "), let seconds = reader.timeOfDay() else { return nil }
    let hasZone = !reader.isAtEnd
    guard let offset = reader.zone(), reader.isAtEnd else { return nil }
    return (midnight.instant.addingTimeInterval(seconds - offset), hasZone)
  }
}

/// Parses fixed numbers of digits and the separators between them.
private struct DigitParser {
  private var rest: Substring.UTF8View

  init(_ text: some StringProtocol) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func pass(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(digits: Int) -> Int? {
    guard rest.count >= digits else { return nil }
    var value = 0
    for _ in 0..<digits {
      guard let byte = rest.first, 0x30...0x39 ~= byte else { return nil }
      value = value * 10 + Int(byte - 0x30)
      rest.removeFirst()
    }
    return value
  }

  /// Seconds since midnight.
  mutating func timeOfDay() -> Double? {
    guard let hour = number(digits: 2), hour < 24, pass(":"), let minute = number(digits: 2), minute < 60 else {
      return nil
    }
    var seconds = Double(hour * 3600 + minute * 60)
    guard pass(":") else { return seconds }
    // A leap second is written :60; it counts as the first second of the next minute.
    guard let second = number(digits: 2), second <= 60 else { return nil }
    seconds += Double(second)
    guard pass(".") else { return seconds }
    var unit = 0.1
    guard let first = number(digits: 1) else { return nil }
    seconds += Double(first) * unit
    while let digit = number(digits: 1) {
      unit /= 10
      seconds += Double(digit) * unit
    }
    return seconds
  }

  /// Seconds east of UTC.
  mutating func zone() -> Double? {
    if isAtEnd || pass("Z") || pass("z") { return 0 }
    let sign = pass("-") ? -1.0 : pass("+") ? 1.0 : 0
    guard sign != 0, let hour = number(digits: 2), hour < 24 else { return nil }
    _ = pass(":")
    guard let minute = number(digits: 2), minute < 60 else { return nil }
    return sign * Double(hour * 3600 + minute * 60)
  }
}
