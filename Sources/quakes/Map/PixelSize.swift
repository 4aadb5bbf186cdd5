import StrataQuakesMap

/// The size of a picture in pixels.
struct PixelSize: Equatable {
  var width: Int
  var height: Int

  /// The same proportions within a limit that makes sense.
  func limited(to largest: PixelSize?) -> PixelSize {
    guard let largest, MapPicture.sides.contains(largest.width), MapPicture.sides.contains(largest.height) else {
      return self
    }
    let scale = min(1, Double(largest.width) / Double(width), Double(largest.height) / Double(height))
    return PixelSize(width: Int(Double(width) * scale), height: Int(Double(height) * scale))
  }
}
