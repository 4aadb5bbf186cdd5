import StrataQuakes
import Testing

@testable import StrataQuakesMap

struct MapProjectionTests {
  private let pacific = MapProjection(.world(), width: 360, height: 180)
  private let greenwich = MapProjection(.world(longitude: 0), width: 360, height: 180)

  private func segments(_ line: [(Double, Double)], _ projection: MapProjection) -> [Segment] {
    var found: [Segment] = []
    let positions = line.map { MapPosition(latitude: $0.0, longitude: $0.1) }
    projection.forEachSegment(of: positions) { found.append($0) }
    return found
  }

  @Test(arguments: [
    (0.0, 180.0, 180.0, 90.0), (0, -180, 180, 90), (90, 180, 180, 0), (-90, 180, 180, 180), (0, 0, 0, 90),
    (0, 90, 90, 90), (0, -90, 270, 90), (45, 540, 180, 45), (0, -0.5, 359.5, 90),
  ])
  func `a world map around the Pacific has correct positions`(
    _ latitude: Double, _ longitude: Double, _ x: Double, _ y: Double
  ) throws {
    let point = try #require(pacific.point(latitude: latitude, longitude: longitude))
    #expect(point == (x, y))
  }

  @Test func `an invalid position has no point`() {
    for (latitude, longitude) in [
      (91, 0), (-90.001, 0), (.nan, 0), (0, .nan), (0, .infinity), (-.infinity, 0),
    ] as [(Double, Double)] {
      #expect(pacific.point(latitude: latitude, longitude: longitude) == nil)
      #expect(segments([(0, 10), (latitude, longitude), (0, 20)], pacific).isEmpty)
    }
  }

  @Test func `a line across the seam is cut`() {
    #expect(segments([(0, 170), (10, -170)], pacific) == [Segment(x: 170, y: 90, toX: 190, toY: 80)])
    let cut = segments([(0, 170), (10, -170)], greenwich)
    #expect(
      Set(cut.map { "\($0.x) \($0.y) \($0.toX) \($0.toY)" }) == ["350.0 90.0 360.0 85.0", "0.0 85.0 10.0 80.0"])
    // The line continues on the other side of the seam.
    let long = segments([(0, 170), (0, -170), (0, -160)], greenwich)
    #expect(long.contains(Segment(x: 10, y: 90, toX: 20, toY: 90)))
  }

  @Test func `no segment is longer than its line or outside the map`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let region = MapRegion(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random),
        width: .random(in: 1...360, using: &random), height: .random(in: 1...180, using: &random))
      let projection = MapProjection(region, width: 200, height: 90)
      let start = (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
      let end = (start.0 / 2, start.1 + .random(in: -5...5, using: &random))
      let degree = projection.width / projection.visible.width
      for part in segments([start, end], projection) {
        #expect(abs(part.toX - part.x) <= 5 * degree + 1e-6, "\(region) \(start) \(end)")
        for x in [part.x, part.toX] { #expect(-1e-6...projection.width + 1e-6 ~= x, "\(region) \(start) \(end)") }
        for y in [part.y, part.toY] { #expect(-1e-6...projection.height + 1e-6 ~= y, "\(region) \(start) \(end)") }
      }
    }
  }

  @Test func `a degree of longitude has the width of its latitude`() throws {
    let region = MapRegion(latitude: 60, longitude: 20, width: 8, height: 4)
    let projection = MapProjection(region, width: 200, height: 200)
    let middle = try #require(projection.point(latitude: 60, longitude: 20))
    let east = try #require(projection.point(latitude: 60, longitude: 21))
    let north = try #require(projection.point(latitude: 61, longitude: 20))
    #expect(abs((east.x - middle.x) * 2 - (middle.y - north.y)) < 1e-9)
    #expect(abs(middle.x - 100) < 1e-9 && abs(middle.y - 100) < 1e-9)
  }

  @Test(arguments: ["170,-50,-170,-30", "-10,35,40,70", "-180,-90,180,90", "0,80,10,90", "20,-1,20,1", "-1,5,1,5"])
  func `a map of a box shows all of it`(_ text: String) throws {
    let box = try #require(GeoBox(text))
    for (width, height) in [(200.0, 50.0), (50, 200), (1, 1)] {
      let projection = MapProjection(MapRegion(box), width: width, height: height)
      #expect(projection.width <= width + 1e-9 && projection.height <= height + 1e-9)
      for (latitude, longitude) in [(box.south, box.west), (box.north, box.east), (box.south, box.east)] {
        // At the edge itself, rounding decides.
        let inner = (latitude * 0.999_999 + (box.south + box.north) / 2 * 1e-6, longitude)
        let point = projection.point(
          latitude: inner.0, longitude: inner.1 == box.east ? inner.1 - 1e-6 : inner.1 + 1e-6)
        #expect(point != nil, "\(text) \(width)x\(height): \(latitude), \(longitude)")
      }
    }
  }
}
