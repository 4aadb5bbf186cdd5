import StrataQuakes
import StrataQuakesPicture

/// The lines below a map: the caption and the time, and the legend.
struct MapFooter {
  /// The caption and the time: next to each other, or else above each other.
  private let lines: [[Drawing.Text]]
  private let keys: [MapKey]
  private let sizes: PictureSizes
  private let width: Double

  init(_ notes: MapNotes, _ keys: [MapKey], _ sizes: PictureSizes, width: Double) {
    (self.keys, self.sizes, self.width) = (keys, sizes, width)
    let room = width - 20 * sizes.scale
    let period = Self.fitted(notes.period, to: room, sizes.text, MapColors.dimText)
    let caption = Self.fitted(notes.caption, to: room, sizes.text, MapColors.text)
    let isOneLine = caption.width + 2 * sizes.text + period.width <= room || caption.width == 0
    lines = (isOneLine ? [[caption, period]] : [[caption], [period]])
      .map { $0.filter { $0.width > 0 } }.filter { !$0.isEmpty }
  }

  private var margin: Double { 10 * sizes.scale }
  private var lineHeight: Double { 1.4 * sizes.text }
  private var captionHeight: Double { lines.isEmpty ? 0 : 0.35 * sizes.text + Double(lines.count) * lineHeight }
  /// The largest mark has room.
  private var legendHeight: Double { max(1.6 * sizes.text, 2 * sizes.radius(of: 8) + 4 * sizes.scale) }
  var height: Double { (captionHeight + legendHeight).rounded(.up) }

  func shapes(top: Double) -> [Drawing.Shape] {
    let texts = zip(1..., lines).flatMap { number, line in
      line.enumerated().map { index, text in
        let x = index == 0 ? margin : width - margin - text.width
        return Drawing.Shape.text(text.moved(to: Drawing.Point(x: x, y: top + Double(number) * lineHeight)))
      }
    }
    return texts + legend(middle: top + captionHeight + legendHeight / 2)
  }

  /// As many keys as there is room for.
  private func legend(middle: Double) -> [Drawing.Shape] {
    var (shapes, x): ([Drawing.Shape], Double) = ([], margin)
    for key in keys {
      let reach = key.magnitude.map(sizes.radius) ?? 12 * sizes.scale
      let center = Drawing.Point(x: x + reach, y: middle)
      let text = Drawing.Text(key.meaning, sizes.text, MapColors.dimText)
        .moved(to: Drawing.Point(x: center.x + reach + 6 * sizes.scale, y: middle + 0.35 * sizes.text))
      guard text.box.right <= width - margin else { break }
      shapes += [key.symbol(at: center, reach: reach, scale: sizes.scale), .text(text)]
      x = text.box.right + 14 * sizes.scale
    }
    return shapes
  }

  /// As much of a text as there is room for, with an ellipsis where it was cut.
  private static func fitted(
    _ whole: String, to room: Double, _ size: Double, _ color: Drawing.Color
  ) -> Drawing.Text {
    var (result, end) = (Drawing.Text(whole, size, color), whole.endIndex)
    while result.width > room, end > whole.startIndex {
      end = whole.index(before: end)
      result = Drawing.Text(end == whole.startIndex ? "" : whole[..<end] + "…", size, color)
    }
    return result
  }
}

/// A part of the legend: a mark or a line, and its meaning.
struct MapKey {
  let color: Drawing.Color
  /// nil for a line.
  let magnitude: Double?
  let meaning: String

  /// The most important first.
  static func all(_ style: MapStyle, hasPlates: Bool) -> [MapKey] {
    let colors = zip(MarkColor.allCases, style.colorKey.legendTexts).map { color, meaning in
      MapKey(color: color.pixel, magnitude: 4, meaning: meaning)
    }
    let sizes = [3.0, 4, 5, 6, 7, 8].map { magnitude in
      MapKey(color: MapColors.text, magnitude: magnitude, meaning: "M\(DecimalText.whole(magnitude))")
    }
    return colors + sizes + (hasPlates ? [MapKey(color: MapColors.plate, magnitude: nil, meaning: "plates")] : [])
  }

  fileprivate func symbol(at center: Drawing.Point, reach: Double, scale: Double) -> Drawing.Shape {
    guard magnitude != nil else {
      let ends = [-reach, reach].map { Drawing.Point(x: center.x + $0, y: center.y) }
      return .lines([ends], Drawing.Pen(color, width: 1.5 * scale))
    }
    return .disc(
      Drawing.Disc(
        center, radius: reach, fill: color.with(opacity: 0.5), rim: Drawing.Pen(color, width: 1.2 * scale)))
  }
}

extension Drawing.Text {
  fileprivate init(_ text: String, _ size: Double, _ color: Drawing.Color) {
    self.init(text, start: Drawing.Point(x: 0, y: 0), size: size, color: color)
  }
}
