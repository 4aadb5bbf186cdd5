import Foundation
import StrataQuakes
import StrataQuakesPicture

/// A bar of a round length, in the lower left corner of a map.
struct ScaleBar {
  /// The bar, its text and a margin.
  let box: Drawing.Rectangle
  let shapes: [Drawing.Shape]
  /// `200 km`
  let text: String
  /// Pixels.
  let length: Double

  /// The bar's length is true along the parallel in the middle of the map.
  init(_ picture: MapPicture) {
    let (area, size, visible) = (picture.area, picture.sizes.text, picture.projection.visible)
    let unit = picture.notes.unit
    let kilometers = visible.height * .pi / 180 * GreatCircle.radius
    let inUnit = kilometers / (DistanceText.kilometers("1\(unit.rawValue)") ?? 1)
    let number = Self.roundNumber(below: inUnit / area.height * area.width / 5)
    length = number * area.height / inUnit
    let name = "\(number >= 1 ? DecimalText.whole(number) : String(number)) \(unit.rawValue)"
    // On a map of the world, the distance between two meridians differs.
    text = visible.height > 50 ? "\(name) at \(Self.parallel(visible.latitude))" : name
    let (left, bottom, tick) = (area.left + size, area.top + area.height - size, 0.35 * size)
    let label = Drawing.Text(
      text, start: Drawing.Point(x: left, y: bottom - 0.6 * size), size: size, color: MapColors.text,
      halo: MapColors.halo)
    let line = [(left, bottom - tick), (left, bottom), (left + length, bottom), (left + length, bottom - tick)]
      .map { Drawing.Point(x: $0.0, y: $0.1) }
    shapes = [
      .lines([line], Drawing.Pen(MapColors.halo, width: 0.35 * size)),
      .lines([line], Drawing.Pen(MapColors.text, width: 0.12 * size)), .text(label),
    ]
    box = Drawing.Rectangle(
      left: left - size / 2, top: label.box.top - size / 2, width: max(length, label.width) + size,
      height: bottom - label.box.top + size)
  }

  /// The largest of 1, 2 and 5 times a power of ten.
  private static func roundNumber(below limit: Double) -> Double {
    let power = pow(10, log10(max(limit, 0.001)).rounded(.down))
    return ([5.0, 2].first { $0 * power <= limit } ?? 1) * power
  }

  private static func parallel(_ latitude: Double) -> String {
    abs(latitude) < 0.5 ? "the equator" : "\(DecimalText.whole(abs(latitude)))°\(latitude > 0 ? "N" : "S")"
  }
}
