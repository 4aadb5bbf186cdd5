import Foundation
import StrataQuakes

/// One event while its fields arrive, in any order and from any format.
///
/// Checks every value. A value that is refused costs its field alone: the field stays unknown and counts as not told.
struct EventDraft {
  private(set) var event = ParsedEvent()
  /// The fields that were refused.
  private(set) var troubles: [FieldTrouble] = []
  /// Who publishes the event, as far as it shows.
  private(set) var service: String?

  private let latest: Date
  private var hasTime = false
  private var latitude: Double?
  private var longitude: Double?
  /// The third coordinate: kilometres of depth, except for the EMSC, which writes height there and depth elsewhere.
  private var third: (value: FieldValue, position: Int)?

  /// - Parameter latest: the latest time that an event may have.
  init(latest: Date) {
    self.latest = latest
  }

  /// The id, if it is known by now.
  var identifier: String? { event.identifier.isEmpty ? nil : event.identifier }

  /// Takes a field's value, unless it is refused.
  ///
  /// - Parameter position: the value's byte offset in the body.
  mutating func take(_ field: EventField, _ value: FieldValue, at position: Int) {
    do {
      try store(value, as: field)
      event.told.formUnion(field.told)
    } catch {
      refuse(field, error, at: position)
    }
  }

  mutating func takeThirdCoordinate(_ value: FieldValue, at position: Int) {
    third = (value, position)
  }

  /// Takes the event's name: id, network and code.
  mutating func take(_ name: EventName) {
    (event.identifier, event.network, event.code) = (name.identifier, name.network, name.code)
    event.told.formUnion([.network, .code])
    service = name.service
  }

  /// Takes a field's text; null if it is empty. A field that the document lacks is not told.
  mutating func take(_ field: EventField, text: String?, at position: Int) {
    guard let text else { return }
    take(field, text.isEmpty ? .null : .text(text), at: position)
  }

  /// Takes a depth in metres.
  ///
  /// - Parameter sign: -1 if the metres are height.
  mutating func take(metres text: String?, sign: Double = 1, at position: Int) {
    guard let text, !text.isEmpty, let metres = Double(decimal: text) else {
      return take(.depth, text: text, at: position)
    }
    take(.depth, .number(metres / (sign * 1000)), at: position)
  }

  mutating func refuse(_ field: EventField, _ refusal: Refusal, at position: Int) {
    troubles.append(FieldTrouble(field: field, reason: refusal.reason(of: field), position: position))
  }

  /// Notes what is wrong with the event besides its fields.
  mutating func note(_ reason: FeedProblem.Reason, at position: Int) {
    troubles.append(FieldTrouble(field: nil, reason: reason, position: position))
  }

  /// Completes the event.
  ///
  /// - Parameter start: where the event begins in the body.
  /// - Returns: why the event is lost, and where; nil if it is complete.
  mutating func conclude(at start: Int) -> (reason: FeedProblem.Reason, position: Int)? {
    takeDepthOfThirdCoordinate()
    if event.identifier.isEmpty, let network = event.network, let code = event.code {
      event.identifier = network + code
    }
    if event.identifier.isEmpty { return loss(of: [.id, .publicID, .unid], named: "id", at: start) }
    // Only the USGS writes the network besides the id.
    if service == nil, let network = event.network, event.identifier.hasPrefix(network) { service = "usgs" }
    if !hasTime { return loss(of: [.time, .properties], named: "time", at: start) }
    guard let latitude, let longitude else {
      return loss(of: [.longitude, .latitude, .coordinates], named: "coordinates", at: start)
    }
    (event.latitude, event.longitude) = (latitude, longitude)
    return nil
  }

  private mutating func takeDepthOfThirdCoordinate() {
    guard let third, !event.told.contains(.depth) else { return }
    if service == "emsc", case .number(let height) = third.value {
      take(.depth, .number(-height), at: third.position)
    } else {
      take(.depth, third.value, at: third.position)
    }
  }

  private func loss(
    of fields: [EventField], named name: String, at start: Int
  ) -> (reason: FeedProblem.Reason, position: Int) {
    guard let trouble = troubles.first(where: { $0.field.map(fields.contains) ?? false }) else {
      return (.missing(name), start)
    }
    return (trouble.reason, trouble.position)
  }
}

// MARK: - Fields

