import Foundation
import FoundationXML
import Testing

@testable import StrataQuakesPicture

/// Drawings as SVG.
struct DrawingTests {
  private static func drawing(_ shapes: Drawing.Shape...) -> Drawing {
    var drawing = Drawing(width: 200, height: 100)
    drawing.shapes = shapes
    return drawing
  }

  private static let color = Drawing.Color(0x0AB1CD)

  @Test func `an SVG file is well-formed for any text`() throws {
    let wild = #"<b> & "c" 'd'"# + "\u{1B}\u{FFFF}"
    let disc = Drawing.Disc(
      Drawing.Point(x: 5, y: 6), radius: 3, fill: Self.color, rim: Drawing.Pen(Self.color, width: 1), title: wild)
    let text = Drawing.Text("3 < 4 ]]>", start: Drawing.Point(x: 1, y: 2), size: 10, color: Self.color)
    let svg = Self.drawing(.disc(disc), .text(text)).svg.text
    let reader = TitleReader()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    // Control characters were replaced by blanks.
    #expect(reader.titles == [#"<b> & "c" 'd' "#] && reader.names == ["svg", "circle", "title", "text"])
    #expect(svg.contains("3 &lt; 4 ]]&gt;"))
  }

  private final class TitleReader: NSObject, XMLParserDelegate {
    var names: [String] = []
    var titles: [String] = []
    private var isTitle = false

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      names.append(name)
      isTitle = name == "title"
      if isTitle { titles.append("") }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if isTitle { titles[titles.count - 1] += text }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      isTitle = false
    }
  }

  @Test func `paths have the shapes' points`() {
    let line = [(0.04, 10.0), (-0.5, 10.26), (100.5, -3.0), (100.5, -3.0)].map { Drawing.Point(x: $0.0, y: $0.1) }
    let svg = Self.drawing(.lines([line], Drawing.Pen(Self.color, width: 1.5))).svg.text
    // Distances of positions that were rounded before.
    #expect(svg.contains(#"d="M0 10l-.5 .3 101-13.3 0 0""#), "\(svg)")
    #expect(svg.contains(##"stroke="#0ab1cd" stroke-width="1.5""##), "\(svg)")
  }

  @Test func `a text in SVG is as wide as in pixels`() throws {
    let text = Drawing.Text("Reykjavík", start: Drawing.Point(x: 1, y: 2), size: 10, color: Self.color)
    #expect(text.width > 20)
    let length = try #require(Self.drawing(.text(text)).svg.text.firstMatch(of: /textLength="([0-9.]+)"/)?.1)
    #expect(abs((Double(length) ?? 0) - text.width) < 0.06)
  }
}
