import Foundation
import StrataFormats
import StrataQuakes
import Testing

@testable import StrataQuakesPicture

/// Drawings as pixels, and in the formats of files and terminals.
struct RasterTests {
  private static func raster(width: Int = 100, height: Int = 64) throws -> Raster {
    var drawing = Drawing(width: width, height: height)
    let all = Drawing.Rectangle(left: 0, top: 0, width: Double(width), height: Double(height))
    let mark = Drawing.Disc(
      Drawing.Point(x: 30, y: 30), radius: 12, fill: Drawing.Color(0xFF0000, opacity: 0.5),
      rim: Drawing.Pen(Drawing.Color(0xFFFF00), width: 2))
    let text = Drawing.Text("M 5.4", start: Drawing.Point(x: 50, y: 40), size: 14, color: Drawing.Color(0xFFFFFF))
    drawing.shapes = [.area([all.outline], Drawing.Color(0x203040)), .disc(mark), .text(text)]
    return try Raster(drawing)
  }

  private static func point(_ x: Double, _ y: Double) -> Drawing.Point { Drawing.Point(x: x, y: y) }

  @Test func `shapes are drawn over each other and cut at a rectangle`() throws {
    var drawing = Drawing(width: 40, height: 40)
    let (red, green, blue) = (Drawing.Color(0xFF0000), Drawing.Color(0x00FF00), Drawing.Color(0x0000FF))
    func square(_ low: Double, _ high: Double) -> [Drawing.Point] {
      Drawing.Rectangle(left: low, top: low, width: high - low, height: high - low).outline
    }
    let left = Drawing.Rectangle(left: 0, top: 0, width: 20, height: 40)
    drawing.shapes = [
      // The second goes the other way around.
      .area([square(0, 40), square(10, 30).reversed()], red),
      .clipped([.lines([[Self.point(0, 5), Self.point(40, 5)]], Drawing.Pen(green, width: 4))], to: left),
      .disc(Drawing.Disc(Self.point(20, 20), radius: 6, fill: blue, rim: Drawing.Pen(green, width: 4))),
    ]
    let raster = try Raster(drawing)
    #expect(raster[2, 20] == red && raster[12, 12] == Drawing.Color(0))
    #expect(raster[10, 5] == green && raster[30, 5] == red)
    #expect(raster[20, 20] == blue && raster[20, 14] == green)
    #expect(try Raster(drawing) == raster)
  }

  @Test func `areas next to each other have no seam`() throws {
    var drawing = Drawing(width: 20, height: 10)
    let (left, right) = (
      Drawing.Rectangle(left: 0, top: 0, width: 9.3, height: 10),
      Drawing.Rectangle(left: 9.3, top: 0, width: 10.7, height: 10)
    )
    drawing.shapes = [.area([left.outline, right.outline], Drawing.Color(0xFFFFFF))]
    #expect(try Raster(drawing).pixels.allSatisfy { $0 == 0xFFFFFF })
  }

  @Test func `a PNG file has the pixels`() throws {
    let raster = try Self.raster()
    let png = try PNG(raster.png())
    #expect(png.width == 100 && png.height == 64)
    #expect(png.pixels == raster.pixels)
  }

  @Test func `Kitty graphics are the PNG file in parts`() throws {
    let raster = try Self.raster(width: 900, height: 450)
    let parts = try raster.kittyGraphics().text.components(separatedBy: "\u{1B}\\").dropLast()
    #expect(parts.count > 1)
    var base64 = ""
    for (index, part) in parts.enumerated() {
      let control = (index == 0 ? "a=T,f=100,q=2," : "") + "m=\(index + 1 < parts.count ? 1 : 0)"
      try #require(part.hasPrefix("\u{1B}_G\(control);"), "\(index)")
      let data = part.dropFirst(control.count + 4)
      #expect(data.count <= 4096 && (index + 1 == parts.count || data.count % 4 == 0))
      base64 += data
    }
    #expect(try Data(base64Encoded: base64) == raster.png())
  }

  @Test func `a picture of many colors keeps similar colors`() throws {
    var drawing = Drawing(width: 64, height: 64)
    for pixel in 0..<64 * 64 {
      let (x, y) = (pixel % 64, pixel / 64)
      let square = Drawing.Rectangle(left: Double(x), top: Double(y), width: 1, height: 1)
      let color = UInt32(x * 4) << 16 | UInt32(y * 4) << 8 | UInt32(pixel * 37 % 256)
      drawing.shapes.append(.area([square.outline], Drawing.Color(color)))
    }
    let raster = try Raster(drawing)
    let indexed = IndexedRaster(raster)
    #expect(indexed.colors.count <= 256 && indexed.indices.count == 64 * 64)
    var largest = 0
    for pixel in 0..<64 * 64 {
      let (color, kept) = (raster[pixel % 64, pixel / 64], indexed.colors[Int(indexed.indices[pixel])])
      largest = max(largest, abs(Int(color.red) - Int(kept.red)), abs(Int(color.green) - Int(kept.green)))
    }
    #expect(largest <= 48)
  }

  @Test func `sixels have the pixels`() throws {
    let raster = IndexedRaster(try Self.raster())
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
}
