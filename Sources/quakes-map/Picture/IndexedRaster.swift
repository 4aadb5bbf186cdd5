/// Pixels of at most 256 colours: as many as terminals have registers for, and the smaller PNG files.
public struct IndexedRaster: Equatable, Sendable {
  public let width: Int
  public let height: Int
  let colors: [Raster.Color]
  /// An index of `colors` for each pixel, row by row from the upper left corner.
  let indices: [UInt8]

  /// If there are more colours, those that can hardly be told apart become one.
  init(_ raster: Raster) {
    let counted = CountedPixels(raster)
    // The most frequent first.
    let order = counted.colors.indices.sorted { (-counted.counts[$0], $0) < (-counted.counts[$1], $1) }
    let palette = Palette(order.map { counted.colors[$0] })
    var places = [UInt8](repeating: 0, count: order.count)
    for (rank, index) in order.enumerated() { places[index] = palette.places[rank] }
    (width, height, colors) = (raster.width, raster.height, palette.colors)
    indices = counted.pixels.map { places[$0] }
  }
}

/// The different colours of a raster.
private struct CountedPixels {
  private(set) var colors: [Raster.Color] = []
  private(set) var counts: [Int] = []
  /// An index of `colors` for each pixel.
  private(set) var pixels: [Int] = []

  init(_ raster: Raster) {
    var (known, last, index): ([Raster.Color: Int], Raster.Color?, Int) = ([:], nil, 0)
    pixels.reserveCapacity(raster.width * raster.height)
    for pixel in 0..<raster.width * raster.height {
      let color = Raster.Color(
        red: raster.bytes[pixel * 3], green: raster.bytes[pixel * 3 + 1], blue: raster.bytes[pixel * 3 + 2])
      if color != last {
        index = known[color] ?? colors.count
        if index == colors.count {
          known[color] = index
          colors.append(color)
          counts.append(0)
        }
        last = color
      }
      counts[index] += 1
      pixels.append(index)
    }
  }
}

/// At most 256 of many colours, and which of them stands for each.
private struct Palette {
  private(set) var colors: [Raster.Color] = []
  private(set) var places: [UInt8] = []

  /// The least distances of two colours of the palette: with the last there is room for 64 at most.
  private static let distances = [0, 4, 8, 12, 16, 24, 32, 48, 64, 128]

  /// - Parameter all: the most important first.
  init(_ all: [Raster.Color]) {
    for distance in Self.distances where places.count < all.count {
      (colors, places) = ([], [])
      for color in all {
        guard let place = place(of: color, within: distance) else { break }
        places.append(place)
      }
    }
  }

  /// The first colour of the palette that is near enough; if there is none, the colour joins the palette.
  ///
  /// - Returns: nil if the palette is full.
  private mutating func place(of color: Raster.Color, within distance: Int) -> UInt8? {
    if let place = colors.firstIndex(where: { color.squaredDistance(to: $0) <= distance * distance }) {
      return UInt8(place)
    }
    guard colors.count < 256 else { return nil }
    colors.append(color)
    return UInt8(colors.count - 1)
  }
}

extension Raster.Color {
  fileprivate func squaredDistance(to other: Raster.Color) -> Int {
    [(red, other.red), (green, other.green), (blue, other.blue)].reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
  }
}
