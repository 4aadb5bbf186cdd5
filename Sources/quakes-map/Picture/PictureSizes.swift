import Foundation

/// The sizes of what is in a picture of a map, in pixels.
struct PictureSizes {
  /// Of everything: 1 for a picture 1600 pixels wide.
  let scale: Double

  init(width: Int, height: Int) { scale = max(0.4, Double(min(width, 2 * height)) / 1600) }

  /// Of letters.
  var text: Double { max(10, 15 * scale) }

  /// Of a mark: half as large again for each unit of magnitude, near enough.
  func radius(of magnitude: Double?) -> Double {
    guard let magnitude, !magnitude.isNaN else { return 2.5 * scale }
    return 1.6 * scale * exp(0.31 * min(max(magnitude, 0), 10))
  }
}
