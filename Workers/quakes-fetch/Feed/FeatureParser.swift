import Foundation

/// Parses one GeoJSON feature into a `ParsedEvent`.
///
/// Records a value of the wrong type and skips it, so that the scanner always ends up after the feature. Only a syntax
/// error throws.
struct FeatureParser {
  private(set) var event = ParsedEvent()
  /// The first problem and its byte offset.
  private(set) var trouble: (reason: FeedProblem.Reason, position: Int)?
  private var hasTime = false
  private var hasCoordinates = false

  private let ofFeature = FeatureField.ofFeature
  private let ofProperties = FeatureField.ofProperties
  private let ofGeometry = FeatureField.ofGeometry

  /// The id, if it was read.
  var identifier: String? { event.identifier.isEmpty ? nil : event.identifier }

  /// Parses the feature. Afterwards `event` is complete unless `trouble` is set.
  mutating func read(from scanner: inout JSONScanner) throws(JSONFailure) {
    event = ParsedEvent()
    event.told = EventFields(rawValue: .max)
    (trouble, hasTime, hasCoordinates) = (nil, false, false)
    let start = scanner.position
    guard try scanner.peek() == UInt8(ascii: "{") else {
      note(.wrongType("a feature"), at: start)
      return try scanner.skipValue()
    }
    try readMembers(of: &scanner)
    if event.identifier.isEmpty { note(.missing("id"), at: start) }
    if !hasTime { note(.missing("time"), at: start) }
    if !hasCoordinates { note(.missing("coordinates"), at: start) }
  }

  private mutating func readMembers(of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try scanner.enterObject() else { return }
    repeat {
      let key = try scanner.key()
      switch ofFeature[key] {
      case .id: event.identifier = try text("id", from: &scanner) ?? ""
      case .properties: try readProperties(of: &scanner)
      case .geometry: try readGeometry(of: &scanner)
      default: try scanner.skipValue()
      }
    } while try scanner.nextMember()
  }

  private mutating func readGeometry(of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try beginsObject("geometry", in: &scanner), try scanner.enterObject() else { return }
    repeat {
      let key = try scanner.key()
      if ofGeometry[key] == .coordinates {
        try readCoordinates(of: &scanner)
      } else {
        try scanner.skipValue()
      }
    } while try scanner.nextMember()
  }

  /// `[longitude, latitude, depth]`; only depth may be null or absent.
  private mutating func readCoordinates(of scanner: inout JSONScanner) throws(JSONFailure) {
    let start = scanner.position
    guard try scanner.peek() == UInt8(ascii: "[") else {
      if try !scanner.passNull() {
        note(.wrongType("coordinates"), at: start)
        try scanner.skipValue()
      }
      return
    }
    var values: (Double?, Double?, Double?)
    var count = 0
    guard try scanner.enterArray() else { return }
    repeat {
      switch count {
      case 0: values.0 = try number("longitude", from: &scanner)
      case 1: values.1 = try number("latitude", from: &scanner)
      case 2: values.2 = try number("depth", from: &scanner)
      default: try scanner.skipValue()
      }
      count += 1
    } while try scanner.nextElement()
    guard let longitude = values.0, let latitude = values.1 else { return }
    if !(-90...90 ~= latitude) { note(.outOfRange("latitude"), at: start) }
    // Positions across the date line are written up to 360.
    if !(-360...360 ~= longitude) { note(.outOfRange("longitude"), at: start) }
    (event.longitude, event.latitude, event.depth) = (longitude, latitude, values.2)
    hasCoordinates = true
  }

  private mutating func readProperties(of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try beginsObject("properties", in: &scanner), try scanner.enterObject() else { return }
    repeat {
      let key = try scanner.key()
      guard let field = ofProperties[key] else {
        try scanner.skipValue()
        continue
      }
      try readProperty(field, of: &scanner)
    } while try scanner.nextMember()
  }

