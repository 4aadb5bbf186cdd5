import StrataQuakes

extension MapPicture {
  /// The picture as SVG 1.1, with the names of cities, and what each mark is where the pointer is.
  public var svg: OutputText {
    let (projection, left, top) = layout
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      font-family="sans-serif">
      """,
      #"<rect width="\#(width)" height="\#(height)" fill="\#(Self.background.text)"/>"#,
      """
      <clipPath id="map"><rect width="\(Self.number(projection.width))" height="\(Self.number(projection.height))"/>\
      </clipPath>
      """,
      #"<g transform="translate(\#(Self.number(left)) \#(Self.number(top)))" clip-path="url(#map)">"#,
    ]
    lines += self.lines.filter { !$0.lines.isEmpty }.map { path($0, projection) }
    lines += labels(projection)
    lines += view.inOrder.compactMap { mark($0, projection) }
    lines.append("</g>")
    lines += svgLegend
    lines.append("</svg>")
    return lines.map { OutputText($0) }.joined(separator: "\n")
  }

  private func path(_ lines: Lines, _ projection: MapProjection) -> String {
    var (path, end): (String, (Double, Double)?) = ("", nil)
    for line in lines.lines {
      projection.forEachSegment(of: line) { part in
        let isNew = end.map { $0 != (part.x, part.y) } ?? true
        if isNew { path += "M\(Self.number(part.x)) \(Self.number(part.y))" }
        path += "L\(Self.number(part.toX)) \(Self.number(part.toY))"
        end = (part.toX, part.toY)
      }
      end = nil
    }
    return """
      <path fill="none" stroke="\(lines.color.text)" stroke-width="\(Self.number(lines.thickness))" \
      stroke-linejoin="round" d="\(path)"/>
      """
  }

  private func mark(_ point: MapPoint, _ projection: MapProjection) -> String? {
    guard let (x, y) = projection.point(latitude: point.latitude, longitude: point.longitude) else { return nil }
    let (color, isSelected) = (MarkColor(point, by: style.colorKey).pixel, point.identifier == view.selected)
    return """
      <circle cx="\(Self.number(x))" cy="\(Self.number(y))" r="\(Self.number(radius(of: point.magnitude)))" \
      fill="\(color.text)" fill-opacity="0.5" stroke="\(isSelected ? Self.white.text : color.text)" \
      stroke-width="\(Self.number((isSelected ? 2.5 : 1.2) * scale))"><title>\(Self.escaped(point.title))</title></circle>
      """
  }

  /// Nothing is known of the width of letters, so each has the room of wide ones.
  private func labels(_ projection: MapProjection) -> [String] {
    let (size, square) = (14 * max(0.7, scale), 4 * max(0.7, scale))
    let labels = placed(view.labels, projection, lineHeight: 1.3 * size) { Double($0.count) * size * 0.65 }
    return labels.map { label in
      """
      <rect x="\(Self.number(label.x - square / 2))" y="\(Self.number(label.y - square / 2))" \
      width="\(Self.number(square))" height="\(Self.number(square))" fill="\(Self.text.text)"/>\
      <text x="\(Self.number(label.x + square))" y="\(Self.number(label.y + size / 3))" \
      font-size="\(Self.number(size))" fill="\(Self.text.text)">\(Self.escaped(label.name))</text>
      """
    }
  }

  private var svgLegend: [String] {
    let (middle, size) = (Double(height) - Double(legendHeight) / 2, 14 * scale)
    var (lines, x): ([String], Double) = ([], 10 * scale)
    for part in legend {
      let reach = part.radius ?? 12 * scale
      x += reach
      lines.append(
        part.radius == nil
          ? """
          <path stroke="\(part.color.text)" stroke-width="\(Self.number(1.5 * scale))" \
          d="M\(Self.number(x - reach)) \(Self.number(middle))h\(Self.number(2 * reach))"/>
          """
          : """
          <circle cx="\(Self.number(x))" cy="\(Self.number(middle))" r="\(Self.number(reach))" fill="\(part.color.text)" \
          fill-opacity="0.5" stroke="\(part.color.text)" stroke-width="\(Self.number(1.2 * scale))"/>
          """)
      x += reach + 6 * scale
      lines.append(text(part.words, x: x, y: middle + size / 3, size: size))
      x += Double(part.words.count) * 0.65 * size + 14 * scale
    }
    if !caption.isEmpty { lines.append(text(caption, x: x, y: middle + size / 3, size: size)) }
    return lines
  }

  private func text(_ text: String, x: Double, y: Double, size: Double) -> String {
    """
    <text x="\(Self.number(x))" y="\(Self.number(y))" font-size="\(Self.number(size))" fill="\(Self.text.text)">\
    \(Self.escaped(text))</text>
    """
  }

  private static func number(_ number: Double) -> String { DecimalText.oneDigit(number) }

  /// The characters that Pango escapes are those of XML, which has two more that it cannot contain.
  private static func escaped(_ text: String) -> String {
    var scalars = Terminal.printable(text).unicodeScalars
    scalars.removeAll { $0.value == 0xFFFE || $0.value == 0xFFFF }
    return BarEscape.pango(String(scalars))
  }
}
