import CoreData
import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// A home with two earthquakes in its store, and with a user's own data.
final class PersonalHome: Sendable {
  let home: Home
  var url: URL { home.url }
  var location: StoreLocation { StoreLocation(folder: url.appendingPathComponent("group.quakes"), isChosen: true) }

  private static let fresh = Result {
    let home = try PersonalHome(home: Home(in: TemporaryFolder.make()))
    try home.fetch([
      Event("us7000abcd", magnitude: 6.1, place: "Tonga"), Event("ci40123456", magnitude: 2.2, place: "Ridgecrest"),
    ])
    return home
  }

  private init(home: Home) { self.home = home }

  /// A copy of the home that is filled once for all tests.
  convenience init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    try self.init(home: Home(copyOf: Self.fresh.get().home, in: parent))
  }

  convenience init(copyOf other: PersonalHome) throws { try self.init(home: Home(copyOf: other.home)) }

  /// An earthquake as a service reports it.
  struct Event: Sendable {
    var id: String
    var magnitude: Double
    var place: String
    /// All its IDs. If nil, `id` is the only one.
    var ids: [String]?
    var url: String?
    var updated: Int = 0

    init(
      _ id: String, magnitude: Double, place: String, ids: [String]? = nil, url: String? = nil, updated: Int = 0
    ) {
      (self.id, self.magnitude, self.place) = (id, magnitude, place)
      (self.ids, self.url, self.updated) = (ids, url, updated)
    }

    fileprivate var feature: [String: Any] {
      // Each earthquake has its own position, so that no two are joined as reports of the same earthquake.
      let longitude = Double(Int(FNV1a((ids?.first ?? id).suffix(4).description).value % 340)) - 170
      var properties: [String: Any] = [
        "mag": magnitude, "place": place, "time": 1_500_000_000_000, "updated": 1_500_000_100_000 + updated * 1000,
        "net": String(id.prefix(2)), "code": String(id.dropFirst(2)),
        "ids": "," + (ids ?? [id]).joined(separator: ",") + ",", "type": "earthquake",
      ]
      properties["url"] = url
      return [
        "type": "Feature", "id": id, "properties": properties,
        "geometry": ["type": "Point", "coordinates": [longitude, -21.2, 35]],
      ]
    }
  }

  /// Imports a feed of events.
  func fetch(_ events: [Event], generated: Int = 0) throws {
    let fetch = try Program("quakes-fetch", ["--once", try feed(events, generated: generated)], home: url)
    #expect(fetch.status() == 0, "\(fetch.errorText)")
  }

  /// Writes a feed of events.
  ///
  /// - Returns: The path of the feed.
  func feed(_ events: [Event], generated: Int = 0) throws -> String {
    // The metadata comes first, as services write it. Its time decides which of two feeds is older.
    let features = try JSONSerialization.data(withJSONObject: events.map(\.feature), options: .sortedKeys)
    let text =
      #"{"type":"FeatureCollection","metadata":{"generated":\#(1_500_000_200_000 + generated * 1000)},"features":"#
      + String(decoding: features, as: UTF8.self) + "}"
    return try home.write("\(UUID().uuidString).geojson", text)
  }

  /// Runs a command to its end.
  func quakes(
    _ arguments: String..., variables: [String: String] = [:]
  ) throws -> (status: Int32?, lines: [String], errorText: String) {
    let program = try Program("quakes", arguments, home: url, variables: variables)
    return (program.status(), program.lines, program.errorText)
  }

  /// The fields that a list shows of each earthquake.
  func list(_ template: String, _ arguments: String...) throws -> [String] {
    let program = try Program("quakes", ["list", "--template", template] + arguments, home: url)
    #expect(program.status() == 0, "\(program.errorText)")
    return program.lines
  }
}
