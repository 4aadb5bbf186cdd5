import StrataCCairo
import Testing

@testable import StrataQuakesPicture

struct TextFontTests {
  private static let white = Drawing.Color(0xFFFFFF)

  private func raster(_ text: String, width: Int = 600) throws -> Raster {
    var drawing = Drawing(width: width, height: 40)
    let start = Drawing.Point(x: 4, y: 28)
    drawing.shapes = [.text(Drawing.Text(text, start: start, size: 20, color: Self.white))]
    return try Raster(drawing)
  }

  /// A character of which the fonts have no letter is a box.
  @Test(arguments: ["346 earthquakes, M ≥ 5 · 7 d", "Łódź – Đà Nẵng", "Αθήνα", "東京 ▲ 🌋", "\u{10FFFD}\u{378}"])
  func `every character of a text is drawn`(_ text: String) throws {
    let whole = try raster(text)
    for index in text.indices where text[index] != " " {
      let without = text[..<index] + " " + text[text.index(after: index)...]
      let other = try raster(String(without))
      #expect(whole != other, "\(text[index]) of \(text)")
    }
  }

  @Test func `a text is as wide as its letters`() throws {
    for text in ["iiii", "WWWW", "Skopje, 12 km NNW", "Łódź 東京"] {
      let drawn = Drawing.Text(text, start: Drawing.Point(x: 4, y: 28), size: 20, color: Self.white)
      let raster = try raster(text)
      let columns = (0..<600).filter { x in (0..<40).contains { y in raster[x, y] != Drawing.Color(0) } }
      let (first, last) = (try #require(columns.first), try #require(columns.last))
      // The letters' own margins are narrow.
      #expect(abs(Double(last - first + 1) - drawn.width) < 5, "\(text): \(first)...\(last), \(drawn.width)")
      #expect(last <= Int(drawn.box.right) + 1)
      let rows = (0..<40).filter { y in (0..<600).contains { x in raster[x, y] != Drawing.Color(0) } }
      #expect(Double(rows.first ?? 0) >= drawn.box.top - 1 && Double(rows.last ?? 0) <= drawn.box.bottom + 1, "\(text)")
    }
    let widths = ["", "a", "ab", "ab "].map { TextFont.sans.width(of: $0, size: 10) }
    #expect(widths[0] == 0 && widths == widths.sorted() && widths[2] < widths[3])
    #expect(abs(TextFont.sans.width(of: "ab", size: 20) - 2 * widths[2]) < 0.01)
  }

  @Test func `a font that lacks a character leaves it to the next`() {
    let sets = ["Mto. 5", "東京"].map { characters in
      let set = FcCharSetCreate()
      for scalar in characters.unicodeScalars { FcCharSetAddChar(set, scalar.value) }
      return set
    }
    defer { for set in sets { FcCharSetDestroy(set) } }
    let font = TextFont([("sans-serif", sets[0]), ("monospace", sets[1])])
    let runs = font.runs("M 5 東京 to 京é")
    #expect(runs.map(\.text) == ["M 5 ", "東京 ", "to ", "京", "é"])
    // Both fonts lack the last character, so the first one has a box for it.
    #expect(runs.map { $0.face == runs[0].face } == [true, false, true, false, true])
  }

  @Test func `the runs of a text are the whole text`() {
    let text = "M 5.4 Tōkyō 東京, Αθήνα"
    #expect(TextFont.sans.runs(text).map(\.text).joined() == text)
    #expect(TextFont.sans.runs("one font").count == 1)
    #expect(TextFont.sans.runs("").isEmpty)
  }
}
