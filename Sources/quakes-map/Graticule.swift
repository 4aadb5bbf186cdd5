import Foundation
import StrataQuakes

/// The meridians and parallels that are drawn: those of round numbers.
struct Graticule {
  /// Degrees between two of them.
  let step: Double
  let longitudes: [Double]
  let latitudes: [Double]
  private let region: MapRegion

  private static let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60]

  init(_ region: MapRegion) {
    let step = Self.steps.first { region.width / $0 <= 8 } ?? 60
    func multiples(from low: Double, to high: Double) -> [Double] {
      stride(from: (low / step).rounded(.up), through: (high / step).rounded(.down), by: 1).map { $0 * step }
    }
    let west = region.longitude - region.width / 2
    // The last meridian of a whole turn is the first.
    let east = region.width >= 360 ? west + 359.999 : west + region.width
    longitudes = multiples(from: west, to: east).map(MapRegion.wrapped)
    latitudes = multiples(from: region.latitude - region.height / 2, to: region.latitude + region.height / 2)
      .filter { abs($0) < 90 }
    (self.step, self.region) = (step, region)
  }

  /// From edge to edge, in parts of less than half a turn.
  var lines: [[MapPosition]] {
    let (south, north) = (region.latitude - region.height / 2, region.latitude + region.height / 2)
    let meridians = longitudes.map { longitude in
      [MapPosition(latitude: south, longitude: longitude), MapPosition(latitude: north, longitude: longitude)]
    }
    let parallels = latitudes.map { latitude in
      (0...4).map { part in
        // The right edge of a whole turn is the left one.
        let share = min(Double(part) / 4, 1 - 1e-9)
        let longitude = MapRegion.wrapped(region.longitude + (share - 0.5) * region.width)
        return MapPosition(latitude: latitude, longitude: longitude)
      }
    }
    return meridians + parallels
  }

  /// `120°W`, `35.5°N`, `180°`, `0°`
  ///
  /// - Parameter letters: of the positive and of the negative side.
  func text(_ degrees: Double, _ letters: (String, String)) -> String {
    let size = abs(degrees)
    let number = step >= 1 ? DecimalText.whole(size) : String(format: step >= 0.1 ? "%.1f" : "%.2f", size)
    let letter = size < 1e-9 || size > 179.999 ? "" : degrees > 0 ? letters.0 : letters.1
    return "\(number)°\(letter)"
  }
}
