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
  let sizes: PictureSizes
  let projection: MapProjection
  /// The part of the picture that has the map.
  let area: Drawing.Rectangle
  private let footer: MapFooter

  /// Pixels: the least and the most of a side.
  public static let sides = 64...4096

  /// - Parameters: `width` and `height` in pixels, of `sides`.
  public init(_ view: MapView, style: MapStyle, width: Int, height: Int, notes: MapNotes = MapNotes()) {
    (self.view, self.style, self.notes) = (view, style, notes)
    self.width = min(max(width, Self.sides.lowerBound), Self.sides.upperBound)
    self.height = min(max(height, Self.sides.lowerBound), Self.sides.upperBound)
    sizes = PictureSizes(width: self.width, height: self.height)
    let keys = MapKey.all(style, hasPlates: style.hasPlates && !view.outlines.plates.isEmpty)
    footer = MapFooter(notes, keys, sizes, width: Double(self.width))
    let room = (width: Double(self.width), height: max(1, Double(self.height) - footer.height))
    projection = MapProjection(view.region, width: room.width, height: room.height)
    area = Drawing.Rectangle(
      left: (room.width - projection.width) / 2, top: (room.height - projection.height) / 2,
      width: projection.width, height: projection.height)
  }

  public var drawing: Drawing {
    var drawing = Drawing(width: width, height: height)
    let all = Drawing.Rectangle(left: 0, top: 0, width: Double(width), height: Double(height))
    drawing.shapes = [.area([all.outline], MapColors.page), .clipped(map, to: area)]
    drawing.shapes.append(.lines([area.outline], Drawing.Pen(MapColors.frame, width: 1)))
    drawing.shapes += footer.shapes(top: Double(height) - footer.height)
    return drawing
  }

  /// nil for what is not on the map.
  func point(latitude: Double, longitude: Double) -> Drawing.Point? {
    projection.point(latitude: latitude, longitude: longitude).map(inPicture)
  }

  private func inPicture(_ point: MapProjection.Point) -> Drawing.Point {
    Drawing.Point(x: area.left + point.x, y: area.top + point.y)
  }

  // MARK: Contents

  /// From the lowest to the uppermost.
  private var map: [Drawing.Shape] {
    func lines(_ lines: [[MapPosition]], _ color: Drawing.Color, width: Double) -> Drawing.Shape {
      .lines(lines.flatMap(projection.paths).map { $0.map(inPicture) }, Drawing.Pen(color, width: width))
    }
    let (outlines, scale) = (view.outlines, sizes.scale)
    let land = outlines.land.flatMap(projection.areas).map { $0.map(inPicture) }
    let (marks, scaleBar) = (marks, ScaleBar(self))
    let graticule = style.hasGraticule ? GraticuleLabels(self, taken: scaleBar.box) : nil
    var labels = MapLabels(
      marks: marks, taken: [scaleBar.box] + (graticule?.texts.map(\.box) ?? []), area: area, size: sizes.text)
    for label in view.labels {
      if let point = point(latitude: label.latitude, longitude: label.longitude) { labels.place(label.name, at: point) }
    }
    var shapes: [Drawing.Shape] = [.area([area.outline], MapColors.sea), .area(land, MapColors.land)]
    shapes.append(lines(outlines.coasts, MapColors.coast, width: 0.9 * max(0.8, scale)))
    if let graticule {
      shapes.append(lines(Graticule(projection.visible).lines, MapColors.graticule, width: max(1, scale)))
      shapes += graticule.texts.map { .text($0) }
    }
    if style.hasPlates { shapes.append(lines(outlines.plates, MapColors.plate, width: 1.5 * max(0.6, scale))) }
    return shapes + labels.dots + marks.map { .disc($0) } + labels.texts.map { .text($0) } + scaleBar.shapes
  }

  private var marks: [Drawing.Disc] {
    view.inOrder.compactMap { quake in
      guard let center = point(latitude: quake.latitude, longitude: quake.longitude) else { return nil }
      let (color, isSelected) = (MarkColor(quake, by: style.colorKey).pixel, quake.identifier == view.selected)
      return Drawing.Disc(
        center, radius: sizes.radius(of: quake.magnitude), fill: color.with(opacity: 0.5),
        rim: Drawing.Pen(isSelected ? MapColors.selection : color, width: (isSelected ? 2.5 : 1.2) * sizes.scale),
        title: quake.title)
    }
  }
}

/// The texts of a picture that depend on more than its map.
public struct MapNotes: Sendable {
  /// How many earthquakes there are, and which is the largest.
  public var caption: String
  /// The time that the map is of.
  public var period: String
  /// Of the scale bar.
  public var unit: DisplayStyle.Unit

  public init(caption: String = "", period: String = "", unit: DisplayStyle.Unit = .kilometers) {
    (self.caption, self.period, self.unit) = (caption, period, unit)
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