  private mutating func readProperty(_ field: FeatureField, of scanner: inout JSONScanner) throws(JSONFailure) {
    switch field {
    case .mag: event.magnitude = try number("mag", from: &scanner)
    case .place: event.place = try text("place", from: &scanner)
    case .time:
      if let time = try date("time", from: &scanner) { (event.time, hasTime) = (time, true) }
    case .updated: event.updated = try date("updated", from: &scanner)
    case .url: event.url = try text("url", from: &scanner)
    case .detail: event.detail = try text("detail", from: &scanner)
    case .felt: event.felt = try integer("felt", from: &scanner)
    case .cdi: event.cdi = try number("cdi", from: &scanner)
    case .mmi: event.mmi = try number("mmi", from: &scanner)
    case .alert: event.alert = try text("alert", from: &scanner)
    case .status: event.status = try text("status", from: &scanner).map(Self.lowerCase)
    case .tsunami: event.tsunami = try integer("tsunami", from: &scanner)
    case .sig: event.significance = try integer("sig", from: &scanner)
    case .net: event.network = try text("net", from: &scanner)
    case .code: event.code = try text("code", from: &scanner)
    case .ids: event.ids = try text("ids", from: &scanner).map(Self.wrapped)
    case .sources: event.sources = try text("sources", from: &scanner).map(Self.wrapped)
    case .types: event.types = try text("types", from: &scanner).map(Self.wrapped)
    case .nst: event.nst = try integer("nst", from: &scanner)
    case .dmin: event.dmin = try number("dmin", from: &scanner)
    case .rms: event.rms = try number("rms", from: &scanner)
    case .gap: event.gap = try number("gap", from: &scanner)
    case .magType: event.magnitudeType = try text("magType", from: &scanner)
    case .type: event.type = try text("type", from: &scanner) ?? "earthquake"
    case .title: event.title = try text("title", from: &scanner)
    case .coordinates, .depth, .geometry, .id, .latitude, .longitude, .properties: try scanner.skipValue()
    }
  }
}

// MARK: - Values

extension FeatureParser {
  private mutating func note(_ reason: FeedProblem.Reason, at position: Int) {
    if trouble == nil { trouble = (reason, position) }
  }

  private mutating func beginsObject(
    _ field: String, in scanner: inout JSONScanner
  ) throws(JSONFailure) -> Bool {
    if try scanner.peek() == UInt8(ascii: "{") { return true }
    if try scanner.passNull() { return false }
    note(.wrongType(field), at: scanner.position)
    try scanner.skipValue()
    return false
  }

  private mutating func text(_ field: String, from scanner: inout JSONScanner) throws(JSONFailure) -> String? {
    if try scanner.peek() == UInt8(ascii: "\"") { return try scanner.string() }
    if try scanner.passNull() { return nil }
    note(.wrongType(field), at: scanner.position)
    try scanner.skipValue()
    return nil
  }

  private mutating func number(_ field: String, from scanner: inout JSONScanner) throws(JSONFailure) -> Double? {
    switch try scanner.peek() {
    case UInt8(ascii: "-"), 0x30...0x39: return try scanner.number()
    case UInt8(ascii: "n"):
      try scanner.passWord("null")
      return nil
    default:
      note(.wrongType(field), at: scanner.position)
      try scanner.skipValue()
      return nil
    }
  }

  /// Parses an integer, which some servers write as `12.0`.
  private mutating func integer(_ field: String, from scanner: inout JSONScanner) throws(JSONFailure) -> Int32? {
    let start = scanner.position
    guard let value = try number(field, from: &scanner) else { return nil }
    if let whole = Int32(exactly: value) { return whole }
    note(.wrongType(field), at: start)
    return nil
  }

  /// Milliseconds since 1970-01-01 UTC, negative before.
  private mutating func date(_ field: String, from scanner: inout JSONScanner) throws(JSONFailure) -> Date? {
    let start = scanner.position
    guard let milliseconds = try number(field, from: &scanner) else { return nil }
    // The years that a date can be written with: 0001 to 9999.
    guard -62_135_596_800_000..<253_402_300_800_000 ~= milliseconds else {
      note(.outOfRange(field), at: start)
      return nil
    }
    return Date(timeIntervalSince1970: milliseconds / 1000)
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
