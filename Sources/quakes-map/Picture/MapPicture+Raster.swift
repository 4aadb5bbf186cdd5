extension MapPicture {
  /// The picture in pixels. Names that its font cannot write are left out.
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
    drawLabels(on: &raster, projection, left: left, top: top)
    drawLegend(on: &raster)
    return raster
  }

  /// The side of a dot of the font.
  private var dot: Int { max(1, Int((1.6 * scale).rounded())) }

  private func textWidth(_ text: String) -> Double { Double(text.count * PictureFont.advance * dot) }

  private func drawLabels(on raster: inout Raster, _ projection: MapProjection, left: Double, top: Double) {
    let letters = Double(PictureFont.height * dot)
    let names = view.labels.compactMap { label in
      PictureFont.spelled(label.name).map {
        MapLabel($0, latitude: label.latitude, longitude: label.longitude)
      }
    }
    for label in placed(names, projection, lineHeight: 1.6 * letters, width: textWidth) {
      let (x, y) = (Int(left + label.x), Int(top + label.y))
      fill(&raster, left: x - dot, top: y - dot, side: 2 * dot)
      write(label.name, on: &raster, x: x + 3 * dot, y: y - Int(letters / 2))
    }
  }

  private func drawLegend(on raster: inout Raster) {
    let area = PixelArea(left: 0, top: height - legendHeight, width: width, height: legendHeight)
    let middle = Double(height) - Double(legendHeight) / 2
    let textTop = Int(middle) - PictureFont.height * dot / 2
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
      write(part.words, on: &raster, x: Int(x), y: textTop)
      x += textWidth(part.words) + 14 * scale
    }
    guard let caption = PictureFont.spelled(caption) else { return }
    let room = Int(Double(width) - x) / (PictureFont.advance * dot)
    let isWhole = caption.count <= room
    write(isWhole ? caption : caption.prefix(max(0, room - 3)) + "...", on: &raster, x: Int(x), y: textTop)
  }

  private func write(_ text: String, on raster: inout Raster, x: Int, y: Int) {
    for (index, character) in text.enumerated() {
      for pixel in PictureFont.dots(of: character) {
        fill(&raster, left: x + (index * PictureFont.advance + pixel.x) * dot, top: y + pixel.y * dot, side: dot)
      }
    }
  }

  private func fill(_ raster: inout Raster, left: Int, top: Int, side: Int) {
    for row in top..<top + side {
      for column in left..<left + side { raster.blend(Self.text, x: column, y: row, share: 1) }
    }
  }
}
