import Foundation

/// One event of a feed, with the fields of the USGS summary format:
/// https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php
///
/// nil means null or absent: an unknown magnitude is not 0.
struct ParsedEvent: Equatable, Sendable {
  /// Network and code: the id that the service currently prefers; it may change.
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
  /// Kilometres below the datum; negative above it.
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
  /// `,a,b,`: all ids that the event has had, in no particular order.
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
}
