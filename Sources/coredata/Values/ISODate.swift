import Foundation

/// Dates as ISO 8601 with as many digits as distinguish them from their neighbors, so that dates round-trip.
///
/// Foundation's `Date.ISO8601FormatStyle` writes no more than three digits of a second, and reads no time without
/// seconds.
enum ISODate {
  /// The text of a date in the years 1 to 9999; nil for others, for which ISO 8601 needs an agreement.
  static func text(_ date: Date) -> String? {
    guard let (seconds, fraction) = parts(of: date.timeIntervalSinceReferenceDate) else { return nil }
    let (day, rest) = (seconds.floored(by: 86_400), seconds - seconds.floored(by: 86_400) * 86_400)
    let civil = CivilDay(day: day + daysToReference)
    guard (1...9999).contains(civil.year) else { return nil }
    let parts = [(civil.month, 2), (civil.day, 2), (rest / 3600, 2), (rest / 60 % 60, 2), (rest % 60, 2)].map(padded)
    let year = padded(civil.year, to: 4)
    return "\(year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])"
      + (fraction.isEmpty ? "" : ".\(fraction)") + "Z"
  }

  /// The whole seconds of a time, rounded down, and the digits of the rest; nil for a time far beyond any calendar.
  private static func parts(of time: Double) -> (seconds: Int, fraction: Substring)? {
    guard abs(time) < 1e12 else { return nil }
    if time == time.rounded() { return (Int(time), "") }
    guard let exact = Decimal(string: time.description) else { return nil }
    let whole = time.rounded(.down)
    return (Int(whole), (exact - Decimal(Int(whole))).description.dropFirst(2))
  }

  /// The date of a text such as 2026-01-31, 2026-01-31T12:00Z or 2026-01-31T12:00:00.125+01:00; without a zone, in UTC.
  /// A blank may stand for the T. nil for anything else.
  static func date(_ text: String) -> Date? {
    var scanner = Digits(text.utf8[...])
    guard let year = scanner.number(4), year > 0, scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
      let day = scanner.number(2)
    else { return nil }
    let civil = CivilDay(year: year, month: month, day: day)
    guard civil.isReal, let (time, fraction) = scanner.timeOfDay() else { return nil }
    let seconds = (civil.dayNumber - daysToReference) * 86_400 + time
    if fraction.isEmpty { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
    // The digits are put together before they become binary, so that the nearest number is the one that was written.
    guard let part = Decimal(string: "0.\(fraction)") else { return nil }
    return Double((Decimal(seconds) + part).description).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// From 1970-01-01 to 2001-01-01.
  private static let daysToReference = 11_323

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Reads a date's digits from the front.
private struct Digits {
  private var rest: Substring.UTF8View

  init(_ text: Substring.UTF8View) { rest = text }

  mutating func take(_ characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The seconds since midnight in UTC and the digits of a fraction, up to the end of the text.
  mutating func timeOfDay() -> (seconds: Int, fraction: String)? {
    if rest.isEmpty { return (0, "") }
    guard take("Tt "), let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else {
      return nil
    }
    var (second, fraction) = (0, "")
    if take(":") {
      guard let found = number(2), found < 60 else { return nil }
      second = found
      if take(".,") {
        while fraction.count < 20, let digit = number(1) { fraction += "\(digit)" }
        if fraction.isEmpty { return nil }
      }
    }
    guard let offset = zone(), rest.isEmpty else { return nil }
    return (hour * 3600 + minute * 60 + second - offset, fraction)
  }

  /// The seconds that the zone is ahead of UTC.
  private mutating func zone() -> Int? {
    if rest.isEmpty || take("Zz") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard take("+-"), let hours = number(2) else { return nil }
    _ = take(":")
    let seconds = hours * 3600 + (rest.isEmpty ? 0 : number(2) ?? -1) * 60
    return hours < 24 && seconds >= hours * 3600 ? (isWest ? -seconds : seconds) : nil
  }
}

/// A day of the Gregorian calendar, which is also used for the centuries before it.
private struct CivilDay {
  var year: Int
  var month: Int
  var day: Int

  init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

  /// - Parameter number: the days since 1970-01-01. Years are counted from March, so that a leap day is the last.
  init(day number: Int) {
    let shifted = number + 719_468
    let era = shifted.floored(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The days since 1970-01-01.
  var dayNumber: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.floored(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Whether the calendar has such a day.
  var isReal: Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    let same = CivilDay(day: dayNumber)
    return (same.year, same.month, same.day) == (year, month, day)
  }
}

extension Int {
  /// The quotient, rounded down.
  fileprivate func floored(by divisor: Int) -> Int { self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor) }
}
