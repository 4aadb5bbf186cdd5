import StrataQuakes
import StrataQuakesPicture

/// The lines below a map: the caption and the time, and the legend.
extension MapPicture {
  private var hasCaption: Bool { !notes.caption.isEmpty || !notes.span.isEmpty }
  private var captionHeight: Double { hasCaption ? 1.9 * textSize : 0 }
  /// The largest mark of the legend has room.
  private var legendHeight: Double { max(1.6 * textSize, 2 * radius(of: 8) + 4 * scale) }
  var footerHeight: Double { (captionHeight + legendHeight).rounded(.up) }

  private var margin: Double { 10 * scale }

  var footer: [Drawing.Shape] { caption + legend }

  private func text(_ text: String, x: Double, y: Double, _ color: Drawing.Color = MapColors.text) -> Drawing.Text {
    // The letters are centered at `y`.
    Drawing.Text(text, start: Drawing.Point(x: x, y: y + 0.35 * textSize), size: textSize, color: color)
  }

  /// The time to the right, and the caption in the rest of the line.
  private var caption: [Drawing.Shape] {
    guard hasCaption else { return [] }
    let middle = Double(height) - footerHeight + captionHeight / 2 + 0.1 * textSize
    let room = Double(width) - 2 * margin
    let span = fitted(notes.span, x: margin, y: middle, to: room, MapColors.dimText)
    let rest = room - span.width - (span.width > 0 ? 2 * textSize : 0)
    let caption = fitted(notes.caption, x: margin, y: middle, to: rest, MapColors.text)
    let right = span.moved(to: Drawing.Point(x: Double(width) - margin - span.width, y: span.start.y))
    return [caption, right].filter { $0.width > 0 }.map { .text($0) }
  }

  /// As much of a text as there is room for, with an ellipsis where it was cut.
  private func fitted(
    _ whole: String, x: Double, y: Double, to room: Double, _ color: Drawing.Color
  ) -> Drawing.Text {
    var (result, end) = (text(whole, x: x, y: y, color), whole.endIndex)
    while result.width > room, end > whole.startIndex {
      end = whole.index(before: end)
      result = text(end == whole.startIndex ? "" : whole[..<end] + "…", x: x, y: y, color)
    }
    return result
  }

  /// A part of the legend: a mark or a line, and what it means.
  private struct LegendPart {
    var color: Drawing.Color
    /// nil for a line.
    var radius: Double?
    var words: String
  }

  /// The most important first.
  private var legendParts: [LegendPart] {
    let sizes = [3.0, 4, 5, 6, 7, 8].map { magnitude in
      LegendPart(color: MapColors.text, radius: radius(of: magnitude), words: "M\(DecimalText.whole(magnitude))")
    }
    let colors = zip(MarkColor.allCases, style.colorKey.words).map { color, words in
      LegendPart(color: color.pixel, radius: radius(of: 4), words: words)
    }
    let hasPlates = style.hasPlates && !view.outlines.plates.isEmpty
    return colors + sizes + (hasPlates ? [LegendPart(color: MapColors.plate, radius: nil, words: "plates")] : [])
  }

  /// As many parts as there is room for.
  private var legend: [Drawing.Shape] {
    let middle = Double(height) - legendHeight / 2
    var (shapes, x): ([Drawing.Shape], Double) = ([], margin)
    for part in legendParts {
      let reach = part.radius ?? 12 * scale
      let words = text(part.words, x: x + 2 * reach + 6 * scale, y: middle, MapColors.dimText)
      guard words.start.x + words.width <= Double(width) - margin else { break }
      let pen = Drawing.Pen(part.color, width: (part.radius == nil ? 1.5 : 1.2) * scale)
      let center = Drawing.Point(x: x + reach, y: middle)
      if let radius = part.radius {
        shapes.append(
          .disc(Drawing.Disc(center, radius: radius, fill: part.color.with(opacity: 0.5), rim: pen)))
      } else {
        shapes.append(.lines([[Drawing.Point(x: x, y: middle), Drawing.Point(x: x + 2 * reach, y: middle)]], pen))
      }
      shapes.append(.text(words))
      x = words.start.x + words.width + 14 * scale
    }
    return shapes
  }
}
