import Foundation

/// When clocks are set, every year: the `TZ` of POSIX as the files of zones have it, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
/// Days are weekdays of months, as in all files.
struct ZoneRule: Equatable, Sendable {
  /// A weekday of a month, and a time of day.
  private struct Change: Equatable {
    var month: Int
    /// 5 for the last.
    var week: Int
    /// 0 for Sunday.
    var weekday: Int
    /// Seconds since midnight, which may be of another day.
    var second: Int

    /// Seconds since 1970 on a clock that shows a year.
    func second(in year: Int) -> Int {
      let first = Self.day(year: year, month: month)
      // 1970 began on a Thursday.
      let toWeekday = (weekday - (first + 4) % 7 + 14) % 7
      let length = Self.day(year: month == 12 ? year + 1 : year, month: month % 12 + 1) - first
      var day = toWeekday + (week - 1) * 7
      if day >= length { day -= 7 }
      return (first + day) * 86_400 + second
    }

    private static func day(year: Int, month: Int) -> Int {
      Int(CalendarDate(year: year, month: month, day: 1).instant.timeIntervalSince1970) / 86_400
    }
  }

  private var standard: ZoneFile.Period
  private var summer: (period: ZoneFile.Period, start: Change, end: Change)?

  static func == (first: ZoneRule, second: ZoneRule) -> Bool {
    guard first.standard == second.standard, (first.summer == nil) == (second.summer == nil) else { return false }
    guard let one = first.summer, let other = second.summer else { return true }
    return one.period == other.period && one.start == other.start && one.end == other.end
  }

  /// - Returns: nil if the text is not such a rule.
  init?(_ text: Substring) {
    var rest = text
    guard let name = Self.name(&rest), let offset = Self.time(&rest) else { return nil }
    // POSIX counts west of Greenwich.
    standard = ZoneFile.Period(offset: -offset, name: name)
    if rest.isEmpty { return }
    guard let name = Self.name(&rest) else { return nil }
    let summerOffset = rest.first == "," ? offset - 3600 : Self.time(&rest)
    guard let summerOffset, let start = Self.change(&rest), let end = Self.change(&rest), rest.isEmpty else {
      return nil
    }
    summer = (ZoneFile.Period(offset: -summerOffset, name: name), start, end)
  }

  /// - Parameter seconds: since 1970.
  func period(at seconds: Int) -> ZoneFile.Period {
    guard let summer else { return standard }
    let year = CalendarDate(Date(timeIntervalSince1970: Double(seconds + standard.offset))).year
    let start = summer.start.second(in: year) - standard.offset
    let end = summer.end.second(in: year) - summer.period.offset
    // South of the equator it begins late in a year and ends in the next.
    let isSummer = start < end ? start..<end ~= seconds : !(end..<start ~= seconds)
    return isSummer ? summer.period : standard
  }

  /// Letters, or anything in angle brackets.
  private static func name(_ rest: inout Substring) -> String? {
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return nil }
      defer { rest = rest[rest.index(after: end)...] }
      return String(rest[rest.index(after: rest.startIndex)..<end])
    }
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    rest = rest[name.endIndex...]
    return name.isEmpty ? nil : String(name)
  }

  /// Seconds of `2`, `-2:30` or `26:00:00`.
  private static func time(_ rest: inout Substring) -> Int? {
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest.removeFirst() }
    let text = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ":") }
    rest = rest[text.endIndex...]
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard 1...3 ~= parts.count, parts.allSatisfy({ $0.map { 0...167 ~= $0 } ?? false }) else { return nil }
    let seconds = zip(parts, [3600, 60, 1]).reduce(0) { $0 + ($1.0 ?? 0) * $1.1 }
    return isNegative ? -seconds : seconds
  }

  /// `,M3.5.0/2`; the time defaults to two o'clock.
  private static func change(_ rest: inout Substring) -> Change? {
    guard rest.hasPrefix(",M") else { return nil }
    rest.removeFirst(2)
    let text = rest.prefix { $0 != "/" && $0 != "," }
    rest = rest[text.endIndex...]
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard numbers.count == 3, 1...12 ~= numbers[0], 1...5 ~= numbers[1], 0...6 ~= numbers[2] else { return nil }
    var second = 7200
    if rest.first == "/" {
      rest.removeFirst()
      guard let time = time(&rest) else { return nil }
      second = time
    }
    return Change(month: numbers[0], week: numbers[1], weekday: numbers[2], second: second)
  }
}
