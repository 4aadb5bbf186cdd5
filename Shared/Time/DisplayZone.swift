import Foundation

/// The time zone in which people read times.
public enum DisplayZone: Equatable, Sendable {
  /// The system's, or that of `TZ`.
  case local
  case universal
  case named(ZoneFile)

  /// - Parameter name: `local`, `utc`, or a name of the IANA database such as `Asia/Tokyo`.
  /// - Returns: nil if there is no such zone.
  public init?(name: String) {
    switch name.lowercased() {
    case "local": self = .local
    case "utc", "z": self = .universal
    default:
      guard let zone = ZoneFile(name: name) else { return nil }
      self = .named(zone)
    }
  }

  /// The zone's abbreviation at a time: `CET`, `UTC`, `+0545`.
  public func name(at date: Date) -> String {
    switch self {
    case .local: Self.local(at: date).name
    case .universal: "UTC"
    case .named(let zone): zone.period(at: Self.seconds(date)).name
    }
  }

  /// Seconds east of UTC.
  public func offset(at date: Date) -> TimeInterval {
    switch self {
    case .local: Self.local(at: date).offset
    case .universal: 0
    case .named(let zone): TimeInterval(zone.period(at: Self.seconds(date)).offset)
    }
  }

  /// The date and time of day that the zone's clocks show.
  public func calendarDate(_ date: Date) -> CalendarDate { CalendarDate(date.addingTimeInterval(offset(at: date))) }

  /// The instant at which the zone's clocks show a date and time of day: the first of two when they are set back, and if
  /// they skip it, the one that it would be without the change.
  public func instant(_ date: CalendarDate) -> Date {
    let clock = date.instant
    let former = offset(at: clock.addingTimeInterval(-86_400))
    let offsets = [former, offset(at: clock.addingTimeInterval(86_400))]
    let valid = offsets.first { offset(at: clock.addingTimeInterval(-$0)) == $0 }
    return clock.addingTimeInterval(-(valid ?? former))
  }

  /// The start of the day of `now`.
  public func startOfDay(_ now: Date) -> Date {
    let today = calendarDate(now)
    return instant(CalendarDate(year: today.year, month: today.month, day: today.day))
  }

  /// By the C library: Foundation reads megabytes of tables first.
  private static func local(at date: Date) -> (offset: TimeInterval, name: String) {
    var seconds = time_t(self.seconds(date))
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return (0, "UTC") }
    return (TimeInterval(parts.tm_gmtoff), parts.tm_zone.map { String(cString: $0) } ?? "UTC")
  }

  /// Since 1970, of a date that a calendar has: a store may have any number as a date.
  private static func seconds(_ date: Date) -> Int {
    Int(CalendarDate(date).instant.timeIntervalSince1970.rounded(.down))
  }
}
