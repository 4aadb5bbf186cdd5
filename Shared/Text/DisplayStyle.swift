import Foundation

/// How people read distances and times. What programs read does not depend on it.
public struct DisplayStyle: Equatable, Sendable {
  public enum Unit: String, CaseIterable, Sendable {
    case kilometers = "km"
    case miles = "mi"
  }

  public enum Clock: Int, CaseIterable, Sendable {
    case hours12 = 12
    case hours24 = 24
  }

  public var unit = Unit.kilometers
  public var zone = DisplayZone.local
  public var clock = Clock.hours24

  public init(unit: Unit = .kilometers, zone: DisplayZone = .local, clock: Clock = .hours24) {
    (self.unit, self.zone, self.clock) = (unit, zone, clock)
  }

  static let kilometersPerMile = 1.609344
}

extension DisplayStyle {
  /// `35 km`, or `22 mi`.
  ///
  /// - Parameter hasTenths: whether to show one decimal.
  public func distance(_ kilometers: Double, hasTenths: Bool = false) -> String {
    let number = unit == .miles ? kilometers / Self.kilometersPerMile : kilometers
    return "\(hasTenths ? DecimalText.oneDigit(number) : DecimalText.whole(number)) \(unit.rawValue)"
  }

  /// `10 km`, or `?` if unknown.
  public func depth(of quake: QuakeFacts) -> String { quake.depth.map { distance($0) } ?? "?" }

  /// `2026-11-21 08:40:46 CET`.
  ///
  /// - Parameter hasMilliseconds: whether the seconds have three decimals.
  public func time(_ date: Date, hasMilliseconds: Bool = false) -> String {
    "\(day(date)) \(clockText(date, hasMilliseconds: hasMilliseconds)) \(zone.name(at: date))"
  }

  /// `2026-11-21`.
  public func day(_ date: Date) -> String { zone.calendarDate(date).dayText }

  /// The time of day: `08:40:46`, or `8:40:46 am`.
  public func clockText(_ date: Date, hasSeconds: Bool = true, hasMilliseconds: Bool = false) -> String {
    let date = zone.calendarDate(date)
    let text =
      date.clockText.prefix(hasSeconds ? 8 : 5)
      + (hasMilliseconds ? ".\(String(1000 + date.millisecond).dropFirst())" : "")
    guard clock == .hours12 else { return String(text) }
    let hour = date.secondOfDay / 3600
    return "\(hour % 12 == 0 ? 12 : hour % 12)\(text.dropFirst(2)) \(hour < 12 ? "am" : "pm")"
  }
}

/// Times for tables.
extension DisplayStyle {
  /// `2026-11-21 08:40:46 CET`, or `2026-11-21  8:40:46 am CET`: the same width in all rows.
  func tableTime(_ date: Date) -> String {
    let clockWidth = clock == .hours12 ? 11 : 8
    return "\(day(date)) \(DisplayWidth.padded(clockText(date), to: clockWidth, atEnd: false)) \(zone.name(at: date))"
  }

  /// `11-21 08:40`, or `11-21  8:40 am`, for narrow terminals; the day, `2014-04-15`, if it is more than half a year ago or
  /// in the future. The forms are those of `ls --time-style=iso`.
  func shortTime(_ date: Date, at now: Date) -> String {
    let day = day(date)
    guard -300...Self.halfYear ~= now.timeIntervalSince(date) else { return day }
    let clockText = clockText(date, hasSeconds: false)
    return "\(day.suffix(5)) \(DisplayWidth.padded(clockText, to: clock == .hours12 ? 8 : 5, atEnd: false))"
  }

  /// The columns of short times.
  var shortTimeWidth: Int { clock == .hours12 ? 14 : 11 }

  private static let halfYear = 365.2425 / 2 * 86_400  // seconds
}
