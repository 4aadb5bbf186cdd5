import Foundation
import StrataQuakes

/// An event of Indonesia's BMKG, in JSON or XML: https://data.bmkg.go.id/gempabumi
///
/// It has no ID: time and place are the code, so an event of which one is revised is a new one.
struct BMKGRecord {
  static let names = [
    "Tanggal", "Jam", "DateTime", "Coordinates", "Lintang", "Bujur", "Magnitude", "Kedalaman", "Wilayah",
  ]

  private let record: EventRecord

  init(_ record: EventRecord) {
    self.record = record
  }

  /// - Parameter start: where the event begins in the body.
  init(_ element: MarkupElement, at start: Int) {
    var record = EventRecord(start: start)
    for name in Self.names {
      // XML has them in a point.
      guard let text = element[name]?.text ?? (name == "Coordinates" ? element["point", "coordinates"]?.text : nil)
      else {
        continue
      }
      record.values[name] = EventRecord.Value(value: .text(text), position: start)
    }
    self.record = record
  }

  /// Gives all that the event tells to a draft.
  func fill(_ draft: inout EventDraft) {
    draft.hasDerivedID = true
    takeTime(to: &draft)
    takePosition(to: &draft)
    take(.depth, "Kedalaman", to: &draft)
    take(.magnitude, "Magnitude", to: &draft)
    if record.values["Wilayah"] != nil {
      draft.take(.place, text: record.text("Wilayah"), at: record.position("Wilayah"))
    }
    if let code = draft.event.derivedCode { draft.take(EventName(code, ofService: "bmkg")) }
  }

  /// A number, and a unit that does not matter: `10 km`, `5.4 SR`.
  private func take(_ field: QuakeField, _ name: String, to draft: inout EventDraft) {
    guard record.values[name] != nil else { return }
    let number = record.text(name).split { $0 == " " }.first.map(String.init) ?? ""
    draft.take(field, text: number, at: record.position(name))
  }
}

// MARK: - Time and position

extension BMKGRecord {
  /// `DateTime` is in UTC; the others are in one of the zones of Indonesia.
  private func takeTime(to draft: inout EventDraft) {
    let time = record.text("DateTime")
    if time.isEmpty {
      let text = localTime ?? "\(record.text("Tanggal")) \(record.text("Jam"))"
      draft.take(.time, .text(text), at: record.position("Tanggal"))
    } else {
      draft.take(.time, .text(time), at: record.position("DateTime"))
    }
  }

  /// Of `06 Okt 2026` or `06-Okt-26`, and `14:22:10 WIB`.
  private var localTime: String? {
    let date = record.text("Tanggal").split { $0 == " " || $0 == "-" }.map(String.init)
    let clock = record.text("Jam").split(separator: " ").map(String.init)
    guard date.count == 3, date[0].count <= 2, [2, 4].contains(date[2].count), let time = clock.first,
      let month = Self.months[date[1].prefix(3).lowercased()],
      let zone = Self.zones[clock.count > 1 ? clock[1].uppercased() : "WIB"]
    else { return nil }
    let day = (date[0].count == 1 ? "0" : "") + date[0]
    return "\(date[2].count == 2 ? "20" : "")\(date[2])-\(month)-\(day)T\(time)\(zone)"
  }

  private static let months = [
    "jan": "01", "feb": "02", "mar": "03", "apr": "04", "mei": "05", "may": "05", "jun": "06", "jul": "07",
    "agu": "08", "agt": "08", "aug": "08", "sep": "09", "okt": "10", "oct": "10", "nov": "11", "des": "12",
    "dec": "12",
  ]

  /// Western, central and eastern Indonesia.
  private static let zones = ["WIB": "+07:00", "WITA": "+08:00", "WIT": "+09:00", "UTC": "Z"]

  /// `6.12 LS` and `128.45 BT`, or else `-6.12,128.45`.
  private func takePosition(to draft: inout EventDraft) {
    let sides = [
      Self.signed(record.text("Lintang"), negative: "LS"), Self.signed(record.text("Bujur"), negative: "BB"),
    ]
    let parts = record.text("Coordinates").split { $0 == "," || $0 == " " }.map(String.init)
    if let latitude = sides[0], let longitude = sides[1] {
      draft.take(.latitude, text: latitude, at: record.position("Lintang"))
      draft.take(.longitude, text: longitude, at: record.position("Bujur"))
    } else if parts.count == 2 {
      draft.take(.latitude, text: parts[0], at: record.position("Coordinates"))
      draft.take(.longitude, text: parts[1], at: record.position("Coordinates"))
    } else if !record.text("Lintang").isEmpty || !record.text("Coordinates").isEmpty {
      draft.refuse(.coordinates, .wrongType, at: record.position("Lintang"))
    }
  }

  /// - Returns: nil without one of the directions.
  private static func signed(_ text: String, negative: String) -> String? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, ["LS", "LU", "BB", "BT"].contains(words[1]) else { return nil }
    return (words[1] == negative ? "-" : "") + words[0]
  }
}
