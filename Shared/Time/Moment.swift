import Foundation

/// The present, and the time zone in which a user reads and types times.
public struct Moment: Equatable, Sendable {
  public var now: Date
  public var zone: DisplayZone

  public init(_ now: Date = Date(), in zone: DisplayZone) {
    (self.now, self.zone) = (now, zone)
  }

  /// The forms of times that `date(_:)` parses, for help texts and errors.
  public static let examples = "30m, 24h, 7d, 3mo, today, 2026-11-20, \"Nov 20 2026\" or 2026-11-20T12:00"

  /// Parses a time as users type it, in the zone of the moment unless the text has one.
  ///
  /// The forms are a length of time before the present (`30m`, `90 min`, `1 hour ago`, `2w`, `3mo`), `now`, `today` or
  /// `yesterday`, a day (`2026-11-20`, `2026/11/20`, `Nov 20 2026`, `20 Nov 2026`), each optionally followed by a time of day, an
  /// instant in ISO 8601, and the number of seconds or milliseconds since 1970.
  ///
  /// - Returns: nil for anything else and for days that do not exist.
  public func date(_ text: String) -> Date? {
    let text = text.trimmingCharacters(in: .whitespaces).lowercased()
    switch text {
    case "now": return now
    case "today": return zone.startOfDay(now)
    case "yesterday": return zone.startOfDay(zone.startOfDay(now).addingTimeInterval(-1))
    default: break
    }
    if let length = TimeLength(text) { return length.before(self) }
    if let date = sinceEpoch(text) { return date }
    guard let (date, hasZone) = Self.dayForms(of: text).lazy.compactMap(ISO8601.dateAndZone).first else { return nil }
    return hasZone ? date : zone.instant(CalendarDate(date))
  }

  /// Parses 9 or 10 digits as seconds since 1970, and 13 as milliseconds. A number of the future is probably a date without
  /// separators.
  private func sinceEpoch(_ text: String) -> Date? {
    guard [9, 10, 13].contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Double(text)
    else { return nil }
    let date = Date(timeIntervalSince1970: text.utf8.count == 13 ? number / 1000 : number)
    return date <= now.addingTimeInterval(86_400) ? date : nil
  }

  /// The strings to try as ISO 8601: the text with its slashes replaced, or the text itself and, if it names a month, its
  /// form in ISO 8601.
  private static func dayForms(of text: String) -> [String] {
    if text.utf8.dropFirst(4).first == UInt8(ascii: "/") {
      return [text.prefix(10).replacingOccurrences(of: "/", with: "-") + text.dropFirst(10)]
    }
    return [text] + (named(text).map { [$0] } ?? [])
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  private static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// Returns `2026-11-20T12:00` for `nov 20, 2026 12:00`.
  private static func named(_ text: String) -> String? {
    var (year, month, day, time) = (nil as String?, nil as Int?, nil as String?, "")
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init) {
      if month == nil, let index = months.firstIndex(of: word) ?? monthNames.firstIndex(of: word) {
        month = index + 1
      } else if word.contains(":"), time.isEmpty {
        time = "T" + word
      } else if ["utc", "z"].contains(word), !time.isEmpty {
        time += "Z"
      } else if word.utf8.count == 4, Int(word) != nil, year == nil {
        year = word
      } else if 1...2 ~= word.utf8.count, Int(word) != nil, day == nil {
        day = word
      } else {
        return nil
      }
    }
    guard let year, let month, let day else { return nil }
    func padded(_ text: String) -> String { text.utf8.count == 1 ? "0" + text : text }
    return "\(year)-\(padded(String(month)))-\(padded(day))\(time)"
  }
}

/// A length of time as users type it: `90min`, `1 hour ago`, `3mo`.
struct TimeLength: Equatable {
  private enum Unit: Equatable {
    case seconds(Double)
    case months(Double)
  }

  private var number: Double
  private var unit: Unit

  /// - Parameter text: in lower case.
  init?(_ text: String) {
    let end = text.firstIndex { $0.isLetter } ?? text.endIndex
    var name = text[end...]
    if name.hasSuffix(" ago") { name = name.dropLast(4) }
    guard let number = Double(text[..<end].trimmingCharacters(in: .whitespaces)), number >= 0,
      let unit = Self.unit(name.trimmingCharacters(in: .whitespaces))
    else { return nil }
    (self.number, self.unit) = (number, unit)
    guard seconds < 1e11 else { return nil }
  }

  private static func unit(_ name: String) -> Unit? {
    switch name {
    case "s", "sec", "secs", "second", "seconds": .seconds(1)
    case "m", "min", "mins", "minute", "minutes": .seconds(60)
    case "h", "hr", "hrs", "hour", "hours": .seconds(3600)
    case "d", "day", "days": .seconds(86_400)
    case "w", "wk", "week", "weeks": .seconds(604_800)
    case "mo", "month", "months": .months(1)
    case "y", "yr", "year", "years": .months(12)
    default: nil
    }
  }

  /// The length in seconds, a month being a twelfth of a year of the Gregorian calendar.
  var seconds: TimeInterval {
    switch unit {
    case .seconds(let length): number * length
    case .months(let count): number * count * (365.2425 * 86_400 / 12)
    }
  }

  /// Returns the time this length before a moment. Subtracts whole months by the calendar, down to the last day of a shorter
  /// month; a fraction of a month has the average length.
  func before(_ moment: Moment) -> Date {
    guard case .months(let count) = unit, let months = Int(exactly: number * count) else {
      return moment.now.addingTimeInterval(-seconds)
    }
    var date = moment.zone.calendarDate(moment.now)
    let index = date.year * 12 + date.month - 1 - months
    (date.year, date.month) = (index / 12, index % 12 + 1)
    while date.day > 28, !date.exists { date.day -= 1 }
    return date.exists ? moment.zone.instant(date) : moment.now.addingTimeInterval(-seconds)
  }
}
