import CoreData
import Foundation
import Testing

@testable import StrataQuakes
@testable import strata_quakes_fetch

/// The nearest cities of imported events. All of them are on 20° E.
struct NearestCityTests {
  private static let grid = CityGrid([
    (geonamesID: 1, latitude: 10, longitude: 20), (geonamesID: 2, latitude: 14, longitude: 20),
  ])

  private func snapshot(_ generated: Double, _ latitude: Double, id: String = "us1") -> SnapshotText {
    SnapshotText(generated: generated, events: [.init(id: id, hours: -1, latitude: latitude)])
  }

  /// The city's id and whole kilometres; "none" without one.
  private func city(_ id: String, _ catalog: Catalog) throws -> String {
    try catalog.read { context in
      let quake = try #require(try Quake.find(id, in: context))
      guard let city = quake.cityID, let distance = quake.cityDistance else { return "none" }
      return "\(city) \(distance.int32Value) \(CompassPoint.name(of: try #require(quake.cityBearing).doubleValue))"
    }
  }

  @Test func followsTheEventsPosition() throws {
    let catalog = try Catalog()
    catalog.cities = Self.grid
    try catalog.take(snapshot(0, 11))
    #expect(try city("us1", catalog) == "1 111 N")
    try catalog.take(snapshot(1, 13))
    #expect(try city("us1", catalog) == "2 111 S")
    // What was said earlier is not where it is.
    try catalog.take(snapshot(0.5, 10.5))
    #expect(try city("us1", catalog) == "2 111 S")
    try catalog.take(snapshot(2, -40))
    #expect(try city("us1", catalog) == "none")
  }

  /// What was last said of a withdrawn event may come late.
  @Test func followsTheLastPositionOfAWithdrawnEvent() throws {
    let catalog = try Catalog()
    catalog.cities = Self.grid
    try catalog.take(snapshot(0, 11), snapshot(2, 10, id: "us2"))
    #expect(try catalog.ids(.retracted) == ["us1"])
    #expect(try city("us1", catalog) == "1 111 N")
    try catalog.take(snapshot(1, 13))
    #expect(try city("us1", catalog) == "2 111 S")
  }

  /// The nearest city is no news of the service's.
  @Test func isNoRevision() throws {
    let catalog = try Catalog()
    try catalog.take(snapshot(0, 11))
    try CityCompletion(container: catalog.container, location: catalog.location).run(Self.grid, from: "one")
    let (count, learnt) = try catalog.read { context in
      let quake = try #require(try Quake.find("us1", in: context))
      return (quake.history.count, quake.learnt)
    }
    #expect(count == 1 && learnt == SnapshotText.date(100))
  }

  @Test func isCompletedOnceForEachReferenceStore() throws {
    let catalog = try Catalog()
    try catalog.take(snapshot(0, 11))
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
    // What was stored while there was no store is completed when it is back.
    try completion.run(nil, from: nil)
    try catalog.take(snapshot(1, 13, id: "us2"))
    #expect(try city("us2", catalog) == "none")
    try completion.run(other, from: "two")
    #expect(try city("us2", catalog) == "3 222 N")
  }
}
