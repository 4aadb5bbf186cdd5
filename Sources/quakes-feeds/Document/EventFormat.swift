import Foundation
import StrataQuakes

/// The formats of bodies; the raw value is the name for the option `--format`. `EventFormat.table` describes them.
public enum EventFormat: String, CaseIterable, Sendable {
  /// A list of events, one event, or messages of one event each; of the USGS, GeoNet or the EMSC.
  case geoJSON = "geojson"
  /// Of the USGS.
  case csv
  /// `#EventID|Time|Latitude|…`
  case fdsnText = "text"
  /// https://quake.ethz.ch/quakeml
  case quakeML = "quakeml"
  /// With GeoRSS.
  case atom
  /// Of SeisComP.
  case sc3ml
  /// The Global CMT catalog.
  case ndk
  /// A bulletin in the IASPEI Seismic Format.
  case isf
  /// A table of numbers, as of the program ZMAP.
  case zmap
  /// Lists of Indonesia's BMKG.
  case bmkg
  /// The same lists as XML.
  case bmkgXML = "bmkg-xml"
  /// The list of Turkey's AFAD.
  case afad
  /// The list of the Japan Meteorological Agency.
  case jma
}

/// The description of one format: the only place that knows how it is recognized and read, and what it is called.
struct FormatRow: Sendable {
  typealias Reader = @Sendable (BodyWindow, Date) throws(FeedFailure) -> any EventReader

  let format: EventFormat
  /// For people.
  let title: String
  /// Of file names, without the dot.
  let extensions: [String]
  /// The fields that an event may have, besides those of every event.
  let fields: QuakeFieldSet
  /// Whether a body that begins like this may be in the format. The first row of the table that matches is the format.
  let matches: @Sendable (BodyOpening) -> Bool
  /// Begins to read a body; the date is the latest that an event may have.
  let reader: Reader
}

extension EventFormat {
  /// Recognizes the format of a body by its first bytes, regardless of its name.
  static func recognize(_ window: BodyWindow) throws(FeedFailure) -> EventFormat {
    let opening = try BodyOpening(window)
    if let row = table.first(where: { $0.matches(opening) }) { return row.format }
    throw .notAFeed(opening.refusal)
  }

  var row: FormatRow {
    guard let row = Self.table.first(where: { $0.format == self }) else { fatalError("\(self) is not in the table") }
    return row
  }

  /// One line for each format: its name, its title and the extensions of its files.
  public static var list: String {
    let width = (table.map { $0.format.rawValue.count }.max() ?? 0) + 2
    return table.map { row in
      let name = row.format.rawValue
      let extensions = row.extensions.map { ".\($0)" }.joined(separator: ", ")
      return "  \(name)\(String(repeating: " ", count: width - name.count))\(row.title) (\(extensions))"
    }.joined(separator: "\n")
  }
}
