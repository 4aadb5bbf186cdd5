import StrataQuakes
import Testing

/// Distances, positions and orders as users type them.
@Suite struct TypedTextTests {
  @Test(
    arguments: [
      ("500km", 500), ("500", 500), ("300 km", 300), ("2 Kilometers", 2), ("0", 0), ("10mi", 16.09344),
      ("10 miles", 16.09344), ("1mile", 1.609344), ("1deg", 111.19), ("2 degrees", 222.39), ("3°", 333.59),
      ("1e2km", 100),
      (" 5 km ", 5), (".5km", 0.5),
    ] as [(String, Double)]) func `a distance has a unit in any form`(_ text: String, kilometers: Double) throws
  {
    let distance = try #require(DistanceText.kilometers(text))
    #expect(abs(distance - kilometers) < 0.01)
  }

  @Test(arguments: ["", "km", "-5km", "5 apples", "nan", "inf km", "5 km 3", "five km", "5m", "1,000km"])
  func `other texts are no distance`(_ text: String) { #expect(DistanceText.kilometers(text) == nil) }

  @Test(
    arguments: [
      ("35.7,139.7", 35.7, 139.7), ("35.7N,139.7E", 35.7, 139.7), ("35.7 139.7", 35.7, 139.7), ("-20,-70", -20, -70),
      ("20S, 70W", -20, -70), ("S20 W70", -20, -70), ("70W 20S", -20, -70), ("35.7°n 139.7°e", 35.7, 139.7),
      (" 42.0 , 21.4 ", 42, 21.4), ("0,360", 0, 360),
    ] as [(String, Double, Double)]) func `a position has two numbers with or without directions`(
      _ text: String, latitude: Double, longitude: Double
    ) throws
  {
    let position = try #require(PositionText.position(text))
    #expect(position.latitude == latitude && position.longitude == longitude)
  }

  @Test(
    arguments: [
      "", "35", "35,", "35,139,7", "35N,139N", "35E,139W", "95,10", "10,400", "-20S,70W", "3S5,70W", "N,E", "tokyo",
      "nan,1",
      "35NS,10", "inf,0",
    ]) func `other texts are no position`(_ text: String)
  { #expect(PositionText.position(text) == nil) }

  @Test func `an order has other names`() {
    #expect(QuakeQuery.Order(named: "mag") == .magnitude && QuakeQuery.Order(named: "Magnitude") == .magnitude)
    #expect(QuakeQuery.Order(named: "date") == .time && QuakeQuery.Order(named: "dist") == .distance)
    #expect(QuakeQuery.Order(named: "color") == nil)
  }

  @Test func `a field has the names of the USGS and abbreviations`() {
    let names = ["mag", "magType", "lat", "lon", "depth", "dist", "net", "sig", "felt", "id", "magnitude"]
    let fields = [
      "magnitude", "magnitude_type", "latitude", "longitude", "depth_km", "distance_km", "network", "significance",
      "felt_reports", "id", "magnitude",
    ]
    #expect(names.map { FactField.named($0)?.name } == fields)
    #expect(FactField.named("color") == nil && FactField.named("") == nil)
  }
}
