import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes

/// The search for the nearest city.
struct CityGridTests {
  /// Returns the distance according to the haversine formula.
  private func kilometers(_ first: (Double, Double), _ second: (Double, Double)) -> Double {
    let (north1, north2) = (first.0 * .pi / 180, second.0 * .pi / 180)
    let (north, east) = (sin((north2 - north1) / 2), sin((second.1 - first.1) * .pi / 360))
    return 2 * 6371.0088 * asin(min(1, (north * north + cos(north1) * cos(north2) * east * east).squareRoot()))
  }

  private func makeGrid(_ cities: [(Int32, Double, Double)]) -> CityGrid { CityGrid(cities.map { ($0, $1, $2) }) }

  @Test func `the nearest city is found across the date line`() throws {
    let grid = makeGrid([(1, -17.0, 177.0), (2, -17.0, -179.9)])
    let fromTheWest = try #require(grid.nearest(latitude: -17, longitude: 179.9))
    #expect(fromTheWest.geonamesID == 2)
    #expect(abs(fromTheWest.distance - kilometers((-17, 179.9), (-17, -179.9))) < 0.01)
    #expect(abs(fromTheWest.bearing - 270) < 0.1)
    #expect(grid.nearest(latitude: -17, longitude: -180)?.geonamesID == 2)
    #expect(grid.nearest(latitude: -17, longitude: 180)?.geonamesID == 2)
    // FDSN services have longitudes beyond 180°.
    let beyond = try #require(grid.nearest(latitude: -17, longitude: 180.05))
    #expect(beyond.geonamesID == 2 && abs(beyond.distance - kilometers((-17, -179.95), (-17, -179.9))) < 0.01)
  }

  @Test func `the nearest city is found at and across a pole`() throws {
    let grid = makeGrid([(1, 83.0, 10.0), (2, 85.0, -120.0), (3, -84.0, 77.0), (4, 90.0, 0.0)])
    #expect(grid.nearest(latitude: 89, longitude: 10)?.geonamesID == 4)
    let beyond = try #require(makeGrid([(2, 85.0, -120.0)]).nearest(latitude: 89, longitude: 60))
    #expect(beyond.geonamesID == 2)
    #expect(abs(beyond.distance - kilometers((85, -120), (89, 60))) < 0.01)
    // Straight over the pole.
    #expect(min(beyond.bearing, 360 - beyond.bearing) < 0.1)
    let south = try #require(grid.nearest(latitude: -90, longitude: 0))
    #expect(south.geonamesID == 3 && abs(south.bearing - 180) < 0.1)
  }

  @Test func `positions far out at sea and invalid positions have no nearest city`() {
    let grid = makeGrid([(1, 0.0, 0.0), (2, .nan, 0), (3, 0, .infinity), (4, 91, 0)])
    #expect(grid.count == 1)
    #expect(grid.nearest(latitude: 8.9, longitude: 0)?.geonamesID == 1)
    #expect(grid.nearest(latitude: 9.1, longitude: 0) == nil)
    for value in [Double.nan, .infinity, -.infinity, 1e308] {
      #expect(grid.nearest(latitude: value, longitude: 0) == nil)
    }
    for value in [Double.nan, .infinity] { #expect(grid.nearest(latitude: 0, longitude: value) == nil) }
    // Longitudes of any size are accepted.
    _ = grid.nearest(latitude: 0, longitude: 1e308)
    #expect(makeGrid([]).nearest(latitude: 0, longitude: 0) == nil)
  }

  /// Compares the result with every city's distance, at random positions.
  @Test func `the grid finds the same city as a comparison of all cities`() throws {
    var random = SeededRandom()
    func position() -> (Double, Double) {
      (asin(.random(in: -1...1, using: &random)) * 180 / .pi, .random(in: -180...180, using: &random))
    }
    let cities = (0..<2000).map { _ in position() }
    let grid = makeGrid(cities.enumerated().map { (Int32($0.offset), $0.element.0, $0.element.1) })
    for epicenter in (0..<2000).map({ _ in position() }) {
      let distances = cities.map { kilometers($0, epicenter) }
      let shortest = try #require(distances.min())
      let found = grid.nearest(latitude: epicenter.0, longitude: epicenter.1)
      guard let found else {
        #expect(shortest > 999.99, "\(epicenter)")
        continue
      }
      #expect(abs(found.distance - shortest) < 0.01, "\(epicenter)")
      #expect(abs(found.distance - distances[Int(found.geonamesID)]) < 0.01)
      #expect((0..<360).contains(found.bearing))
    }
  }

  @Test func `a nearest city is written in words`() {
    var city = NearestCity(
      name: "Skopje", country: "North Macedonia", population: 474_889, distance: 12.2, bearing: 335)
    #expect(city.textWithPopulation() == "12 km NNW of Skopje, North Macedonia (pop. 474,889)")
    (city.population, city.bearing) = (0, 359)
    #expect(city.textWithPopulation() == "12 km N of Skopje, North Macedonia")
    (city.country, city.region, city.distance) = ("United States", "California", 301)
    #expect(city.text() == "301 km N of Skopje, California" && !city.isDescriptive)
    let points = [0.0, 11.2, 11.3, 90, 180, 270, 348.7, 348.8, 720, -22.5].map(CompassPoint.name)
    #expect(points == ["N", "N", "NNE", "E", "S", "W", "NNW", "N", "N", "NNW"])
    #expect(CompassPoint.name(of: .nan) == "?")
  }
}
