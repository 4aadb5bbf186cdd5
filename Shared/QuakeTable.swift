import Foundation

/// Formats earthquakes as lines of text: magnitude, age, depth, distance if there is one, place.
public struct QuakeTable: Sendable {
  public var terminal: Terminal
  public var now: Date
  public var style: DisplayStyle

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
  public static let longestAge = 10

  /// The heading and one line per earthquake. On a narrow terminal only the place is truncated.
  ///
  /// - Parameter ageWidth: the columns of the ages; nil for as many as the longest of these has.
  public func lines(_ quakes: [QuakeFacts], hasHeading: Bool = true, ageWidth: Int? = nil) -> [OutputText] {
    let ages = quakes.map { Age.text(of: $0.time, at: now, style: style) }
    let ageWidth = ageWidth ?? max(4, ages.map(DisplayWidth.columns).max() ?? 0)
    let head = row(
      magnitude: "MAG", age: "WHEN", ageWidth: ageWidth, depth: "DEPTH",
      distance: quakes.first?.distance == nil ? nil : "DISTANCE", place: "PLACE")
    return (hasHeading ? [terminal.heading(head)] : [])
      + zip(quakes, ages).map { line($0, age: $1, ageWidth: ageWidth) }
  }

  private func line(_ quake: QuakeFacts, age: String, ageWidth: Int) -> OutputText {
    let text = row(
      magnitude: quake.magnitudeText, age: age, ageWidth: ageWidth, depth: style.depth(of: quake),
      distance: quake.distance.map { style.distance($0) }, place: quake.placeText)
    return terminal.colored(text, magnitude: quake.magnitude)
  }

  private func row(
    magnitude: String, age: String, ageWidth: Int, depth: String, distance: String?, place: String
  ) -> String {
    var columns = [
      DisplayWidth.padded(magnitude, to: Self.magnitudeWidth, atEnd: false),
      DisplayWidth.padded(age, to: ageWidth),
      DisplayWidth.padded(depth, to: Self.depthWidth, atEnd: false),
    ]
    if let distance { columns.append(DisplayWidth.padded(distance, to: Self.distanceWidth, atEnd: false)) }
    let start = columns.joined(separator: Self.gap) + Self.gap
    guard let width = terminal.columns else { return start + place }
    let room = width - DisplayWidth.columns(start)
    return room < 4 ? DisplayWidth.fitted(start + place, to: width) : start + DisplayWidth.fitted(place, to: room)
  }
}
