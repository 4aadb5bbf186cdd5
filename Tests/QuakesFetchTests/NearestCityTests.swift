import CoreData
import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// The nearest cities of imported events. All of them are on 20° E.
struct NearestCityTests {
  private static let grid = CityGrid([
    (geonamesID: 1, latitude: 10, longitude: 20), (geonamesID: 2, latitude: 14, longitude: 20),
  ])

  private func snapshot(_ generated: Double, _ latitude: Double, id: String = "us1") -> SnapshotText {
    SnapshotText(generated: generated, events: [.init(id: id, hours: -1, latitude: latitude)])
  }

  /// The city's ID, whole kilometers and bearing, or "none".
  private func city(_ id: String, _ catalog: Catalog) throws -> String {
    try catalog.read { context in
      let quake = try #require(try Quake.find(id, in: context))
      guard let city = quake.cityID, let distance = quake.cityDistance else { return "none" }
      return "\(city) \(distance.int32Value) \(CompassPoint.name(of: try #require(quake.cityBearing).doubleValue))"
    }
  }

  @Test func `the nearest city follows the event's position`() throws {
    let catalog = try Catalog()
    catalog.cities = Self.grid
    try catalog.ingest(snapshot(0, 11))
    #expect(try city("us1", catalog) == "1 111 N")
    try catalog.ingest(snapshot(1, 13))
    #expect(try city("us1", catalog) == "2 111 S")
    // An older report does not change the position.
    try catalog.ingest(snapshot(0.5, 10.5))
    #expect(try city("us1", catalog) == "2 111 S")
    try catalog.ingest(snapshot(2, -40))
    #expect(try city("us1", catalog) == "none")
  }

  /// The last report of a withdrawn event may arrive late.
  @Test func `the nearest city follows a withdrawn event's last position`() throws {
    let catalog = try Catalog()
    catalog.cities = Self.grid
    try catalog.ingest(snapshot(0, 11), snapshot(2, 10, id: "us2"))
    #expect(try catalog.ids(.retracted) == ["us1"])
    #expect(try city("us1", catalog) == "1 111 N")
    try catalog.ingest(snapshot(1, 13))
    #expect(try city("us1", catalog) == "2 111 S")
  }

  /// The service does not report the nearest city.
  @Test func `completing the nearest city is not a revision`() throws {
    let catalog = try Catalog()
    try catalog.ingest(snapshot(0, 11))
    try CityCompletion(container: catalog.container, location: catalog.location).run(Self.grid, from: "one")
    let (count, learnt) = try catalog.read { context in
      let quake = try #require(try Quake.find("us1", in: context))
      return (quake.history.count, quake.learnt)
    }
    #expect(count == 1 && learnt == SnapshotText.date(100))
  }

  @Test func `the nearest city is completed once for each reference store`() throws {
    let catalog = try Catalog()
    try catalog.ingest(snapshot(0, 11))
    let completion = CityCompletion(container: catalog.container, location: catalog.location)
    try completion.run(nil, from: nil)
    #expect(try city("us1", catalog) == "none")
    try completion.run(Self.grid, from: "one")
    #expect(try city("us1", catalog) == "1 111 N")
    // The same store again changes nothing; another one does.
    let other = CityGrid([(geonamesID: 3, latitude: 11, longitude: 20)])
    try completion.run(other, from: "one")
    #expect(try city("us1", catalog) == "1 111 N")
    try completion.run(other, from: "two")
    #expect(try city("us1", catalog) == "3 0 N")
    // Events stored without a reference store are completed when it is available again.
    try completion.run(nil, from: nil)
    try catalog.ingest(snapshot(1, 13, id: "us2"))
    #expect(try city("us2", catalog) == "none")
    try completion.run(other, from: "two")
    #expect(try city("us2", catalog) == "3 222 N")
  }
}
