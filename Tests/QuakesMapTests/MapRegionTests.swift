import StrataQuakes
import Testing

@testable import StrataQuakesMap

struct MapRegionTests {
  @Test func aWorldIsWholeWhateverItsMiddle() {
    for longitude in [0, 180, -180, 359, 1e300, .nan, .infinity] {
      let region = MapRegion.world(longitude: longitude)
      #expect(region.width == 360 && region.height == 180 && region.latitude == 0)
      #expect(-180..<180 ~= region.longitude)
    }
  }
}
