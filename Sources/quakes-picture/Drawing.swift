import StrataQuakes

/// A picture as shapes, each drawn over those before it. `svg` and `Raster` have the same contents.
public struct Drawing: Equatable, Sendable {
  /// Pixels.
  public let width: Int
  public let height: Int
  public var shapes: [Shape] = []

  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  public enum Shape: Equatable, Sendable {
    /// Closed outlines: one within another that goes the other way around is a hole.
    case area([[Point]], Color)
    case lines([[Point]], Pen)
    case disc(Disc)
    case text(Text)
    /// Shapes of which nothing is seen outside of a rectangle.
    case clipped([Shape], to: Rectangle)
  }

  /// A position in pixels, from the upper left corner of the picture.
  public struct Point: Equatable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  }

  public struct Color: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    /// From 0 to 1.
    public var opacity = 1.0

    /// - Parameter hex: `0xRRGGBB`
    public init(_ hex: UInt32, opacity: Double = 1) {
      (red, green, blue) = (UInt8(hex >> 16 & 0xFF), UInt8(hex >> 8 & 0xFF), UInt8(hex & 0xFF))
      self.opacity = opacity
    }
  }

  public struct Pen: Equatable, Sendable {
    public var color: Color
    public var width: Double

    public init(_ color: Color, width: Double) { (self.color, self.width) = (color, width) }
  }

  public struct Disc: Equatable, Sendable {
    public var center: Point
    public var radius: Double
    public var fill: Color
    public var rim: Pen
    /// The tooltip, where the format has them.
    public var title: String

    public init(_ center: Point, radius: Double, fill: Color, rim: Pen, title: String = "") {
      (self.center, self.radius, self.fill, self.rim) = (center, radius, fill, rim)
      self.title = Terminal.printable(title)
    }

    /// With its rim.
    public var reach: Double { radius + rim.width / 2 }
  }

  /// One line of text.
  public struct Text: Equatable, Sendable {
    public let text: String
    /// The left end of the line that the letters stand on.
    public var start: Point
    public let size: Double
    public let color: Color
    /// The color around the letters, over lines.
    public let halo: Color?
    /// As the pixels have it. SVG asks for the same.
    public let width: Double

    public init(_ text: String, start: Point, size: Double, color: Color, halo: Color? = nil) {
      self.text = Terminal.printable(text)
      (self.start, self.size, self.color, self.halo) = (start, size, color, halo)
      width = TextFont.sans.width(of: self.text, size: size)
    }

    /// The rectangle with all letters.
    public var box: Rectangle {
      Rectangle(left: start.x, top: start.y - 0.95 * size, width: width, height: 1.2 * size)
    }
  }

  public struct Rectangle: Equatable, Sendable {
    public var left: Double
    public var top: Double
    public var width: Double
    public var height: Double

    public init(left: Double, top: Double, width: Double, height: Double) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    public var right: Double { left + width }
    public var bottom: Double { top + height }

    public var outline: [Point] {
      [
        Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom), Point(x: left, y: bottom),
        Point(x: left, y: top),
      ]
    }
  }
}
