/// The formats of bodies.
enum EventFormat: String, Sendable {
  /// GeoJSON: a list of events, one event, or messages of one event each; of the USGS, GeoNet or the EMSC.
  case geoJSON
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
    if first == UInt8(ascii: "<") { throw .notAFeed("it is a web page or XML of an unknown kind") }
    return .geoJSON
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
