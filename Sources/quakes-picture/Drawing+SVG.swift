import StrataQuakes

extension Drawing {
  /// The picture as SVG 1.1: https://www.w3.org/TR/SVG11/
  public var svg: OutputText {
    var (lines, clips) = ([OutputText](), 0)
    for shape in shapes { Self.write(shape, to: &lines, &clips) }
    let start: OutputText = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      font-family="sans-serif">
      """
    return ([start] + lines + ["</svg>"]).joined(separator: "\n")
  }

  private static func write(_ shape: Shape, to lines: inout [OutputText], _ clips: inout Int) {
    switch shape {
    case .area(let outlines, _) where outlines.isEmpty: break
    case .lines(let lines, _) where lines.isEmpty: break
    case .area(let outlines, let color):
      lines.append(#"<path \#(paint("fill", color)) d="\#(outlines.map { path($0) + "Z" }.joined())"/>"#)
    case .lines(let all, let pen):
      lines.append(
        #"<path fill="none" \#(stroke(pen)) stroke-linejoin="round" stroke-linecap="round" d="\#(all.map(path).joined())"/>"#
      )
    case .disc(let disc):
      lines.append(
        """
        <circle cx="\(number(disc.center.x))" cy="\(number(disc.center.y))" r="\(number(disc.radius))" \
        \(paint("fill", disc.fill)) \(stroke(disc.rim))\(title(disc.title))
        """)
    case .text(let text): lines.append(element(text))
    case .clipped(let shapes, let box):
      clips += 1
      let name = "clip\(clips)"
      lines.append(#"<clipPath id="\#(name)"><path d="\#(path(box.outline))"/></clipPath>"#)
      lines.append(#"<g clip-path="url(#\#(name))">"#)
      for shape in shapes { write(shape, to: &lines, &clips) }
      lines.append("</g>")
    }
  }

  /// With the width that the letters have in pixels, whatever font the viewer has: no text runs into another.
  private static func element(_ text: Text) -> OutputText {
    let halo: OutputText =
      text.halo.map {
        #" paint-order="stroke" \#(stroke(Pen($0, width: 0.25 * text.size))) stroke-linejoin="round""#
      } ?? ""
    return """
      <text x="\(number(text.start.x))" y="\(number(text.start.y))" font-size="\(number(text.size))" \
      textLength="\(number(text.width))" lengthAdjust="spacingAndGlyphs" \(paint("fill", text.color))\(halo)>\
      \(XMLText.escaped(text.text))</text>
      """
  }

  private static func title(_ title: String) -> OutputText {
    title.isEmpty ? "/>" : "><title>\(XMLText.escaped(title))</title></circle>"
  }

  private static func stroke(_ pen: Pen) -> OutputText {
    "\(paint("stroke", pen.color)) stroke-width=\"\(number(pen.width))\""
  }

  private static func paint(_ name: String, _ color: Color) -> OutputText {
    let opacity: OutputText = color.opacity < 1 ? " \(name)-opacity=\"\(color.opacity)\"" : ""
    return "\(name)=\"\(color.text)\"\(opacity)"
  }

  /// Each point as its distance from the one before, in whole tenths: half as long as positions.
  private static func path(_ points: [Point]) -> String {
    var (result, last) = ("", (x: 0, y: 0))
    for (index, point) in points.enumerated() {
      let next = (x: tenths(point.x), y: tenths(point.y))
      let y = text(tenths: next.y - last.y)
      result += index == 0 ? "M" : index == 1 ? "l" : " "
      // A sign separates numbers too.
      result += text(tenths: next.x - last.x) + (y.hasPrefix("-") ? "" : " ") + y
      last = next
    }
    return result
  }

  private static func tenths(_ number: Double) -> Int { Int((number * 10).rounded()) }

  private static func text(tenths: Int) -> String {
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return "\(tenths < 0 ? "-" : "")\(whole == 0 && rest != 0 ? "" : String(whole))\(rest == 0 ? "" : ".\(rest)")"
  }

  private static func number(_ number: Double) -> String { DecimalText.oneDigit(number) }
}

extension Drawing.Color {
  /// `#rrggbb`
  var text: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
