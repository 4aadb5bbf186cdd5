import Foundation
import StrataQuakes
import Testing

@testable import StrataQuakesMap
@testable import StrataQuakesPicture

struct PictureTests {
  private static let style = MapStyle(hasGraticule: true)

  private static func quakes(_ count: Int, in region: MapRegion, seed: Int = 1) -> [MapPoint] {
    // A sequence that looks random and is the same every time.
    var state = UInt64(seed)
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 33) / Double(1 << 31)
    }
    return (0..<count).map { number in
      MapPoint(
        identifier: "\(number)", latitude: region.latitude + (next() - 0.5) * region.height,
        longitude: region.longitude + (next() - 0.5) * region.width, magnitude: next() * 8, depth: next() * 600)
    }
  }

  private static func position(_ pair: (Double, Double)) -> MapPosition {
    MapPosition(latitude: pair.0, longitude: pair.1)
  }

  /// The shapes on the map itself.
  private func map(_ picture: MapPicture) throws -> [Drawing.Shape] {
    for case .clipped(let shapes, _) in picture.drawing.shapes { return shapes }
    throw Failure(.outputFailed, "no map")
  }

  private func texts(_ shapes: [Drawing.Shape]) -> [Drawing.Text] {
    shapes.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  private func discs(_ shapes: [Drawing.Shape]) -> [Drawing.Disc] {
    shapes.compactMap { if case .disc(let disc) = $0 { disc } else { nil } }
  }

  // MARK: Labels

  @Test(arguments: 1...5)
  func `labels cover neither marks nor each other nor the scale bar`(_ seed: Int) throws {
    let region = MapRegion(latitude: 36, longitude: 138, width: 4, height: 2.7)
    let cities = Self.quakes(60, in: region, seed: seed + 100)
    var view = MapView(points: Self.quakes(40, in: region, seed: seed), region: region)
    view.labels = cities.map { MapLabel("City \($0.identifier)", latitude: $0.latitude, longitude: $0.longitude) }
    let picture = MapPicture(view, style: Self.style, width: 1200, height: 600)
    let shapes = try map(picture)
    let (marks, bar) = (discs(shapes), ScaleBar(picture))
    let labels = texts(shapes).filter { $0.text.hasPrefix("City") }
    #expect(marks.count == 40 && labels.count > 20)
    for (index, label) in labels.enumerated() {
      #expect(!marks.contains { $0.intersects(label.box) }, "\(label)")
      #expect(!bar.box.intersects(label.box) && picture.area.contains(label.box), "\(label)")
      #expect(!labels[(index + 1)...].contains { $0.box.intersects(label.box) }, "\(label)")
    }
  }

  @Test func `a city under a mark has its name next to the mark`() throws {
    let region = MapRegion(latitude: 0, longitude: 0, width: 4, height: 2)
    var view = MapView(
      points: [MapPoint(identifier: "a", latitude: 0, longitude: 0.01, magnitude: 9, depth: 10)], region: region)
    view.labels = [MapLabel("Skopje", latitude: 0, longitude: 0)]
    let shapes = try map(MapPicture(view, style: Self.style, width: 1200, height: 600))
    let label = try #require(texts(shapes).first { $0.text == "Skopje" })
    let mark = try #require(discs(shapes).first)
    #expect(mark.radius > 15 && !mark.intersects(label.box))
    #expect(label.start.distance(to: mark.center) < mark.radius + 2 * label.size)
  }

  @Test func `names that are not printable or nowhere are harmless`() throws {
    let region = MapRegion(latitude: 0, longitude: 0, width: 4, height: 2)
    var view = MapView(points: [], region: region)
    view.labels = [
      MapLabel("bad\u{1B}[2J\n", latitude: 0, longitude: 0), MapLabel("nowhere", latitude: .nan, longitude: 0),
      MapLabel("", latitude: 0.5, longitude: 0), MapLabel("東京", latitude: -0.5, longitude: 0),
    ]
    let names = texts(try map(MapPicture(view, style: Self.style, width: 800, height: 400))).map(\.text)
    #expect(names.contains("東京") && !names.contains("nowhere") && !names.contains(""), "\(names)")
    #expect(names.allSatisfy { name in name.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
  }

  // MARK: Notes

  private static let notes = MapNotes(
    caption: "346 earthquakes; the largest M 7.6 ▲ near Łódź – 東京", period: "2014-04-08 to 2014-04-15 UTC")

  @Test func `a picture has its whole caption and its time`() throws {
    let picture = MapPicture(MapView(points: []), style: Self.style, width: 1200, height: 600, notes: Self.notes)
    let footer = texts(picture.drawing.shapes)
    #expect(footer.map(\.text).contains(Self.notes.caption) && footer.map(\.text).contains(Self.notes.period))
    let bare = MapPicture(MapView(points: []), style: Self.style, width: 1200, height: 600)
    #expect(bare.area.height > picture.area.height)
    let (first, second) = (try Raster(picture.drawing), try Raster(bare.drawing))
    let caption = try #require(footer.first { $0.text == Self.notes.caption })
    let ink = (Int(caption.box.left)..<Int(caption.box.right)).filter { x in
      (Int(caption.box.top)..<Int(caption.box.bottom)).contains { y in first[x, y] != second[x, y] }
    }
    #expect(ink.count > Int(caption.width / 2))
  }

  @Test(arguments: [64, 200, 300, 500, 900, 4096])
  func `texts below the map fit the picture and do not overlap`(_ width: Int) {
    let picture = MapPicture(MapView(points: []), style: Self.style, width: width, height: 400, notes: Self.notes)
    let footer = texts(picture.drawing.shapes)
    for (index, text) in footer.enumerated() {
      #expect(text.start.x >= 0 && text.box.right <= Double(width), "\(text)")
      #expect(!footer[(index + 1)...].contains { $0.box.intersects(text.box) }, "\(text)")
      #expect(text.box.top >= picture.area.bottom - 1 && text.box.bottom <= Double(picture.height) + 1, "\(text)")
    }
    #expect(footer.count >= 2, "\(footer)")
    let isCut = !footer.contains { $0.text == Self.notes.caption }
    #expect(isCut == (width < 250), "\(footer)")
    if width == 200 { #expect(isCut && footer.contains { $0.text.hasSuffix("…") && $0.text.hasPrefix("346") }) }
  }

  @Test func `the scale bar has a round length that is true`() throws {
    let lengths = [("km", 0.1), ("km", 1.3), ("mi", 1.3), ("km", 12), ("km", 180)] as [(String, Double)]
    for (unit, height) in lengths {
      let region = MapRegion(latitude: height > 90 ? 0 : 60, longitude: 20, width: height * 2, height: height)
      let notes = MapNotes(unit: try #require(DisplayStyle.Unit(rawValue: unit)))
      let picture = MapPicture(
        MapView(points: [], region: region), style: Self.style, width: 1200, height: 600, notes: notes)
      let bar = ScaleBar(picture)
      let number = try #require(bar.text.split(separator: " ").first.flatMap { Double($0) })
      let digit = number / pow(10, log10(number).rounded(.down))
      #expect([1, 2, 5].contains { abs(digit - $0) < 0.001 }, "\(bar.text)")
      #expect(bar.text.contains(" \(unit)") && bar.text.contains("equator") == (height > 90), "\(bar.text)")
      #expect(bar.length > picture.area.width / 15 && bar.length <= picture.area.width / 5, "\(bar)")
      // From the map's middle to the east.
      let degrees = number * (unit == "mi" ? 1.609344 : 1) / (GreatCircle.radius * .pi / 180)
      let scale = cos(region.latitude * .pi / 180)
      let start = try #require(picture.point(latitude: region.latitude, longitude: 20))
      let end = try #require(picture.point(latitude: region.latitude, longitude: 20 + degrees / scale))
      #expect(abs(end.x - start.x - bar.length) < 0.01 * bar.length, "\(bar.text)")
      #expect(texts(try map(picture)).contains { $0.text == bar.text })
    }
  }

  @Test func `meridians and parallels have their degrees`() throws {
    let view = MapView(points: [], region: MapRegion(latitude: -20, longitude: 180, width: 30, height: 15))
    let picture = MapPicture(view, style: MapStyle(hasGraticule: true), width: 1200, height: 600)
    let names = texts(try map(picture)).map(\.text)
    for name in ["175°E", "180°", "175°W", "20°S", "15°S"] { #expect(names.contains(name), "\(names)") }
    let bare = MapPicture(view, style: MapStyle(), width: 1200, height: 600)
    #expect(texts(try map(bare)).map(\.text) == [ScaleBar(bare).text])
  }

  // MARK: Land, lines and marks

  /// Land on both sides of the date line, with a lake.
  private static let outlines = MapOutlines(
    land: [
      [(-10, 170), (10, 170), (10, 180), (-10, 180), (-10, 170)],
      [(-10, -180), (10, -180), (10, -170), (-10, -170), (-10, -180)],
      [(-2, 172), (-2, 176), (2, 176), (2, 172), (-2, 172)],
      [(-90, -180), (-80, -180), (-80, 0), (-80, 180), (-90, 180), (-90, -180)],
    ].map { $0.map(position) })

  @Test func `land is filled across the date line and lakes are not`() throws {
    for longitude in [180.0, -175, 0] {
      let view = MapView(points: [], outlines: Self.outlines, region: .world(longitude: longitude))
      let picture = MapPicture(view, style: MapStyle(), width: 1440, height: 760)
      let raster = try Raster(picture.drawing)
      func color(_ latitude: Double, _ longitude: Double) throws -> Drawing.Color {
        let point = try #require(picture.point(latitude: latitude, longitude: longitude))
        return raster[Int(point.x), Int(point.y)]
      }
      #expect(try color(5, 171) == MapColors.land && color(5, -171) == MapColors.land)
      #expect(try color(-85, 90) == MapColors.land && color(0, 0.5) == MapColors.sea)
      #expect(try color(0, 174) == MapColors.sea)
      // The coast, and the date line without one.
      #expect(try color(9.999, 175) != MapColors.land && color(9.999, 175) != MapColors.sea)
      for shift in [-0.2, 0, 0.2] where longitude != 0 { #expect(try color(7, 180 + shift) == MapColors.land) }
    }
  }

  @Test func `the smallest region of a large land is all land`() throws {
    let region = MapRegion(latitude: 5, longitude: 178, width: 0, height: 0)
    let picture = MapPicture(
      MapView(points: [], outlines: Self.outlines, region: region), style: MapStyle(), width: 4096, height: 300)
    let raster = try Raster(picture.drawing)
    #expect(raster[2000, 20] == MapColors.land && raster[4000, 200] == MapColors.land)
  }

  @Test func `outlines have a coast except where the data ends`() {
    let coasts = Self.outlines.coasts.map { $0.map { [$0.latitude, $0.longitude] } }
    let lake = [[-2, 172], [-2, 176], [2, 176], [2, 172], [-2, 172]] as [[Double]]
    #expect(
      coasts == [
        [[-10, 170], [10, 170], [10, 180]], [[-10, 180], [-10, 170]],
        [[10, -180], [10, -170], [-10, -170], [-10, -180]], lake, [[-80, -180], [-80, 0], [-80, 180]],
      ])
  }

  @Test func `marks and lines are at their positions`() throws {
    let quakes = [
      MapPoint(identifier: "a", latitude: 0, longitude: 180, magnitude: 6, depth: 10, title: "A"),
      MapPoint(identifier: "b", latitude: 30, longitude: 90, magnitude: nil, depth: 400, title: "B"),
      MapPoint(identifier: "c", latitude: .nan, longitude: 90, magnitude: 9, title: "nowhere"),
    ]
    let coast = [(10.0, 170.0), (20, -170), (-20, -160)].map(Self.position)
    var view = MapView(points: quakes, outlines: MapOutlines(coasts: [coast], plates: [coast]))
    view.selected = "b"
    let picture = MapPicture(view, style: MapStyle(), width: 720, height: 400)
    let raster = try Raster(picture.drawing)
    func color(_ latitude: Double, _ longitude: Double) throws -> Drawing.Color {
      let point = try #require(picture.point(latitude: latitude, longitude: longitude))
      return raster[Int(point.x), Int(point.y)]
    }
    let mark = try color(0, 180)
    #expect(mark.red > 120 && mark.red > mark.blue + 40)
    let deep = try color(30, 90)
    #expect(deep.blue > deep.red)
    // Between the ends of a line that crosses the date line, and next to it.
    #expect(try color(15, 180) != MapColors.sea)
    #expect(try color(-45, 140) == MapColors.sea)
    let marks = discs(try map(picture))
    #expect(marks.map(\.title) == ["A", "B"] && marks[1].rim.color == MapColors.selection)
    let svg = picture.drawing.svg.text
    #expect(svg.contains("<title>A</title>") && !svg.contains("nowhere") && !svg.contains("nan"))
  }

  @Test func `a picture is the same every time`() throws {
    var view = MapView(points: Self.quakes(50, in: .world()), outlines: Self.outlines)
    view.labels = [MapLabel("São Tomé", latitude: 0, longitude: 90)]
    let pictures = (0..<2).map { _ in
      MapPicture(view, style: Self.style, width: 400, height: 200, notes: Self.notes).drawing
    }
    #expect(pictures[0] == pictures[1] && pictures[0].svg == pictures[1].svg)
    #expect(try Raster(pictures[0]).png() == Raster(pictures[1]).png())
  }

  @Test func `impossible numbers do not appear in a picture`() throws {
    let wild = [-1e308, -.infinity, .nan, .infinity, 1e308] as [Double]
    let points = wild.flatMap { number in
      [
        MapPoint(identifier: "", latitude: 1, longitude: 1, magnitude: number, depth: number, age: number),
        MapPoint(identifier: "", latitude: number, longitude: number, magnitude: 5),
      ]
    }
    let land = [[(1, 1), (.nan, 2), (3, 3), (1, 1)], [(1, 1), (2, 1e308), (3, 3), (1, 1)]].map { $0.map(Self.position) }
    for (width, height) in [(64, 64), (0, -1), (64, 300)] {
      let view = MapView(points: points, outlines: MapOutlines(land: land))
      let drawing = MapPicture(view, style: MapStyle(), width: width, height: height).drawing
      #expect(drawing.width == 64 && drawing.height >= 64)
      #expect(try Raster(drawing).width == 64)
      #expect(!drawing.svg.text.contains("nan") && !drawing.svg.text.contains("inf"))
    }
  }
}
