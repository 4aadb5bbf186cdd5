import StrataQuakes
import Testing

@testable import StrataQuakesMap

/// Maps drawn with characters.
struct MapViewTests {
  /// A square coast around the middle of the Pacific, and a boundary that crosses the map.
  private static let outlines = MapOutlines(
    coasts: [[(30, 150), (30, -150), (-30, -150), (-30, 150), (30, 150)].map(position)],
    plates: [[(-60, 60), (-60, 150), (-60, -120)].map(position)])

  private static func position(_ pair: (Int, Int)) -> MapPosition {
    MapPosition(latitude: Double(pair.0), longitude: Double(pair.1))
  }

  private static let points = [
    MapPoint(identifier: "a", latitude: 0, longitude: 180, magnitude: 7.1, depth: 10),
    MapPoint(identifier: "b", latitude: 60, longitude: 90, magnitude: 4.6, depth: 100),
    MapPoint(identifier: "c", latitude: 60, longitude: -90, magnitude: nil, depth: 600),
    MapPoint(identifier: "d", latitude: -75, longitude: 10, magnitude: 1, depth: nil),
  ]

  private func text(_ view: MapView, columns: Int = 42, rows: Int = 12, _ style: MapStyle = MapStyle()) -> String {
    var view = view
    return view.lines(columns: columns, rows: rows, style: style).map(\.text).joined(separator: "\n")
  }

