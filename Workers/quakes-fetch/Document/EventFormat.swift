/// The formats of bodies.
enum EventFormat: String, Sendable {
  /// GeoJSON: a list of events, one event, or messages of one event each; of the USGS, GeoNet or the EMSC.
  case geoJSON
  /// Comma-separated values, as the USGS writes them.
  case csv
  /// The text format of the FDSN's event services: `#EventID|Time|Latitude|…`.
  case fdsnText
}

extension EventFormat {
  /// Recognises the format of a body by its first bytes, whatever it is called.
  static func recognize(_ window: BodyWindow) throws(FeedFailure) -> EventFormat {
    let bytes = window.bytes
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw .notAFeed("it is UTF-16 text, and all feeds are UTF-8")
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = bytes[start...].first(where: { !isBlank($0) }) else { throw window.emptiness }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .geoJSON
    case UInt8(ascii: "<"): throw .notAFeed("it is a web page or XML of an unknown kind")
    default: break
    }
    let line = String(decoding: bytes[start...].drop { isBlank($0) }.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    if let header = TableHeader(line) { return header.format }
    let known = "GeoJSON, CSV of the USGS nor text of an FDSN event service"
    throw .notAFeed("it is neither \(known); it begins with \"\(line.prefix(60))\"")
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
