extension MapPicture {
  /// The picture in pixels. It has no names of cities and no caption: these are text.
  public var raster: IndexedRaster { IndexedRaster(pixels) }

  var pixels: Raster {
    var raster = Raster(width: width, height: height, color: Self.background)
    let (projection, left, top) = layout
    let area = PixelArea(
      left: Int(left), top: Int(top), width: max(1, Int(projection.width)), height: max(1, Int(projection.height)))
    for lines in lines where !lines.lines.isEmpty {
      var mask = LineMask(width: area.width, height: area.height)
      for line in lines.lines {
        projection.forEachSegment(of: line) { mask.draw($0, thickness: lines.thickness) }
      }
      raster.blend(lines.color, where: mask, left: area.left, top: area.top)
    }
    for point in view.inOrder {
      guard let (x, y) = projection.point(latitude: point.latitude, longitude: point.longitude) else { continue }
      let (color, isSelected) = (MarkColor(point, by: style.colorKey).pixel, point.identifier == view.selected)
      raster.disc(
        x: left + x, y: top + y, radius: radius(of: point.magnitude), color: color, share: 0.5,
        rim: isSelected ? Self.white : color, rimWidth: isSelected ? 2.5 * scale : 1.2 * scale, area: area)
    }
    drawLegend(on: &raster)
    return raster
  }

  private func drawLegend(on raster: inout Raster) {
    let area = PixelArea(left: 0, top: height - legendHeight, width: width, height: legendHeight)
    let (middle, dot) = (Double(height) - Double(legendHeight) / 2, max(1, Int((1.6 * scale).rounded())))
    var x = 10 * scale
    for part in legend {
      let reach = part.radius ?? 12 * scale
      x += reach
      if let radius = part.radius {
        raster.disc(
          x: x, y: middle, radius: radius, color: part.color, share: 0.5, rim: part.color, rimWidth: 1.2 * scale,
          area: area)
      } else {
        var mask = LineMask(width: area.width, height: area.height)
        let y = middle - Double(area.top)
        mask.draw(Segment(x: x - reach, y: y, toX: x + reach, toY: y), thickness: 1.5 * max(0.6, scale))
        raster.blend(part.color, where: mask, left: area.left, top: area.top)
      }
      x += reach + 6 * scale
      write(part.words, on: &raster, x: Int(x), y: Int(middle) - LegendFont.height * dot / 2, dot: dot)
      x += Double(part.words.count * (LegendFont.width + 1) * dot) + 14 * scale
    }
  }

  private func write(_ text: String, on raster: inout Raster, x: Int, y: Int, dot: Int) {
    for (index, character) in text.enumerated() {
      for pixel in LegendFont.dots(of: character) {
        let (left, top) = (x + (index * (LegendFont.width + 1) + pixel.x) * dot, y + pixel.y * dot)
        for row in top..<top + dot {
          for column in left..<left + dot { raster.blend(Self.text, x: column, y: row, share: 1) }
        }
      }
    }
  }
}
