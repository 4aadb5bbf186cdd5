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

// MARK: - Writing SGR

extension TextStyle {
  /// The parameters of the SGR sequence that sets this style after another one.
  public var parameters: String { (["0"] + codes).joined(separator: ";") }

  /// The parameters that set it where no style is set.
  var codes: [String] {
    let codes: [(Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.reversed, "7"),
    ]
    return codes.filter { attributes.contains($0.0) }.map(\.1)
      + [foreground.map { Self.code($0, base: 30) }, background.map { Self.code($0, base: 40) }].compactMap { $0 }
  }

  private static func code(_ color: Color, base: Int) -> String {
    switch color {
    case .palette(let number) where number < 8: "\(base + Int(number))"
    case .palette(let number) where number < 16: "\(base + 60 + Int(number) - 8)"
    case .palette(let number): "\(base + 8);5;\(number)"
    case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}
