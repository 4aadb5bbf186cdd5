import StrataQuakes

/// The line that explains the marks of a map with characters.
public struct MapLegend {
  private let style: MapStyle
  private let hasPlates: Bool

  /// - Parameter hasPlates: whether boundaries of plates are on the map.
  public init(_ style: MapStyle, hasPlates: Bool) {
    (self.style, self.hasPlates) = (style, hasPlates)
  }

  /// As many of the legend's parts as fit, the most important first.
  public func line(columns: Int) -> OutputText {
    var (result, room): (OutputText, Int) = ("", columns)
    for part in [sizes] + (style.hasColor ? [colors] : []) + (hasPlates ? [plates] : []) {
      let width = part.width + (result == "" ? 0 : 3)
      guard width <= room else { continue }
      result = result == "" ? part.text : result + "   " + part.text
      room -= width
    }
    return result
  }

  private typealias Part = (text: OutputText, width: Int)

  private var sizes: Part {
    if style.form == .ascii { return Self.plain("0-9 magnitude, ? unknown") }
    let sizes = MagnitudeStep.allCases.filter { $0 != .unknown }.map { "\($0.glyph) \($0.legendText)" }
    return Self.plain("M " + sizes.joined(separator: "  "))
  }

  private var colors: Part {
    let mark = style.form == .ascii ? "#" : "●"
    let parts = zip(MarkColor.allCases, style.colorKey.legendTexts).map { color, meaning in
      (
        text: OutputText(mark, TextStyle(foreground: color.onTerminals)) + " " + OutputText(meaning),
        width: 2 + meaning.utf8.count
      )
    }
    let (title, gaps) = (style.colorKey == .depth ? "depth " : "within ", 2 * (parts.count - 1))
    return (
      OutputText(title) + parts.map(\.text).joined(separator: "  "),
      title.utf8.count + gaps + parts.reduce(0) { $0 + $1.width }
    )
  }

  private var plates: Part {
    let line = style.form == .ascii ? "~~" : style.form == .blocks ? "▄▀" : "⠤⠒"
    let text = OutputText(line, style.hasColor ? .plate : TextStyle()) + " plates"
    // Without color, coasts are drawn in Braille too.
    return style.hasColor || style.form == .ascii ? (text, 9) : ("", 1 << 20)
  }

  private static func plain(_ text: String) -> Part { (OutputText(text), DisplayWidth.columns(text)) }
}
