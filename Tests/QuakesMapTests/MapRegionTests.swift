import StrataQuakes
import Testing

@testable import StrataQuakesMap

struct MapRegionTests {
  @Test func `a world map is complete around any center`() {
    for longitude in [0, 180, -180, 359, 1e300, .nan, .infinity] {
      let region = MapRegion.world(longitude: longitude)
      #expect(region.width == 360 && region.height == 180 && region.latitude == 0)
      #expect(-180..<180 ~= region.longitude)
    }
  }

  @Test func `impossible numbers are clamped`() {
    for number in [-.infinity, -1e300, -1, 0, 1e300, .infinity, .nan] {
      for region in [
        MapRegion(latitude: number, longitude: number, width: number, height: number),
        MapRegion(latitude: number, longitude: 10, width: 20, height: 20), MapRegion.world().zoomed(number),
        MapRegion.world().zoomed(10).panned(east: number, north: number),
      ] {
        #expect(-180..<180 ~= region.longitude && MapRegion.smallest...360 ~= region.width, "\(number): \(region)")
        #expect(abs(region.latitude) + region.height / 2 <= 90, "\(number): \(region)")
      }
    }
  }

  @Test func `a box across the date line keeps its width`() throws {
    let region = MapRegion(try #require(GeoBox("170,-50,-170,-30")))
    #expect(region.width == 20 && region.height == 20 && region.latitude == -40 && region.longitude == -180)
    let world = MapRegion(try #require(GeoBox("-180,-90,180,90")))
    #expect(world.width == 360 && world.height == 180)
  }

  @Test func `a region contains its circle`() throws {
    let circle = try #require(GeoCircle(latitude: 60, longitude: 179, radius: 500))
    let region = MapRegion(circle)
    #expect(abs(region.height - 8.993) < 0.001 && abs(region.width - 2 * region.height) < 1e-9)
    let pole = MapRegion(try #require(GeoCircle(latitude: 90, longitude: 0, radius: 500)))
    #expect(pole.width == 360 && pole.latitude < 90)
  }

  @Test func `zooming and panning can be reversed`() {
    let region = MapRegion(latitude: 10, longitude: 170, width: 40, height: 20)
    let moved = region.panned(east: 0.5, north: 0.25)
    #expect(moved == MapRegion(latitude: 15, longitude: -170, width: 40, height: 20))
    #expect(moved.panned(east: -0.5, north: -0.25) == region)
    #expect(region.zoomed(2) == MapRegion(latitude: 10, longitude: 170, width: 20, height: 10))
    #expect(region.zoomed(2).zoomed(0.5) == region)
    #expect(MapRegion.world().panned(east: 0, north: 1) == .world())
  }
}
