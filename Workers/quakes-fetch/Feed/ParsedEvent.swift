import Foundation

/// One event as a feed tells it. Field by field the USGS summary form:
/// https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php
///
/// `nil` means that the feed said null or nothing: a magnitude that is not known is not 0.
struct ParsedEvent: Equatable, Sendable {
  /// Network and code, the id that the service prefers today; it may change.
  var identifier = ""
  var magnitude: Double?
  /// As written: `ml`, `Md`, `mww`, …
  var magnitudeType: String?
  var place: String?
  /// Origin time.
  var time = Date(timeIntervalSince1970: 0)
  /// When the service last changed the event; a place may change without it.
  var updated: Date?
  /// Degrees, east positive.
  var longitude = 0.0
  /// Degrees, north positive.
  var latitude = 0.0
  /// Kilometres below the datum; above it is negative.
  var depth: Double?
  var url: String?
  var detail: String?
  /// Reports of people who felt it.
  var felt: Int32?
  /// Greatest reported intensity.
  var cdi: Double?
  /// Greatest computed intensity.
  var mmi: Double?
  /// `green`, `yellow`, `orange` or `red`.
  var alert: String?
  /// `automatic` or `reviewed`; older feeds write it in upper case, here it never is.
  var status: String?
  /// 1 for a large event in an oceanic region. It does not say that there is a tsunami.
  var tsunami: Int32?
  var significance: Int32?
  var network: String?
  /// Unique within its network only.
  var code: String?
  /// `,a,b,`: every id that the event has had, in no order of preference.
  var ids: String?
  /// `,a,b,`: networks that contributed.
  var sources: String?
  /// `,a,b,`: kinds of products that exist.
  var types: String?
  /// Stations used.
  var nst: Int32?
  /// Degrees to the nearest station.
  var dmin: Double?
  /// Seconds of travel-time residual.
  var rms: Double?
  /// Degrees of the largest gap between stations.
  var gap: Double?
  /// `earthquake`, `quarry blast`, …; null means earthquake.
  var type = "earthquake"
  var title: String?
}
