import Foundation
import StrataQuakes

/// Streams the events of a ZMAP table, a line of 10 to 13 numbers each: longitude, latitude, year, month, day, magnitude,
/// depth, hour, minute, second, and the errors of place, depth and magnitude. `NaN` is unknown.
///
/// The year may have a fraction, which is the time if month and day are not known. Events have no IDs, so time and place
/// are the ID: a revised event is a new one.
struct ZMAPParser: EventReader {
  var metadata = FeedMetadata(service: "zmap")
  var problems = FieldProblems()

  static let counts = 10...13

  private let latest: Date
  private var lines: LineReader
  private var rowCount = 0

  /// - Parameter latest: the latest time that an event may have.
  init(_ window: BodyWindow, latest: Date) {
    self.latest = latest
    lines = LineReader(window)
  }

  mutating func next() -> EventDocument.Item? {
    while let read = lines.next() {
      let line = TextLine(read)
      let values = ZMAPRow.values(of: line.bytes)
      if ZMAPRow.isComment(values) { continue }
      let index = rowCount
      rowCount += 1
      guard Self.counts ~= values.count, !read.isTooLarge else {
        return .problem(problem(line, count: values.count, index: index))
      }
      var draft = EventDraft(latest: latest)
      ZMAPRow(line, values: values).fill(&draft)
      return problems.conclude(&draft, index: index, start: line.start) { [line].place(of: $0) }
    }
    return nil
  }

  private func problem(_ line: TextLine, count: Int, index: Int) -> FeedProblem {
    let reason =
      line.isEnded
      ? FeedProblem.Reason.broken(
        "the line has \(count) values instead of \(Self.counts.lowerBound) to \(Self.counts.upperBound)") : .cutOff
    return FeedProblem(feature: index, position: line.start, place: TextPlace(line: line.number), reason: reason)
  }
}

/// A line of a ZMAP table.
struct ZMAPRow {
  struct Value {
    var text: String
    /// From 1 on.
    var column: Int

    var isUnknown: Bool { text.isEmpty || text.lowercased() == "nan" }

    var number: Double? { isUnknown ? nil : Double(decimal: text) }
  }

  private enum Column: Int {
    case longitude, latitude, year, month, day, magnitude, depth, hour, minute, second
  }

  private let line: TextLine
  private let values: [Value]

  init(_ line: TextLine, values: [Value]) {
    (self.line, self.values) = (line, values)
  }

  private static let comma = UInt8(ascii: ",")
  private static let tab = UInt8(ascii: "\t")

  /// The values between commas, else tabs, else blanks. Between commas or tabs, a value may be missing.
  static func values(of bytes: [UInt8]) -> [Value] {
    let separator = bytes.contains(comma) ? comma : tab
    guard bytes.contains(separator) else { return words(of: bytes) }
    var parts = bytes.split(separator: separator, omittingEmptySubsequences: false).map(trimmed)
    // Blanks within a part separate values too.
    if parts.contains(where: { $0.contains(where: isBlank) }) { return words(of: bytes) }
    // A separator at the end of a line.
    if parts.last?.isEmpty == true { parts.removeLast() }
    return parts.map(value)
  }

  private static func words(of bytes: [UInt8]) -> [Value] {
    bytes.split { isBlank($0) || $0 == comma }.map(value)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == tab }

  private static func trimmed(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var part = part.drop(while: isBlank)
    while let last = part.last, isBlank(last) { part.removeLast() }
    return part
  }

  private static func value(_ part: ArraySlice<UInt8>) -> Value {
    Value(text: String(decoding: part, as: UTF8.self), column: part.startIndex + 1)
  }

  static func isComment(_ values: [Value]) -> Bool {
    guard let first = values.first(where: { !$0.text.isEmpty })?.text.first else { return true }
    return first == "%" || first == "#"
  }

  /// Whether the values look like an event's.
  static func isEvent(_ values: [Value]) -> Bool {
    guard ZMAPParser.counts ~= values.count, values.allSatisfy({ $0.isUnknown || $0.number != nil }),
      let longitude = values[0].number, let latitude = values[1].number, let year = values[2].number
    else { return false }
    return -360...360 ~= longitude && -90...90 ~= latitude && 1000..<3000 ~= year
  }

  func fill(_ draft: inout EventDraft) {
    draft.hasDerivedID = true
    takeTime(to: &draft)
    take(.longitude, .longitude, to: &draft)
    take(.latitude, .latitude, to: &draft)
    take(.depth, .depth, to: &draft)
    take(.magnitude, .magnitude, to: &draft)
    if let code = draft.event.derivedCode { draft.take(EventName(code, ofService: "zmap")) }
  }

  private func take(_ field: QuakeField, _ column: Column, to draft: inout EventDraft) {
    let value = self[column]
    draft.take(field, value.isUnknown ? .null : .text(value.text), at: position(column))
  }

  private subscript(_ column: Column) -> Value { values[column.rawValue] }

  private func position(_ column: Column) -> Int { line.position(self[column].column) }
}

// MARK: - Time and ID

extension ZMAPRow {
  private func takeTime(to draft: inout EventDraft) {
    guard let year = self[.year].number, 1...9999 ~= year else {
      return draft.take(.time, .other, at: position(.year))
    }
    let hasFraction = year != year.rounded()
    let decimal = Self.date(decimalYear: year)
    let parts: [Column] = [.month, .day, .hour, .minute, .second]
    if hasFraction, parts.contains(where: { self[$0].isUnknown }) || self[.month].number == 0 {
      return draft.take(.time, .text(ISO8601.text(decimal)), at: position(.year))
    }
    let wrong = parts.first { !Self.isPossible(self[$0].number ?? -1, as: $0) }
    guard wrong == nil, let date = calendarDate(Int(year)) else {
      return draft.take(.time, .other, at: position(wrong ?? .day))
    }
    // Programs count days of years differently.
    if hasFraction, abs(date.timeIntervalSince(decimal)) > 2 * 86_400 {
      draft.note(.broken("the decimal year \(self[.year].text) is not that of the month and day"), at: position(.year))
    }
    draft.take(.time, .text(ISO8601.text(date)), at: position(.year))
  }

  private static func isPossible(_ number: Double, as column: Column) -> Bool {
    switch column {
    case .month: number == number.rounded() && 1...12 ~= number
    case .day: number == number.rounded() && 1...31 ~= number
    case .hour: number == number.rounded() && 0..<24 ~= number
    case .minute: number == number.rounded() && 0..<60 ~= number
    default: 0...61 ~= number
    }
  }

  private func calendarDate(_ year: Int) -> Date? {
    func whole(_ column: Column) -> Int { Int(self[column].number ?? 0) }
    let day = CalendarDate(year: year, month: whole(.month), day: whole(.day))
    guard day.exists else { return nil }
    let seconds = Double(whole(.hour) * 3600 + whole(.minute) * 60) + (self[.second].number ?? 0)
    return day.instant.addingTimeInterval(seconds)
  }

  private static func date(decimalYear: Double) -> Date {
    let year = Int(decimalYear)
    let start = CalendarDate(year: year, month: 1, day: 1).instant
    let length = CalendarDate(year: year + 1, month: 1, day: 1).instant.timeIntervalSince(start)
    return start.addingTimeInterval((decimalYear - Double(year)) * length)
  }
}
