import StrataQuakes

// The accepted values of each field, and the conversion of words.

extension EventDraft {
  /// The possible magnitudes: from ruptures of a hand's breadth to one around the globe.
  private static let magnitudes = -5.0...11.0
  /// Kilometers: from the highest stations to well below the deepest earthquakes (about 750).
  private static let depths = -10.0...1000.0
  private static let latitudes = -90.0...90.0
  /// Positions across the date line are written up to 360.
  private static let longitudes = -360.0...360.0

  /// Stores a field's value, or refuses it and changes nothing.
  mutating func store(_ value: FieldValue, as field: EventField) throws(FieldRefusal) {
    switch field {
    case .mag: event.magnitude = try value.number(within: Self.magnitudes)
    case .place: event.place = try value.text()
    case .time:
      guard let time = try value.date(until: latest) else { return }
      (event.time, hasTime) = (time, true)
      seconds.time = value.possibleSeconds
    case .updated:
      event.updated = try value.date(until: latest)
      seconds.updated = value.possibleSeconds
      if case .number = value { isUpdatedInMilliseconds = seconds.updated == nil }
    case .latitude: latitude = try value.number(within: Self.latitudes)
    case .longitude: longitude = try value.number(within: Self.longitudes).map(GeoBox.normalized)
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
    case .ids: event.ids = try Self.ids(try value.text())
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

  private mutating func take(_ value: FieldValue, of service: String) throws(FieldRefusal) {
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

  /// The EMSC's code: whether the type is known, suspected or felt, and the type. An unknown type is left out.
  private mutating func takeType(code: FieldValue) throws(FieldRefusal) {
    let types: [Character: String] = [
      "e": "earthquake", "h": "chemical explosion", "i": "induced or triggered event", "m": "mining explosion",
      "n": "nuclear explosion", "r": "rock burst", "x": "explosion",
    ]
    guard let code = try code.text(), code.count == 2, let type = code.last.flatMap({ types[$0] }) else { return }
    event.type = type
    event.presentFields.insert(.type)
  }

  /// Older events have `quarry_blast` and `quarry`.
  private static func typeName(_ type: String?) -> String {
    guard let type, !type.isEmpty else { return "earthquake" }
    let hasUnderscores = type.utf8.contains(UInt8(ascii: "_"))
    let words = lowerCase(hasUnderscores ? String(type.map { $0 == "_" ? " " : $0 }) : type)
    return words == "quarry" ? "quarry blast" : words
  }

  private static func lowerCase(_ word: String) -> String {
    word.utf8.contains { 0x41...0x5A ~= $0 } ? word.lowercased() : word
  }

  /// The most IDs of an event; services have up to ten.
  private static let maximumIDs = 100

  /// Each becomes an object of its own.
  private static func ids(_ list: String?) throws(FieldRefusal) -> String? {
    guard let list else { return nil }
    let count = list.utf8.split(separator: UInt8(ascii: ",")).count
    guard count <= maximumIDs else { throw .outOfRange(value: "with \(count) members", bounds: "0 to \(maximumIDs)") }
    return wrapped(list)
  }

  /// `,a,b,`, so that `CONTAINS ",a,"` matches whole members only; some servers omit the outer commas.
  private static func wrapped(_ list: String) -> String {
    let bytes = list.utf8
    let comma = UInt8(ascii: ",")
    if bytes.isEmpty || (bytes.first == comma && bytes.last == comma) { return list }
    return (bytes.first == comma ? "" : ",") + list + (bytes.last == comma ? "" : ",")
  }
}
