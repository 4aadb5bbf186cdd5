import Foundation
import FoundationXML
import StrataFormats
import StrataQuakes
import Testing

@testable import StrataQuakesMap

struct PictureTests {
  private static let view: MapView = {
    let points = [
      MapPoint(
        identifier: "a", latitude: 0, longitude: 180, magnitude: 6, depth: 10,
        title: #"<b> & "c" 'd'"# + "\u{1B}\u{FFFF}"),
      MapPoint(identifier: "b", latitude: 30, longitude: 90, magnitude: nil, depth: 400, title: "B]]>"),
      MapPoint(identifier: "c", latitude: .nan, longitude: 90, magnitude: 9, title: "nowhere"),
    ]
    let coast = [(10.0, 170.0), (20, -170), (-20, -160)].map { MapPosition(latitude: $0.0, longitude: $0.1) }
    return MapView(points: points, outlines: MapOutlines(coasts: [coast], plates: [coast]))
  }()

  private static func picture(width: Int = 200, height: Int = 100) -> MapPicture {
    MapPicture(view, style: MapStyle(hasGraticule: true), width: width, height: height, caption: "3 < 4")
  }

  /// A reader of PNG files that checks each chunk's checksum.
  private struct PNG {
    var chunks: [(name: String, data: [UInt8])] = []

    init(_ data: Data) throws {
      let bytes = [UInt8](data)
      #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      var start = 8
      while start < bytes.count {
        let length = Self.number(bytes, start)
        let content = Array(bytes[start + 4..<start + 8 + length])
        #expect(Self.number(bytes, start + 8 + length) == Self.checksum(content))
        chunks.append((String(decoding: content.prefix(4), as: UTF8.self), Array(content.dropFirst(4))))
        start += 12 + length
      }
      #expect(start == bytes.count)
    }

    static func number(_ bytes: [UInt8], _ start: Int) -> Int {
      bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// CRC-32 by bitwise division.
    private static func checksum(_ bytes: [UInt8]) -> Int {
      var rest: UInt32 = ~0
      for bit in bytes.flatMap({ byte in (0..<8).map { UInt32(byte >> $0 & 1) } }) {
        rest = (rest ^ bit) & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1
      }
      return Int(~rest)
    }
  }

  @Test func `pixels show city names in the picture font`() {
    var view = Self.view
    view.points = []
    let bare = MapPicture(view, style: MapStyle(), width: 800, height: 400).pixels
    view.labels = [
      MapLabel("São Tomé", latitude: 0, longitude: 90), MapLabel("Too near", latitude: 1, longitude: 91),
      MapLabel("東京", latitude: 40, longitude: 200),
    ]
    let picture = MapPicture(view, style: MapStyle(), width: 800, height: 400)
    let named = picture.pixels
    let written = (0..<800 * 400).filter { bare[$0 % 800, $0 / 800] != named[$0 % 800, $0 / 800] }
    // With dots of one pixel: a square of two pixels, and the letters from the third pixel.
    let (projection, left, top) = picture.layout
    let city = projection.point(latitude: 0, longitude: 90)!
    let (x, y) = (Int(left + city.x), Int(top + city.y))
    var expected = Set([(-1, -1), (0, -1), (-1, 0), (0, 0)].map { (y + $0.1) * 800 + x + $0.0 })
    for (index, letter) in "Sao Tome".enumerated() {
      for dot in PictureFont.dots(of: letter) { expected.insert((y - 3 + dot.y) * 800 + x + 3 + index * 6 + dot.x) }
    }
    #expect(Set(written) == expected)
  }

  @Test(
    arguments: [
      ("Łódź", "Lodz"), ("Reykjavík", "Reykjavik"), ("Tromsø", "Tromso"), ("Xi’an", "Xi'an"), ("Đà Nẵng", "Da Nang"),
      ("64 earthquakes, M ≥ 5 · 7 d", "64 earthquakes, M > 5 · 7 d"), ("Αθήνα", nil), ("東京", nil),
    ])
  func `a name is spelled in the font's letters or omitted`(name: String, spelled: String?) {
    #expect(PictureFont.spelled(name) == spelled)
  }

  @Test func `a PNG file has the raster's pixels`() throws {
    let raster = Self.picture().raster
    let png = try PNG(raster.png)
    #expect(png.chunks.map(\.name) == ["IHDR", "PLTE", "IDAT", "IEND"])
    let header = png.chunks[0].data
    #expect(PNG.number(header, 0) == 200 && PNG.number(header, 4) == 100 && header[8...] == [8, 3, 0, 0, 0])
    #expect(png.chunks[1].data == raster.colors.flatMap { [$0.red, $0.green, $0.blue] })
    let zlib = png.chunks[2].data
    #expect((Int(zlib[0]) << 8 | Int(zlib[1])) % 31 == 0 && zlib[0] & 15 == 8)
    let rows = try #require(Inflate.unpack(Array(zlib[2..<zlib.count - 4])))
    #expect(rows.count == 201 * 100)
    for row in 0..<100 {
      #expect(rows[row * 201] == 0)
      #expect(rows[row * 201 + 1..<(row + 1) * 201] == raster.indices[row * 200..<(row + 1) * 200])
    }
    let sums = rows.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    #expect(PNG.number(zlib, zlib.count - 4) == sums.1 << 16 | sums.0)
  }

  @Test func `marks and lines are at their positions`() throws {
    let picture = Self.picture(width: 360, height: 196)
    let pixels = picture.pixels
    let (projection, left, top) = picture.layout
    func color(_ latitude: Double, _ longitude: Double) throws -> Raster.Color {
      let point = try #require(projection.point(latitude: latitude, longitude: longitude))
      return pixels[Int(left + point.x), Int(top + point.y)]
    }
    let mark = try color(0, 180)
    #expect(mark.red > 120 && mark.red > mark.blue + 40)
    let deep = try color(30, 90)
    #expect(deep.blue > deep.red)
    // Between the ends of a line that crosses the date line, and next to it.
    #expect(try color(15, 180) != MapPicture.background)
    #expect(try color(-45, 140) == MapPicture.background)
  }

  @Test func `a picture of many colors keeps similar colors`() {
    var raster = Raster(width: 64, height: 64, color: MapPicture.background)
    for pixel in 0..<64 * 64 {
      let color = Raster.Color(
        red: UInt8(pixel % 64 * 4), green: UInt8(pixel / 64 * 4), blue: UInt8(pixel * 37 % 256))
      raster.blend(color, x: pixel % 64, y: pixel / 64, share: 1)
    }
    let indexed = IndexedRaster(raster)
    #expect(indexed.colors.count <= 256 && indexed.indices.count == 64 * 64)
    var largest = 0
    for pixel in 0..<64 * 64 {
      let (color, kept) = (raster[pixel % 64, pixel / 64], indexed.colors[Int(indexed.indices[pixel])])
      largest = max(largest, abs(Int(color.red) - Int(kept.red)), abs(Int(color.green) - Int(kept.green)))
    }
    #expect(largest <= 48)
  }

  @Test func `an SVG file is well-formed for any place name`() throws {
    let text = Self.picture().svg.text
    let reader = MarkReader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    // Control characters were replaced by blanks.
    #expect(reader.titles.sorted() == [#"<b> & "c" 'd' "#, "B]]>"])
    #expect(reader.names.contains("svg") && text.contains("3 &lt; 4") && !text.contains("nan"))
  }

  private final class MarkReader: NSObject, XMLParserDelegate {
    var names: Set<String> = []
    var titles: [String] = []
    private var isTitle = false

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      names.insert(name)
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

  @Test func `sixels have the raster's pixels`() throws {
    let raster = Self.picture(width: 100, height: 64).raster
    let text = raster.sixels.text
    #expect(text.hasPrefix("\u{1B}Pq\"1;1;100;64#0;2;") && text.hasSuffix("\u{1B}\\"))
    let data = try #require(text.dropFirst(3).dropLast(2).split(separator: "#0;2;").last)
    let indices = try Self.pixels(ofSixels: "#0;2;" + data, width: 100, height: 64)
    #expect(indices == raster.indices)
  }

  /// Draws sixels as a terminal does, with 255 where nothing is drawn.
  private static func pixels(ofSixels text: String, width: Int, height: Int) throws -> [UInt8] {
    var (pixels, x, top, color) = ([UInt8](repeating: 255, count: width * height), 0, 0, UInt8(0))
    var rest = Substring(text)
    func number() -> Int {
      let digits = rest.prefix { $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return Int(digits) ?? 0
    }
    while let character = rest.popFirst() {
      var count = 1
      var sixel = character
      switch character {
      case "#":
        color = UInt8(number())
        // Skip the definition of a color.
        while rest.first == ";" {
          rest.removeFirst()
          _ = number()
        }
        continue
      case "$": x = 0
      case "-": (x, top) = (0, top + 6)
      case "!":
        count = number()
        sixel = rest.popFirst() ?? "?"
      default: break
      }
      guard let bits = sixel.asciiValue, 0x3F...0x7E ~= bits else { continue }
      for _ in 0..<count {
        for row in 0..<6 where (bits - 0x3F) >> row & 1 == 1 {
          try #require(x < width && top + row < height)
          pixels[(top + row) * width + x] = color
        }
        x += 1
      }
    }
    return pixels
  }

  @Test func `Kitty graphics are the PNG file in parts`() throws {
    let raster = Self.picture(width: 900, height: 450).raster
    let parts = raster.kittyGraphics.text.components(separatedBy: "\u{1B}\\").dropLast()
    #expect(parts.count > 1)
    var base64 = ""
    for (index, part) in parts.enumerated() {
      let control = (index == 0 ? "a=T,f=100,q=2," : "") + "m=\(index + 1 < parts.count ? 1 : 0)"
      try #require(part.hasPrefix("\u{1B}_G\(control);"), "\(index)")
      let data = part.dropFirst(control.count + 4)
      #expect(data.count <= 4096 && (index + 1 == parts.count || data.count % 4 == 0))
      base64 += data
    }
    #expect(Data(base64Encoded: base64) == raster.png)
  }

  @Test func `impossible numbers do not appear in a picture`() {
    let wild = [-1e308, -.infinity, .nan, .infinity, 1e308] as [Double]
    let points = wild.flatMap { number in
      [
        MapPoint(identifier: "", latitude: 1, longitude: 1, magnitude: number, depth: number, age: number),
        MapPoint(identifier: "", latitude: number, longitude: number, magnitude: 5),
      ]
    }
    for (width, height) in [(64, 64), (0, -1), (64, 300)] {
      let picture = MapPicture(MapView(points: points), style: MapStyle(), width: width, height: height)
      #expect(picture.raster.width == 64 && picture.raster.height >= 64)
      #expect(!picture.svg.text.contains("nan") && !picture.svg.text.contains("inf"))
    }
  }
}
