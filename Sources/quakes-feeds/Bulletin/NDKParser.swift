import Foundation
import StrataQuakes

/// Streams the events of the Global CMT catalog's format: five lines of 80 columns each.
/// https://www.ldeo.columbia.edu/~gcmt/projects/CMT/catalog/allorder.ndk_explained
///
/// Time and place are those of the hypocenter, so that the event is joined to other agencies' reports of the same
/// earthquake; the centroid is elsewhere. The magnitude is that of the moment.
struct NDKParser: EventReader {
  var metadata = FeedMetadata(service: "gcmt")
  var problems = FieldProblems()

  private static let linesOfEvent = 5

  private let latest: Date
  private var reader: LineReader
  /// Lines that are read and belong to no event yet.
  private var lines: [TextLine] = []
  private var eventCount = 0

  /// - Parameter latest: the latest time that an event may have.
  init(_ window: BodyWindow, latest: Date) {
    self.latest = latest
    reader = LineReader(window)
  }

  /// Whether a line may be the first of an event: it has a date and a time in their columns.
  static func isFirstLine(_ line: TextLine) -> Bool {
    line.has("/", in: 10) && line.has("/", in: 13) && line.has(":", in: 19) && line.has(":", in: 22)
  }

  mutating func next() -> EventDocument.Item? {
    while lines.count < Self.linesOfEvent, let line = reader.next() { lines.append(TextLine(line)) }
    guard let first = lines.first else { return nil }
    // If lines are missing, the next event begins earlier.
    let count = lines.dropFirst().firstIndex(where: Self.isFirstLine) ?? lines.count
    let event = Array(lines.prefix(count))
    lines.removeFirst(count)
    let index = eventCount
    eventCount += 1
    if let reason = damage(of: event) {
      return .problem(
        FeedProblem(feature: index, position: first.start, place: TextPlace(line: first.number), reason: reason))
    }
    var draft = draft(of: event)
    return problems.conclude(&draft, index: index, start: first.start) { event.place(of: $0) }
  }

  private func damage(of event: [TextLine]) -> FeedProblem.Reason? {
    let isLast = event.last?.isEnded == false
    guard event.count == Self.linesOfEvent else {
      let isCut = isLast || lines.isEmpty
      return isCut && Self.isFirstLine(event[0])
        ? .cutOff : .broken("the event has \(event.count) of \(Self.linesOfEvent) lines")
    }
    // The line with the moment is the last.
    return isLast && event[4].bytes.count < 56 ? .cutOff : nil
  }

  private func draft(of event: [TextLine]) -> EventDraft {
    var draft = EventDraft(latest: latest)
    let (hypocenter, name, centroid) = (event[0], event[1].text(1...16), event[2])
    if !name.isEmpty { draft.take(EventName(name, ofService: "gcmt")) }
    draft.takeTime(date: 6...15, time: 17...26, of: hypocenter)
    draft.take(.latitude, in: 28...33, of: hypocenter)
    draft.take(.longitude, in: 35...41, of: hypocenter)
    draft.take(.depth, in: 43...47, of: hypocenter)
    draft.take(.place, in: 57...80, of: hypocenter)
    takeMagnitude(of: event, to: &draft)
    takeAnalysis(centroid.text(65...80), at: centroid.position(65), to: &draft)
    return draft
  }

  /// The moment magnitude, from the moment in dyne-centimeters: Mw = 2/3 (log10 M0 − 16.1).
  private func takeMagnitude(of event: [TextLine], to draft: inout EventDraft) {
    let (exponent, moment) = (event[3].text(1...2), event[4].text(50...56))
    let number = Double(decimal: moment).flatMap { moment in
      Double(decimal: exponent).map { (2 / 3 * (log10(moment) + $0 - 16.1) * 100).rounded() / 100 }
    }
    guard let number, number.isFinite else {
      let isExponent = Double(decimal: exponent) == nil
      let position = isExponent ? event[3].position(1) : event[4].position(50)
      return draft.take(.magnitude, .text(isExponent ? exponent : moment), at: position)
    }
    draft.take(.magnitude, .number(number), at: event[4].position(50))
    draft.take(.magnitudeType, .text("Mwc"), at: event[4].position(50))
  }

  /// `S-20130603104822`: a standard solution, or a quick one with `Q`, and its time. Older ones have other forms.
  private func takeAnalysis(_ text: String, at position: Int, to draft: inout EventDraft) {
    let parts = text.split(separator: "-").map(String.init)
    guard parts.count == 2, ["S", "Q"].contains(parts[0]) else { return }
    draft.take(.status, .text(parts[0] == "S" ? "reviewed" : "automatic"), at: position)
    if let date = CompactTime.date(parts[1]) {
      draft.take(.updated, .text(ISO8601.text(date)), at: position)
    }
  }
}