extension EventDraft {
  /// What can be: magnitudes of ruptures from a hand's breadth to one around the globe.
  private static let magnitudes = -5.0...11.0
  /// Kilometres: from the highest stations to well below the deepest earthquakes (about 750).
  private static let depths = -10.0...1000.0
  private static let latitudes = -90.0...90.0
  /// Positions across the date line are written up to 360.
  private static let longitudes = -360.0...360.0
  /// The oldest catalogues of instruments and letters begin later.
  private static let earliest = CalendarDate(year: 1600, month: 1, day: 1).instant

  private mutating func store(_ value: FieldValue, as field: EventField) throws(Refusal) {
    switch field {
    case .mag: event.magnitude = try value.number(within: Self.magnitudes)
    case .place: event.place = try value.text()
    case .time:
      guard let time = try date(value) else { return }
      (event.time, hasTime) = (time, true)
    case .updated: event.updated = try date(value)
    case .latitude: latitude = try value.number(within: Self.latitudes)
    case .longitude: longitude = try value.number(within: Self.longitudes).map(Self.normalized)
    case .depth: event.depth = try value.number(within: Self.depths)
    case .url: event.url = try value.text()
    case .detail: event.detail = try value.text()
    case .felt: event.felt = try value.integer()
    case .cdi: event.cdi = try value.number()
    // GeoNet writes -1 for what is too weak for the scale.
    case .mmi: event.mmi = try value.number().flatMap { $0 < 0 ? nil : $0 }
    case .alert: event.alert = try value.text()
    case .status: event.status = try value.text().map(Self.lowerCase)
    case .tsunami: event.tsunami = try value.integer()
    case .sig: event.significance = try value.integer()
    case .net: event.network = try value.text()
    case .code: event.code = try value.text()
    case .ids: event.ids = try value.text().map(Self.wrapped)
    case .sources: event.sources = try value.text().map(Self.wrapped)
    case .types: event.types = try value.text().map(Self.wrapped)
    case .nst: event.nst = try value.integer()
    case .dmin: event.dmin = try value.number()
    case .rms: event.rms = try value.number()
    case .gap: event.gap = try value.number()
    case .magType: event.magnitudeType = try value.text()
    case .type: event.type = Self.typeName(try value.text())
    case .title: event.title = try value.text()
    case .id:
      let id = try value.text() ?? ""
      // A name of the service's own comes first.
      if service == nil { event.identifier = id }
    case .publicID: try take(value, of: "geonet")
    case .unid: try take(value, of: "emsc")
    case .quality: event.status = try value.text().map(Self.status)
    case .evtype: try takeType(code: value)
    case .coordinates, .properties: break
    }
  }

  private mutating func take(_ value: FieldValue, of service: String) throws(Refusal) {
    guard let code = try value.text(), !code.isEmpty else { return }
    take(EventName(code, of: [service]))
  }

  /// GeoNet's word for the quality of a solution: a person has seen the best ones only.
  private static func status(quality: String) -> String {
    switch quality {
    case "best": "reviewed"
    case "preliminary": "automatic"
    default: lowerCase(quality)
    }
  }

  /// The EMSC's code: whether the type is known, suspected or felt, and the type. An unknown type is not told.
  private mutating func takeType(code: FieldValue) throws(Refusal) {
    let types: [Character: String] = [
      "e": "earthquake", "h": "chemical explosion", "i": "induced or triggered event", "m": "mining explosion",
      "n": "nuclear explosion", "r": "rock burst", "x": "explosion",
    ]
    guard let code = try code.text(), code.count == 2, let type = code.last.flatMap({ types[$0] }) else { return }
    event.type = type
    event.told.insert(.type)
  }

  private func date(_ value: FieldValue) throws(Refusal) -> Date? {
    try value.date(within: Self.earliest...max(Self.earliest, latest))
  }

  private static func normalized(_ longitude: Double) -> Double {
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  }

  /// Older events have `quarry_blast` and `quarry`.
  private static func typeName(_ type: String?) -> String {
    guard let type, !type.isEmpty else { return "earthquake" }
    let words = lowerCase(type.contains("_") ? String(type.map { $0 == "_" ? " " : $0 }) : type)
    return words == "quarry" ? "quarry blast" : words
  }

  private static func lowerCase(_ word: String) -> String {
    word.utf8.contains { 0x41...0x5A ~= $0 } ? word.lowercased() : word
  }

  /// `,a,b,`, so that `CONTAINS ",a,"` matches whole members only; some servers omit the outer commas.
  private static func wrapped(_ list: String) -> String {
    let bytes = list.utf8
    let comma = UInt8(ascii: ",")
    if bytes.isEmpty || (bytes.first == comma && bytes.last == comma) { return list }
    return (bytes.first == comma ? "" : ",") + list + (bytes.last == comma ? "" : ",")
  }
}
