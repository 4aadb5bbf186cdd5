import StrataQuakes

// The accepted values of each field, and the conversion of words.

extension EventDraft {
  /// Stores a field's value, or refuses it and changes nothing.
  mutating func store(_ value: FieldValue, as field: EventField) throws(FieldRefusal) {
    switch field {
    case .stored(.identifier):
      let id = try value.text() ?? ""
      // A name of the service's own comes first.
      if service == nil { event.identifier = id }
    case .stored(.time):
      guard let time = try value.date(until: latest) else { return }
      (event.time, hasTime) = (time, true)
      seconds.time = value.possibleSeconds
    case .stored(.updated):
      event.updated = try value.date(until: latest)
      seconds.updated = value.possibleSeconds
      if case .number = value { isUpdatedInMilliseconds = seconds.updated == nil }
    case .stored(let field): event.state[field] = try stateValue(of: value, as: field.stored)
    case .publicID: try take(value, of: "geonet")
    case .unid: try take(value, of: "emsc")
    case .quality: try storePresent(.status, value.text().map { .text(Self.status(quality: $0)) })
    case .evtype: try takeType(code: value)
    case .coordinates, .properties: break
    }
    if case .stored(let field) = field, !QuakeField.ofEveryEvent.contains(field) { event.presentFields.insert(field) }
  }

  private mutating func storePresent(_ field: QuakeField, _ value: QuakeState.Value?) {
    event.state[field] = value
    event.presentFields.insert(field)
  }

  private func stateValue(of value: FieldValue, as field: StoredField) throws(FieldRefusal) -> QuakeState.Value? {
    switch field.kind {
    case .number: Self.number(try value.number(within: field.bounds), as: field.field)
    case .integer: try value.integer().map { .number(Double($0)) }
    case .text: Self.text(try value.text(), as: field.field)
    case .list: try Self.list(try value.text(), as: field.field)
    case .date: try value.date(until: latest).map { .date($0) }
    }
  }

  private static func number(_ number: Double?, as field: QuakeField) -> QuakeState.Value? {
    guard let number else { return nil }
    switch field {
    case .longitude: return .number(GeoBox.normalized(number))
    // GeoNet writes -1 for what is too weak for the scale.
    case .mmi where number < 0: return nil
    default: return .number(number)
    }
  }

  private static func text(_ text: String?, as field: QuakeField) -> QuakeState.Value? {
    switch field {
    case .status: text.map { .text(lowerCase($0)) }
    // The INGV writes "--" for an unknown source, and the USGS has "CI" in some formats and "ci" in others.
    case .locationSource, .magnitudeSource: text.flatMap { $0 == "--" ? nil : .text(lowerCase($0)) }
    case .type: .text(typeName(text))
    default: text.map { .text($0) }
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
    storePresent(.type, .text(type))
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

  /// - Throws: `FieldRefusal` for too many IDs, each of which becomes an object of its own.
  private static func list(_ list: String?, as field: QuakeField) throws(FieldRefusal) -> QuakeState.Value? {
    guard let list else { return nil }
    let count = list.utf8.split(separator: UInt8(ascii: ",")).count
    guard field != .ids || count <= maximumIDs else {
      throw .outOfRange(value: "with \(count) members", bounds: "0 to \(maximumIDs)")
    }
    return .text(wrapped(list))
  }

  /// `,a,b,`, so that `CONTAINS ",a,"` matches whole members only; some servers omit the outer commas.
  private static func wrapped(_ list: String) -> String {
    let bytes = list.utf8
    let comma = UInt8(ascii: ",")
    if bytes.isEmpty || (bytes.first == comma && bytes.last == comma) { return list }
    return (bytes.first == comma ? "" : ",") + list + (bytes.last == comma ? "" : ",")
  }
}