  @Test func `a map is drawn in Braille`() {
    let view = MapView(points: Self.points, outlines: Self.outlines)
    #expect(
      text(view) == """
        ┌────────────────────────────────────────┐
        │                                        │
        │          ○                   ?         │
        │                                        │
        │                ⢰⠒⠒⠒⠒⠒⠒⡆                │
        │                ⢸      ⡇                │
        │                ⢸   ●  ⡇                │
        │                ⠸⠤⠤⠤⠤⠤⠤⠇                │
        │                                        │
        │      ⠐⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒             │
        │ ·                                      │
        └────60°E───120°E──180°──120°W──60°W─────┘
        """)
  }

  @Test func `a map is drawn with half blocks`() {
    let view = MapView(points: Self.points, outlines: Self.outlines)
    #expect(
      text(view, MapStyle(form: .blocks, hasPlates: false)) == """
        ┌────────────────────────────────────────┐
        │                                        │
        │          ○                   ?         │
        │                                        │
        │                █▀▀▀▀▀▀█                │
        │                █      █                │
        │                █   ●  █                │
        │                █▄▄▄▄▄▄█                │
        │                                        │
        │                                        │
        │ ·                                      │
        └────60°E───120°E──180°──120°W──60°W─────┘
        """)
  }

  @Test func `a map is drawn in ASCII`() {
    var view = MapView(points: Self.points, outlines: Self.outlines)
    view.labels = [MapLabel("Århus Ω", latitude: 20, longitude: 150)]
    let text = text(view, MapStyle(form: .ascii))
    #expect(
      text == """
        +----------------------------------------+
        |                                        |
        |          4                   ?         |
        |                                        |
        |                *Arhus ?                |
        |                :      :                |
        |                :   7  :                |
        |                :......:                |
        |                                        |
        |      ~~~~~~~~~~~~~~~~~~~~~             |
        | 1                                      |
        +0----60E---120E----180--120W----60W-----+
        """)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func `colors show the depth or the age`() {
    func marks(_ style: MapStyle) -> String {
      var view = MapView(points: Self.points)
      view.points[1].age = 2 * 86_400
      return text(view, style)
    }
    let depths = marks(MapStyle(hasColor: true))
    for part in ["\u{1B}[1;31m●", "\u{1B}[1;33m○", "\u{1B}[36m?"] {
      #expect(depths.contains(part), "\(part)")
    }
    let ages = marks(MapStyle(colorKey: .age, hasColor: true))
    for part in ["\u{1B}[1;31m●", "\u{1B}[1;36m○", "\u{1B}[31m?"] {
      #expect(ages.contains(part), "\(part)")
    }
    #expect(!marks(MapStyle()).contains("\u{1B}"))
  }

  @Test func `the largest mark at a position is on top unless another is selected`() {
    let places = [3.0, 7, 5].enumerated().map { index, magnitude in
      MapPoint(identifier: "\(index)", latitude: 0, longitude: 180, magnitude: magnitude)
    }
    var view = MapView(points: places)
    #expect(text(view).contains(" ● "))
    view.selected = "0"
    #expect(text(view).contains(" [∘] "))
    #expect(text(view, MapStyle(hasColor: true)).contains("\u{1B}[1;7m∘\u{1B}[0m"))
    view.selected = "none of them"
    #expect(text(view).contains(" ● "))
  }

  @Test func `a mark is found at its cell`() throws {
    var view = MapView(points: Self.points)
    let lines = view.lines(columns: 42, rows: 12)
    let row = try #require(lines.firstIndex { $0.text.contains("●") })
    let column = try #require(Array(lines[row].text).firstIndex(of: "●"))
    #expect(view.point(at: (column, row), columns: 42, rows: 12)?.identifier == "a")
    #expect(view.point(at: (column + 4, row + 2), columns: 42, rows: 12)?.identifier == "a")
    #expect(view.point(at: (column + 5, row), columns: 42, rows: 12) == nil)
    #expect(view.point(at: (.min / 4, .max / 4), columns: 42, rows: 12) == nil)
  }

  @Test func `labels do not overlap`() {
    let region = MapRegion(latitude: 0, longitude: 0, width: 40, height: 20)
    var view = MapView(points: [MapPoint(identifier: "a", latitude: 4, longitude: 4, magnitude: 5)], region: region)
    view.labels = [
      MapLabel("First", latitude: 0, longitude: 0), MapLabel("Second", latitude: 0, longitude: 2),
      MapLabel("At the edge", latitude: -4, longitude: 18), MapLabel("Marked", latitude: 4, longitude: 2),
      MapLabel("東京", latitude: 8, longitude: 0), MapLabel("bad\u{1B}[2J\n", latitude: -8, longitude: 0),
      MapLabel("nowhere", latitude: .nan, longitude: 0), MapLabel("", latitude: 6, longitude: 6),
    ]
    let lines = text(view, columns: 62, rows: 20).split(separator: "\n")
    #expect(lines.allSatisfy { DisplayWidth.columns(String($0)) == 62 }, "\(lines)")
    let text = lines.joined()
    for name in ["▪First", "At the edge▪", "Marked▪", "▪東京", "▪bad "] { #expect(text.contains(name), "\(name)") }
    for name in ["Second", "nowhere", "\u{1B}"] { #expect(!text.contains(name), "\(name)") }
  }

  @Test func `lines fit in every size`() {
    var view = MapView(points: Self.points, outlines: Self.outlines)
    for hasFrame in [true, false] {
      for (columns, rows) in [(0, 0), (2, 2), (3, 3), (1, 40), (400, 3), (-5, 10), (.max, 4), (7, .max)] {
        let lines = view.lines(columns: columns, rows: rows, style: MapStyle(hasFrame: hasFrame, hasGraticule: true))
        #expect(lines.count <= max(0, rows), "\(columns) \(rows)")
        #expect(lines.allSatisfy { DisplayWidth.columns($0.text) <= max(0, columns) }, "\(columns) \(rows)")
      }
    }
  }

  @Test func `impossible numbers are drawn or omitted`() {
    let wild = [-1e308, -.infinity, .nan, .infinity, 1e308, 91, 400] as [Double]
    let points = wild.map {
      MapPoint(identifier: "\($0)", latitude: 10, longitude: 10, magnitude: $0, depth: $0, age: $0)
    }
    let lost = wild.map { MapPoint(identifier: "\($0)", latitude: $0, longitude: $0, magnitude: 5) }
    for style in [MapStyle(hasColor: true), MapStyle(form: .ascii, colorKey: .age)] {
      let text = text(MapView(points: points, region: .world(longitude: 10)), style)
      #expect(text.contains(style.form == .ascii ? "9" : "●"), "\(text)")
      #expect(!self.text(MapView(points: lost), MapStyle()).contains("○"))
    }
  }

  @Test func `the legend omits what does not fit`() {
    let style = MapStyle(hasColor: true)
    let legend = MapLegend(style, hasPlates: true)
    #expect(legend.line(columns: 100).text.contains("plates"))
    #expect(!legend.line(columns: 80).text.contains("plates") && legend.line(columns: 80).text.contains("300 km"))
    #expect(legend.line(columns: 5) == "")
    #expect(MapLegend(MapStyle(form: .ascii), hasPlates: false).line(columns: 80) == "0-9 magnitude, ? unknown")
  }

  @Test func `magnitudes and depths have the usual classes`() {
    let sizes = [nil, .nan, -1, 2.49, 2.5, 4.5, 6, 7, 9.5] as [Double?]
    #expect(sizes.map { MagnitudeStep($0).glyph } == ["?", "?", "·", "·", "∘", "○", "◎", "●", "●"])
    func color(_ depth: Double?) -> MarkColor {
      MarkColor(MapPoint(identifier: "", latitude: 0, longitude: 0, depth: depth), by: .depth)
    }
    let depths = [-2, 69.9, 70, 300, 300.1, nil, .nan] as [Double?]
    #expect(depths.map(color) == [.first, .first, .second, .second, .third, .other, .other])
  }
}
