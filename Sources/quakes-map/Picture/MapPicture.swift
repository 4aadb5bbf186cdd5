import Foundation
import StrataQuakes

/// A map as a picture: where things are, how large and in which colors, for SVG and for pixels alike.
public struct MapPicture: Sendable {
  let view: MapView
  let style: MapStyle
  public let width: Int
  public let height: Int
  /// The text to the right of the legend, in images with text.
  let caption: String

  /// Pixels: the least and the most of a side.
  public static let sides = 64...4096

  /// - Parameters: `width` and `height` in pixels, of `sides`.
  public init(_ view: MapView, style: MapStyle, width: Int, height: Int, caption: String = "") {
    (self.view, self.style, self.caption) = (view, style, caption)
    self.width = min(max(width, Self.sides.lowerBound), Self.sides.upperBound)
    self.height = min(max(height, Self.sides.lowerBound), Self.sides.upperBound)
  }

  // MARK: Sizes, in pixels

  /// Of everything: 1 for a picture 1600 pixels wide.
  var scale: Double { max(0.4, Double(min(width, 2 * height)) / 1600) }
  var legendHeight: Int { Int((40 * scale).rounded()) }

  /// The map's projection, and where its upper left corner is.
  var layout: (projection: MapProjection, left: Double, top: Double) {
    let room = (width: Double(width), height: Double(height - legendHeight))
    let projection = MapProjection(view.region, width: room.width, height: room.height)
    return (projection, (room.width - projection.width) / 2, (room.height - projection.height) / 2)
  }

  /// Of a mark: half as large again for each unit of magnitude, near enough.
  func radius(of magnitude: Double?) -> Double {
    guard let magnitude, !magnitude.isNaN else { return 2.5 * scale }
    return 1.6 * scale * exp(0.31 * min(max(magnitude, 0), 10))
  }

  // MARK: Colors

  static let background = Raster.Color(red: 0x0F, green: 0x17, blue: 0x22)
  static let graticule = Raster.Color(red: 0x22, green: 0x30, blue: 0x40)
  static let coast = Raster.Color(red: 0x8A, green: 0x9B, blue: 0xAD)
  static let plate = Raster.Color(red: 0x94, green: 0x55, blue: 0xB0)
  static let text = Raster.Color(red: 0xD8, green: 0xE0, blue: 0xE8)
  static let white = Raster.Color(red: 0xFF, green: 0xFF, blue: 0xFF)

  struct Lines {
    var lines: [[MapPosition]]
    var color: Raster.Color
    /// Pixels.
    var thickness: Double
  }

  /// From the lowest to the uppermost.
  var lines: [Lines] {
    let graticule = style.hasGraticule ? Graticule(layout.projection.visible).lines : []
    return [
      Lines(lines: graticule, color: Self.graticule, thickness: max(1, scale)),
      Lines(lines: style.hasPlates ? view.outlines.plates : [], color: Self.plate, thickness: 1.5 * max(0.6, scale)),
      Lines(lines: view.outlines.coasts, color: Self.coast, thickness: 1.2 * max(0.8, scale)),
    ]
  }

  // MARK: Legend

  /// A part of the legend: a mark or a line, and what it means.
  struct LegendPart {
    var color: Raster.Color
    /// nil for a line.
    var radius: Double?
    var words: String
  }

  var legend: [LegendPart] {
    let sizes = [3.0, 4, 5, 6, 7, 8].map { magnitude in
      LegendPart(color: Self.text, radius: radius(of: magnitude), words: "M\(DecimalText.whole(magnitude))")
    }
    let colors = zip(MarkColor.allCases, style.colorKey.words).map { color, words in
      LegendPart(color: color.pixel, radius: radius(of: 4), words: words)
    }
    let hasPlates = style.hasPlates && !view.outlines.plates.isEmpty
    return sizes + colors + (hasPlates ? [LegendPart(color: Self.plate, radius: nil, words: "plates")] : [])
  }
}

extension MarkColor {
  /// As on a terminal.
  var pixel: Raster.Color {
    switch self {
    case .first: Raster.Color(red: 0xF0, green: 0x5A, blue: 0x3C)
    case .second: Raster.Color(red: 0xF2, green: 0xB9, blue: 0x34)
    case .third: Raster.Color(red: 0x45, green: 0xB8, blue: 0xE6)
    case .other: Raster.Color(red: 0xB0, green: 0xB8, blue: 0xC0)
    }
  }
}
