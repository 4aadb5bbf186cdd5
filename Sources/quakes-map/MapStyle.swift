/// How a map looks.
public struct MapStyle: Equatable, Sendable {
  /// The characters that draw lines in a terminal.
  public enum Form: String, CaseIterable, Sendable {
    /// Braille patterns: two dots across and four down in a cell.
    case braille
    /// Half blocks: one across and two down.
    case blocks
    /// Characters that every terminal has.
    case ascii
  }

  public var form: Form
  public var colorKey: MarkColor.Key
  public var hasColor: Bool
  public var hasFrame: Bool
  public var hasPlates: Bool
  /// Meridians and parallels.
  public var hasGraticule: Bool

  public init(
    form: Form = .braille, colorKey: MarkColor.Key = .depth, hasColor: Bool = false, hasFrame: Bool = true,
    hasPlates: Bool = true, hasGraticule: Bool = false
  ) {
    (self.form, self.colorKey, self.hasColor, self.hasFrame) = (form, colorKey, hasColor, hasFrame)
    (self.hasPlates, self.hasGraticule) = (hasPlates, hasGraticule)
  }
}
