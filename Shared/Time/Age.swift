import Foundation

/// Formats and parses relative times.
public enum Age {
  /// `just now`, `12 min ago`, `3 h ago`, `2 d ago`; the date itself, `2014-04-15`, if it is more than 60 days ago or
  /// more than five minutes in the future.
  public static func text(of date: Date, at now: Date, style: DisplayStyle = DisplayStyle()) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case -300..<60: return "just now"
    case 60..<3600: return "\(Int(seconds / 60)) min ago"
    case 3600..<86_400: return "\(Int(seconds / 3600)) h ago"
    case 86_400..<60 * 86_400: return "\(Int(seconds / 86_400)) d ago"
    default: return style.day(date)
    }
  }

  /// Parses a past time as users type it: `30m`, `24h`, `7d`, `2w`, `today`, `yesterday`, or a date or instant in
  /// ISO 8601, in local time unless it has a zone.
  ///
  /// nil for anything else.
  public static func date(_ text: String, before now: Date) -> Date? {
    if let (date, hasZone) = ISO8601.dateAndZone(text) { return hasZone ? date : local(CalendarDate(date)) }
    switch text.lowercased() {
    case "today": return startOfToday(now)
    case "yesterday": return startOfDay(now, daysBefore: 1)
    default: break
    }
    let units: [Character: Double] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()), number >= 0,
      number.isFinite, number * unit < 1e11
    else { return nil }
    return now.addingTimeInterval(-number * unit)
  }

  /// Parses a length of time as users type it: `15m`, `2h`. Seconds; nil for anything else.
  public static func length(_ text: String) -> TimeInterval? {
    let now = Date()
    // Instants and days are not lengths of time.
    guard text.first?.isLetter != true, ISO8601.date(text) == nil else { return nil }
    return date(text, before: now).map { now.timeIntervalSince($0) }
  }

  /// The instant of a local date and time.
  private static func local(_ date: CalendarDate) -> Date {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(date.year - 1900), Int32(date.month - 1), Int32(date.day))
    (parts.tm_sec, parts.tm_isdst) = (Int32(date.secondOfDay), -1)
    let seconds = mktime(&parts)
    return Date(timeIntervalSince1970: TimeInterval(seconds) + Double(date.millisecond) / 1000)
  }

  /// Midnight at the start of the day of `now`, local time.
  public static func startOfToday(_ now: Date) -> Date { startOfDay(now, daysBefore: 0) }

  private static func startOfDay(_ now: Date, daysBefore: Int32) -> Date {
    var seconds = time_t(CalendarDate(now).instant.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    localtime_r(&seconds, &parts)
    (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (0, 0, 0, -1)
    // mktime(3) knows the day before the first of a month.
    parts.tm_mday -= daysBefore
    return Date(timeIntervalSince1970: TimeInterval(mktime(&parts)))
  }

  /// Seconds from `now` to the next full minute, when relative times may change.
  public static func secondsToNextMinute(_ now: Date) -> TimeInterval {
    60 - now.timeIntervalSince1970.truncatingRemainder(dividingBy: 60)
  }
}
