import Foundation

/// One event of a feed, with the fields of the USGS summary format:
/// https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php
///
/// nil means null or absent: an unknown magnitude is not 0.
struct ParsedEvent: Equatable, Sendable {
  /// Network and code: the ID that the service currently prefers; it may change.
  var identifier = ""
  var magnitude: Double?
  /// As written: `ml`, `Md`, `mww`, …
  var magnitudeType: String?
  var place: String?
  /// Origin time.
  var time = Date(timeIntervalSince1970: 0)
  /// When the service last changed the event; it may change a place without this.
  var updated: Date?
  /// Degrees, east positive.
  var longitude = 0.0
  /// Degrees, north positive.
  var latitude = 0.0
  /// Kilometers below the datum; negative above it.
  var depth: Double?
  var url: String?
  var detail: String?
  /// The number of people who reported feeling it.
  var felt: Int32?
  /// Greatest reported intensity.
  var cdi: Double?
  /// Greatest computed intensity.
  var mmi: Double?
  /// `green`, `yellow`, `orange` or `red`.
  var alert: String?
  /// `automatic` or `reviewed`, in lower case; older feeds use upper case.
  var status: String?
  /// 1 for a large event in an oceanic region. Does not mean that there is a tsunami.
  var tsunami: Int32?
  var significance: Int32?
  var network: String?
  /// Unique only within its network.
  var code: String?
  /// `,a,b,`: all IDs that the event has had, in no particular order.
  var ids: String?
  /// `,a,b,`: the contributing networks.
  var sources: String?
  /// `,a,b,`: the types of available products.
  var types: String?
  /// The number of stations used.
  var nst: Int32?
  /// Degrees to the nearest station.
  var dmin: Double?
  /// The travel-time residual in seconds.
  var rms: Double?
  /// The largest azimuthal gap between stations, in degrees.
  var gap: Double?
  /// `earthquake`, `quarry blast`, …; null means earthquake.
  var type = "earthquake"
  var title: String?
  /// The fields that the document has for this event, null or not. A format without a field does not change it.
  var presentFields: EventFields = []
}

/// Fields of an event in a document.
struct EventFields: OptionSet, Hashable, Sendable {
  var rawValue: UInt32

  static let magnitude = EventFields(rawValue: 1 << 0)
  static let magnitudeType = EventFields(rawValue: 1 << 1)
  static let place = EventFields(rawValue: 1 << 2)
  static let updated = EventFields(rawValue: 1 << 3)
  static let depth = EventFields(rawValue: 1 << 4)
  static let url = EventFields(rawValue: 1 << 5)
  static let detail = EventFields(rawValue: 1 << 6)
  static let felt = EventFields(rawValue: 1 << 7)
  static let cdi = EventFields(rawValue: 1 << 8)
  static let mmi = EventFields(rawValue: 1 << 9)
  static let alert = EventFields(rawValue: 1 << 10)
  static let status = EventFields(rawValue: 1 << 11)
  static let tsunami = EventFields(rawValue: 1 << 12)
  static let significance = EventFields(rawValue: 1 << 13)
  static let network = EventFields(rawValue: 1 << 14)
  static let code = EventFields(rawValue: 1 << 15)
  static let ids = EventFields(rawValue: 1 << 16)
  static let sources = EventFields(rawValue: 1 << 17)
  static let types = EventFields(rawValue: 1 << 18)
  static let nst = EventFields(rawValue: 1 << 19)
  static let dmin = EventFields(rawValue: 1 << 20)
  static let rms = EventFields(rawValue: 1 << 21)
  static let gap = EventFields(rawValue: 1 << 22)
  static let type = EventFields(rawValue: 1 << 23)
  static let title = EventFields(rawValue: 1 << 24)
}

extension ParsedEvent {
  /// Whether the service reports that the event did not happen.
  var isDeleted: Bool { status == "deleted" }

  /// The weight in the limit on objects in memory: 1, and more for long texts and many IDs.
  var weight: Int {
    let texts = [
      identifier, magnitudeType, place, url, detail, alert, status, network, code, ids, sources, types, type, title,
    ]
    let size = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    return 1 + size / 1024 + (ids?.utf8.count { $0 == UInt8(ascii: ",") } ?? 0) / 8
  }

  /// The IDs besides the event's own.
  var otherIDs: [String] {
    guard let ids, ids.utf8.count > identifier.utf8.count + 2 else { return [] }
    return ids.split(separator: ",").map(String.init).filter { $0 != identifier }
  }
}
