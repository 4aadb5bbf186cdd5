import Foundation
import StrataQuakes
import StrataQuakesPicture

/// A map as a picture, with its explanations below.
public struct MapPicture: Sendable {
  let view: MapView
  let style: MapStyle
  let notes: MapNotes
  public let width: Int
  public let height: Int

  /// Pixels: the least and the most of a side.
  public static let sides = 64...4096

  /// - Parameters: `width` and `height` in pixels, of `sides`.
  public init(_ view: MapView, style: MapStyle, width: Int, height: Int, notes: MapNotes = MapNotes()) {
    (self.view, self.style, self.notes) = (view, style, notes)
    self.width = min(max(width, Self.sides.lowerBound), Self.sides.upperBound)
    self.height = min(max(height, Self.sides.lowerBound), Self.sides.upperBound)
  }

  public var drawing: Drawing {
    var drawing = Drawing(width: width, height: height)
    let all = Drawing.Rectangle(left: 0, top: 0, width: Double(width), height: Double(height))
    drawing.shapes = [.area([all.outline], MapColors.page), .clipped(map, to: area)]
    drawing.shapes.append(.lines([area.outline], Drawing.Pen(MapColors.frame, width: 1)))
    return drawing.adding(footer)
  }

  // MARK: Sizes, in pixels

  /// Of everything: 1 for a picture 1600 pixels wide.
  var scale: Double { max(0.4, Double(min(width, 2 * height)) / 1600) }
  var textSize: Double { max(10, 15 * scale) }

  /// The part of the picture that has the map.
  var area: Drawing.Rectangle {
    let (width, height) = (projection.width, projection.height)
    let room = (width: Double(self.width), height: Double(self.height) - footerHeight)
    return Drawing.Rectangle(
      left: (room.width - width) / 2, top: (room.height - height) / 2, width: width, height: height)
  }

  var projection: MapProjection {
    MapProjection(view.region, width: Double(width), height: max(1, Double(height) - footerHeight))
  }

  /// nil for what is not on the map.
  func point(latitude: Double, longitude: Double) -> Drawing.Point? {
    projection.point(latitude: latitude, longitude: longitude).map {
      Drawing.Point(x: area.left + $0.x, y: area.top + $0.y)
    }
  }

  /// Of a mark: half as large again for each unit of magnitude, near enough.
  func radius(of magnitude: Double?) -> Double {
    guard let magnitude, !magnitude.isNaN else { return 2.5 * scale }
    return 1.6 * scale * exp(0.31 * min(max(magnitude, 0), 10))
  }

  // MARK: Contents

  /// From the lowest to the uppermost.
  private var map: [Drawing.Shape] {
    let (projection, area) = (projection, area)
    func paths(_ lines: [[MapPosition]]) -> [[Drawing.Point]] {
      lines.flatMap(projection.paths).map { path in
        path.map { Drawing.Point(x: area.left + $0.x, y: area.top + $0.y) }
      }
    }
    func pen(_ color: Drawing.Color, _ width: Double) -> Drawing.Pen { Drawing.Pen(color, width: width) }
    let land = view.outlines.land.flatMap(projection.areas).map { outline in
      outline.map { Drawing.Point(x: area.left + $0.x, y: area.top + $0.y) }
    }
    var shapes: [Drawing.Shape] = [.area([area.outline], MapColors.sea), .area(land, MapColors.land)]
    shapes.append(.lines(paths(view.outlines.coasts), pen(MapColors.coast, 0.9 * max(0.8, scale))))
    if style.hasGraticule {
      shapes.append(.lines(paths(Graticule(projection.visible).lines), pen(MapColors.graticule, max(1, scale))))
    }
    if style.hasPlates {
      shapes.append(.lines(paths(view.outlines.plates), pen(MapColors.plate, 1.5 * max(0.6, scale))))
    }
    let marks = marks
    let scaleBar = ScaleBar(self)
    var labels = MapLabels(marks: marks, taken: [scaleBar.box], area: area, size: textSize)
    for label in view.labels {
      if let point = point(latitude: label.latitude, longitude: label.longitude) { labels.place(label.name, at: point) }
    }
    return shapes + labels.dots + marks.map { .disc($0) } + labels.texts.map { .text($0) } + scaleBar.shapes
  }

  private var marks: [Drawing.Disc] {
    view.inOrder.compactMap { quake in
      guard let center = point(latitude: quake.latitude, longitude: quake.longitude) else { return nil }
      let (color, isSelected) = (MarkColor(quake, by: style.colorKey).pixel, quake.identifier == view.selected)
      return Drawing.Disc(
        center, radius: radius(of: quake.magnitude), fill: color.with(opacity: 0.5),
        rim: Drawing.Pen(isSelected ? MapColors.selection : color, width: (isSelected ? 2.5 : 1.2) * scale),
        title: quake.title)
    }
  }
}

/// The texts of a picture that depend on more than its map.
public struct MapNotes: Sendable {
  /// How many earthquakes there are, and which is the largest.
  public var caption: String
  /// The time that the map is of.
  public var span: String
  /// Of the scale bar.
  public var unit: DisplayStyle.Unit

  public init(caption: String = "", span: String = "", unit: DisplayStyle.Unit = .kilometers) {
    (self.caption, self.span, self.unit) = (caption, span, unit)
  }
}

enum MapColors {
  static let page = Drawing.Color(0x0B1119)
  static let sea = Drawing.Color(0x101C2B)
  static let land = Drawing.Color(0x26313D)
  static let coast = Drawing.Color(0x6C8095)
  static let graticule = Drawing.Color(0xFFFFFF, opacity: 0.12)
  static let plate = Drawing.Color(0xA05FC0)
  static let frame = Drawing.Color(0x33414F)
  static let text = Drawing.Color(0xE3E9EF)
  static let dimText = Drawing.Color(0xA9B6C3)
  /// Around text on the map.
  static let halo = Drawing.Color(0x101C2B, opacity: 0.8)
  static let selection = Drawing.Color(0xFFFFFF)
}

extension MarkColor {
  /// As on a terminal.
  var pixel: Drawing.Color {
    switch self {
    case .first: Drawing.Color(0xF05A3C)
    case .second: Drawing.Color(0xF2B934)
    case .third: Drawing.Color(0x45B8E6)
    case .other: Drawing.Color(0xB0B8C0)
    }
  }
}

extension Drawing.Color {
  func with(opacity: Double) -> Self {
    var color = self
    color.opacity = opacity
    return color
  }
}

extension Drawing {
  func adding(_ shapes: [Shape]) -> Drawing {
    var drawing = self
    drawing.shapes += shapes
    return drawing
  }
}
