/// Pixels of at most 256 colors: as many as terminals have registers for.
public struct IndexedRaster: Equatable, Sendable {
  public let width: Int
  public let height: Int
  let colors: [Drawing.Color]
  /// An index of `colors` for each pixel, row by row from the upper left corner.
  let indices: [UInt8]

  /// If there are more colors, similar ones are merged.
  public init(_ raster: Raster) {
    let counted = CountedPixels(raster)
    // The most frequent first.
    let order = counted.colors.indices.sorted { (-counted.counts[$0], $0) < (-counted.counts[$1], $1) }
    let palette = Palette(order.map { counted.colors[$0] })
    var indexes = [UInt8](repeating: 0, count: order.count)
    for (rank, index) in order.enumerated() { indexes[index] = palette.indexes[rank] }
    (width, height, colors) = (raster.width, raster.height, palette.colors)
    indices = counted.pixels.map { indexes[$0] }
  }
}

/// The different colors of a raster.
private struct CountedPixels {
  private(set) var colors: [Drawing.Color] = []
  private(set) var counts: [Int] = []
  /// An index of `colors` for each pixel.
  private(set) var pixels: [Int] = []

  init(_ raster: Raster) {
    var (known, last, index): ([UInt32: Int], UInt32?, Int) = ([:], nil, 0)
    pixels.reserveCapacity(raster.pixels.count)
    for color in raster.pixels {
      if color != last {
        index = known[color] ?? colors.count
        if index == colors.count {
          known[color] = index
          colors.append(Drawing.Color(color))
          counts.append(0)
        }
        last = color
      }
      counts[index] += 1
      pixels.append(index)
    }
  }
}

/// At most 256 of many colors, and the substitute of each.
private struct Palette {
  private(set) var colors: [Drawing.Color] = []
  private(set) var indexes: [UInt8] = []

  /// The minimum distances of two colors in the palette, tried in order: the last allows at most 64 colors.
  private static let distances = [0, 4, 8, 12, 16, 24, 32, 48, 64, 128]

  /// - Parameter all: the most important first.
  init(_ all: [Drawing.Color]) {
    for distance in Self.distances where indexes.count < all.count {
      (colors, indexes) = ([], [])
      for color in all {
        guard let index = index(of: color, within: distance) else { break }
        indexes.append(index)
      }
    }
  }

  /// The index of the first palette color that is near enough; adds the color to the palette if none is.
  ///
  /// - Returns: nil if the palette is full.
  private mutating func index(of color: Drawing.Color, within distance: Int) -> UInt8? {
    if let index = colors.firstIndex(where: { color.squaredDistance(to: $0) <= distance * distance }) {
      return UInt8(index)
    }
    guard colors.count < 256 else { return nil }
    colors.append(color)
    return UInt8(colors.count - 1)
  }
}

extension Drawing.Color {
  fileprivate func squaredDistance(to other: Drawing.Color) -> Int {
    [(red, other.red), (green, other.green), (blue, other.blue)].reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
  }
}
