import Foundation

/// Formats earthquakes as lines of text: marks and IDs if asked for, magnitude, age, depth, distance if there is one,
/// place.
public struct QuakeTable: Sendable {
  public var terminal: Terminal
  public var now: Date
  public var style: DisplayStyle
  /// Whether a column has the user's marks: a star, and a check mark for what was acknowledged.
  public var showsMarks = false
  /// Whether a column has the IDs, whole, so that other programs know them too.
  public var showsIDs = false

  public init(terminal: Terminal, now: Date, style: DisplayStyle = DisplayStyle()) {
    self.terminal = terminal
    self.now = now
    self.style = style
  }

  private static let magnitudeWidth = 4
  private static let depthWidth = 6
  private static let distanceWidth = 8
  private static let gap = "  "

  /// The columns of the longest age that there is, such as `2014-04-15`.
  public static let maximumAgeWidth = 10

  /// The columns of most IDs, such as `us7000abcd`.
  public static let defaultIDWidth = 10

  /// Narrower places are not useful: the column of IDs is removed first.
  private static let minimumPlaceWidth = 24

  /// The heading and one line per earthquake. A narrow terminal truncates the place, and hides the IDs if little of it
  /// would be left.
  ///
  /// - Parameters:
  ///   - ageWidth: the columns of the ages; nil for as many as the longest of these has.
  ///   - idWidth: the columns of the IDs, likewise.
  public func lines(
    _ quakes: [QuakeFacts], hasHeading: Bool = true, ageWidth: Int? = nil, idWidth: Int? = nil
  ) -> [OutputText] {
    let ages = quakes.map { Age.text(of: $0.time, at: now, style: style) }
    let ids = quakes.map { Terminal.printable($0.identifier) }
    let widths = Widths(
      age: ageWidth ?? max(4, ages.map(DisplayWidth.columns).max() ?? 0),
      id: idWidth ?? max(2, ids.map(DisplayWidth.columns).max() ?? 0))
    let head = row(
      marks: marks(nil), magnitude: "MAG", age: "WHEN", depth: "DEPTH",
      distance: quakes.first?.distance == nil ? nil : "DISTANCE", id: "ID", place: "PLACE", widths)
    return (hasHeading ? [terminal.heading(head)] : [])
      + quakes.indices.map { line(quakes[$0], age: ages[$0], id: ids[$0], widths) }
  }

  private struct Widths {
    var age: Int
    var id: Int
  }

  private func line(_ quake: QuakeFacts, age: String, id: String, _ widths: Widths) -> OutputText {
    let text = row(
      marks: marks(quake.mark), magnitude: quake.magnitudeText, age: age, depth: style.depth(of: quake),
      distance: quake.distance.map { style.distance($0) }, id: id, place: quake.placeText, widths)
    return terminal.colored(text, magnitude: quake.magnitude)
  }

  private func row(
    marks: String, magnitude: String, age: String, depth: String, distance: String?, id: String, place: String,
    _ widths: Widths
  ) -> String {
    var columns = [
      DisplayWidth.padded(magnitude, to: Self.magnitudeWidth, atEnd: false),
      DisplayWidth.padded(age, to: widths.age),
      DisplayWidth.padded(depth, to: Self.depthWidth, atEnd: false),
    ]
    if let distance { columns.append(DisplayWidth.padded(distance, to: Self.distanceWidth, atEnd: false)) }
    let start = columns.reduce(into: marks) { $0 += $1 + Self.gap }
    let withID = showsIDs ? start + DisplayWidth.padded(id, to: widths.id) + Self.gap : start
    guard let width = terminal.columns else { return withID + place }
    // By the column's width and not by this ID, so that all lines are alike.
    let left = width - DisplayWidth.columns(start) - widths.id - Self.gap.count
    let first = left < Self.minimumPlaceWidth ? start : withID
    let room = width - DisplayWidth.columns(first)
    let end: Character = terminal.isASCII ? "~" : "…"
    return room < 4
      ? DisplayWidth.fitted(first + place, to: width, end: end) : first + DisplayWidth.fitted(place, to: room, end: end)
  }

  /// The column of the user's marks, with the gap after it. Each mark has a place and a meaning of its own.
  private func marks(_ mark: QuakeMark?) -> String {
    guard showsMarks else { return "" }
    return (mark?.isStarred == true ? starMark : " ") + (mark?.acknowledged != nil ? checkMark : " ") + " "
  }

  private var starMark: String { terminal.isASCII ? "*" : "★" }
  private var checkMark: String { terminal.isASCII ? "a" : "✓" }
}
