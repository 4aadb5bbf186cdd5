/// Pixels of red, green and blue, row by row from the upper left corner.
struct Raster: Equatable, Sendable {
  let width: Int
  let height: Int
  /// Three bytes a pixel.
  private(set) var bytes: [UInt8]

  struct Color: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    /// `#rrggbb`
    var text: String {
      "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  /// - Parameters: pixels, at least 1.
  init(width: Int, height: Int, color: Color) {
    (self.width, self.height) = (width, height)
    bytes = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
      count = width * height * 3
      for index in 0..<width * height {
        (buffer[index * 3], buffer[index * 3 + 1], buffer[index * 3 + 2]) = (color.red, color.green, color.blue)
      }
    }
  }

  subscript(x: Int, y: Int) -> Color {
    let index = (y * width + x) * 3
    return Color(red: bytes[index], green: bytes[index + 1], blue: bytes[index + 2])
  }

  /// Mixes a color into a pixel; ignores pixels outside of the raster.
  ///
  /// - Parameter share: of the new color, from 0 to 1.
  mutating func blend(_ color: Color, x: Int, y: Int, share: Double) {
    guard 0..<width ~= x, 0..<height ~= y, share > 0 else { return }
    let index = (y * width + x) * 3
    let share = Int(min(share, 1) * 256)
    func mix(_ old: UInt8, _ new: UInt8) -> UInt8 { UInt8((Int(old) * (256 - share) + Int(new) * share) / 256) }
    bytes[index] = mix(bytes[index], color.red)
    bytes[index + 1] = mix(bytes[index + 1], color.green)
    bytes[index + 2] = mix(bytes[index + 2], color.blue)
  }

  mutating func blend(_ color: Color, where mask: LineMask, left: Int, top: Int) {
    for y in 0..<mask.height {
      for x in 0..<mask.width {
        let share = mask.shares[y * mask.width + x]
        if share > 0 { blend(color, x: left + x, y: top + y, share: Double(share) / 255) }
      }
    }
  }

  /// Draws a disc with a rim.
  ///
  /// - Parameters:
  ///   - share: of the color within the rim.
  ///   - area: outside of which nothing is drawn.
  mutating func disc(
    x: Double, y: Double, radius: Double, color: Color, share: Double, rim: Color, rimWidth: Double, area: PixelArea
  ) {
    let reach = radius + rimWidth + 1
    for row in area.rows(y - reach, y + reach) {
      for column in area.columns(x - reach, x + reach) {
        let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
        let distance = (dx * dx + dy * dy).squareRoot()
        blend(color, x: column, y: row, share: share * min(max(radius + 0.5 - distance, 0), 1))
        blend(rim, x: column, y: row, share: min(max(rimWidth / 2 + 0.5 - abs(distance - radius), 0), 1))
      }
    }
  }
}

/// A rectangle of pixels.
struct PixelArea: Equatable {
  var left: Int
  var top: Int
  var width: Int
  var height: Int

  func columns(_ low: Double, _ high: Double) -> Range<Int> { Self.range(low, high, within: left..<left + width) }
  func rows(_ low: Double, _ high: Double) -> Range<Int> { Self.range(low, high, within: top..<top + height) }

  private static func range(_ low: Double, _ high: Double, within all: Range<Int>) -> Range<Int> {
    guard low < Double(all.upperBound), high >= Double(all.lowerBound) else { return all.lowerBound..<all.lowerBound }
    return max(all.lowerBound, Int(low))..<min(all.upperBound, Int(high) + 1)
  }
}
