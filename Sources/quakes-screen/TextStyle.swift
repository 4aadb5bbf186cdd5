/// How a character looks: attributes and colors, as the SGR sequences of ECMA-48 set them.
public struct TextStyle: Hashable, Sendable {
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let italic = Attributes(rawValue: 4)
    public static let underlined = Attributes(rawValue: 8)
    public static let reversed = Attributes(rawValue: 16)
  }

  public enum Color: Hashable, Sendable {
    /// One of the 256 of the usual palette; the first 16 are the terminal's own.
    case palette(UInt8)
    case rgb(UInt8, UInt8, UInt8)
  }

  public var attributes: Attributes = []
  /// nil for the terminal's default.
  public var foreground: Color?
  /// nil for the terminal's default.
  public var background: Color?

  public init(_ attributes: Attributes = [], foreground: Color? = nil, background: Color? = nil) {
    (self.attributes, self.foreground, self.background) = (attributes, foreground, background)
  }
}

// MARK: - Reading SGR

extension TextStyle {
  /// Applies the parameters of an SGR sequence; ignores those that it does not know.
  mutating func apply(_ parameters: [Int]) {
    var rest = parameters.isEmpty ? [0] : parameters[...]
    while let parameter = rest.popFirst() {
      switch parameter {
      case 0: self = TextStyle()
      case 1: attributes.insert(.bold)
      case 2: attributes.insert(.dim)
      case 3: attributes.insert(.italic)
      case 4: attributes.insert(.underlined)
      case 7: attributes.insert(.reversed)
      case 22: attributes.subtract([.bold, .dim])
      case 23: attributes.remove(.italic)
      case 24: attributes.remove(.underlined)
      case 27: attributes.remove(.reversed)
      case 30...37: foreground = .palette(UInt8(parameter - 30))
      case 38: foreground = Self.color(&rest)
      case 39: foreground = nil
      case 40...47: background = .palette(UInt8(parameter - 40))
      case 48: background = Self.color(&rest)
      case 49: background = nil
      case 90...97: foreground = .palette(UInt8(parameter - 90 + 8))
      case 100...107: background = .palette(UInt8(parameter - 100 + 8))
      default: break
      }
    }
  }

  /// The color behind a 38 or 48.
  private static func color(_ rest: inout ArraySlice<Int>) -> Color? {
    func byte() -> UInt8? { rest.popFirst().flatMap(UInt8.init(exactly:)) }
    switch rest.popFirst() {
    case 5: return byte().map(Color.palette)
    case 2:
      guard let red = byte(), let green = byte(), let blue = byte() else { return nil }
      return .rgb(red, green, blue)
    default: return nil
    }
  }
}

// MARK: - Writing SGR

extension TextStyle {
  /// The parameters of the SGR sequence that sets this style whatever was set before.
  var parameters: String {
    let codes: [(Attributes, String)] = [
      (.bold, ";1"), (.dim, ";2"), (.italic, ";3"), (.underlined, ";4"), (.reversed, ";7"),
    ]
    return "0" + codes.filter { attributes.contains($0.0) }.map(\.1).joined()
      + (foreground.map { Self.parameters($0, base: 30) } ?? "")
      + (background.map { Self.parameters($0, base: 40) } ?? "")
  }

  private static func parameters(_ color: Color, base: Int) -> String {
    switch color {
    case .palette(let number) where number < 8: ";\(base + Int(number))"
    case .palette(let number) where number < 16: ";\(base + 60 + Int(number) - 8)"
    case .palette(let number): ";\(base + 8);5;\(number)"
    case .rgb(let red, let green, let blue): ";\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}
