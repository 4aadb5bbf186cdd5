/// The formats of bodies.
enum EventFormat: String, Sendable {
  /// GeoJSON: a list of events, one event, or messages of one event each; of the USGS, GeoNet or the EMSC.
  case geoJSON
  /// Comma-separated values, as the USGS writes them.
  case csv
  /// The text format of the FDSN's event services: `#EventID|Time|Latitude|…`.
  case fdsnText
  /// QuakeML 1.2, or the few elements of other versions that are the same.
  case quakeML
  /// Atom with GeoRSS, of the USGS or the INGV.
  case atom
}

extension EventFormat {
  /// Recognizes the format of a body by its first bytes, regardless of its name.
  static func recognize(_ window: BodyWindow) throws(FeedFailure) -> EventFormat {
    let bytes = window.bytes
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw .notAFeed("it is UTF-16 text, but feeds must be UTF-8")
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = bytes[start...].first(where: { !isBlank($0) }) else { throw window.emptiness }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .geoJSON
    case UInt8(ascii: "<"): return try recognizeMarkup(window)
    default: break
    }
    let line = String(decoding: bytes[start...].drop { isBlank($0) }.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    if let header = TableHeader(line) { return header.format }
    let known = "GeoJSON, CSV of the USGS, text of an FDSN event service, QuakeML nor Atom"
    throw .notAFeed("it is neither \(known); it begins with \"\(line.prefix(60))\"")
  }

  private static func recognizeMarkup(_ window: BodyWindow) throws(FeedFailure) -> EventFormat {
    var tags = MarkupTags(window)
    let root = tags.next(keeping: 0)?.name ?? ""
    switch root.lowercased() {
    case "quakeml": return .quakeML
    case "feed": return .atom
    case "html": throw .notAFeed("it is a web page")
    case "": throw .notAFeed("it begins like XML, but does not have an element")
    default: throw .notAFeed("it is XML, but its root is <\(root.prefix(40))>, neither QuakeML nor Atom")
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || 0x09...0x0D ~= byte
  }
}

extension BodyWindow {
  /// Why there is nothing in the body.
  fileprivate var emptiness: FeedFailure {
    failure.map { .unreadable($0) } ?? .empty
  }
}
