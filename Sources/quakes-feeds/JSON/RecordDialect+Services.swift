import Foundation
import StrataQuakes

extension RecordDialect {
  /// The list of Turkey's AFAD: https://deprem.afad.gov.tr/event-service
  ///
  /// Times have no zone and are in UTC.
  static let afad = RecordDialect(
    service: "afad",
    names: [
      "eventID", "date", "latitude", "longitude", "depth", "magnitude", "type", "location", "rms", "lastUpdateDate",
    ]
  ) { record, draft in
    draft.take(EventName(record.text("eventID"), ofService: "afad"), unless: record.text("eventID").isEmpty)
    draft.take(.time, record, "date", zone: "Z")
    draft.take(.updated, record, "lastUpdateDate", zone: "Z")
    let fields: [(QuakeField, String)] = [
      (.latitude, "latitude"), (.longitude, "longitude"), (.depth, "depth"), (.magnitude, "magnitude"),
      (.magnitudeType, "type"), (.place, "location"), (.rms, "rms"),
    ]
    for (field, name) in fields { draft.take(field, record, name) }
  }

  /// The list of the Japan Meteorological Agency: https://www.jma.go.jp/bosai/quake/data/list.json
  ///
  /// Of an earthquake there is a report of intensities first, then one with its hypocenter, and others. Times are whole
  /// minutes.
  static let jma = RecordDialect(
    service: "jma", names: ["eid", "rdt", "ift", "at", "anm", "en_anm", "cod", "mag"],
    report: { record in
      EventReport(
        event: record.text("eid"), time: record.text("rdt"), isCanceled: record.text("ift") == "取消",
        hasOrigin: !record.text("cod").isEmpty)
    }
  ) { record, draft in
    draft.take(EventName(record.text("eid"), ofService: "jma"), unless: record.text("eid").isEmpty)
    draft.take(.time, record, "at", zone: "+09:00")
    draft.take(.updated, record, "rdt", zone: "+09:00")
    draft.take(.place, record, record.text("en_anm").isEmpty ? "anm" : "en_anm")
    // `Ｍ不明` is unknown, `Ｍ８を超える巨大地震` more than the scale has.
    let magnitude = record.text("mag")
    if magnitude.hasPrefix("Ｍ") || magnitude.hasPrefix("M") {
      draft.take(.magnitude, .null, at: record.position("mag"))
    } else {
      draft.take(.magnitude, record, "mag")
    }
    draft.takePosition(iso6709: record.text("cod"), at: record.position("cod"))
  }

  /// The lists of Indonesia's BMKG: https://data.bmkg.go.id/gempabumi
  static let bmkg = RecordDialect(service: "bmkg", path: ["Infogempa", "gempa"], names: BMKGRecord.names) {
    record, draft in
    BMKGRecord(record).fill(&draft)
  }
}

extension EventDraft {
  fileprivate mutating func take(_ name: EventName, unless isEmpty: Bool) {
    if !isEmpty { take(name) }
  }

  /// Reads a field of a record; null if it is empty. A field that is missing is absent.
  fileprivate mutating func take(_ field: QuakeField, _ record: EventRecord, _ name: String) {
    guard let found = record.values[name] else { return }
    take(field, found.value == .text("") ? .null : found.value, at: found.position)
  }

  /// Reads a time, which is in a zone if it does not have one.
  fileprivate mutating func take(_ field: QuakeField, _ record: EventRecord, _ name: String, zone: String) {
    guard let found = record.values[name] else { return }
    guard case .text(let text) = found.value, !text.isEmpty else { return take(field, record, name) }
    take(field, .text(LocalTime.text(text, zone: zone)), at: found.position)
  }

  /// `+31.1+130.4-140000/`: latitude, longitude, and height in meters if it is known.
  fileprivate mutating func takePosition(iso6709 text: String, at position: Int) {
    let isSign = { (character: Character) in character == "+" || character == "-" }
    var parts: [String] = []
    for character in text.prefix(while: { $0 != "/" }) {
      if isSign(character) { parts.append("") }
      guard !parts.isEmpty else { break }
      parts[parts.count - 1].append(character)
    }
    guard 2...3 ~= parts.count else { return refuse(.coordinates, .wrongType, at: position) }
    take(.latitude, text: parts[0], at: position)
    take(.longitude, text: parts[1], at: position)
    take(.depth, meters: parts.count == 3 ? parts[2] : "", sign: -1, at: position)
  }
}
