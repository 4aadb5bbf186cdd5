import Foundation

/// The line's text with fields in braces, such as `M {magnitude} {place} {age} · {today} today`; `{{` and `}}` are braces.
public struct SummaryTemplate: Equatable, Sendable {
  public enum Field: String, CaseIterable, Sendable {
    /// `6.1`, or `?`.
    case magnitude
    case place
    /// `12 min ago`.
    case age
    /// The number since midnight.
    case today
    /// `35 km`, or `?`.
    case depth
    /// `strong`; empty if the magnitude is not known.
    case `class`
    /// The service's alert level; empty without one.
    case alert
    /// The instant in UTC, ISO 8601.
    case time
    /// The time of day, `08:40:46`, where the user is.
    case clock
    case id
    /// The address of its page; empty without one that may be opened.
    case url
    /// `stale`, or empty.
    case stale
  }

  private enum Part: Equatable, Sendable {
    case literal(String)
    case field(Field)
  }

  private var parts: [Part] = []

  /// - Throws: `Failure` of usage, which lists the fields.
  public init(_ text: String) throws(Failure) {
    var (rest, literal) = (text[...], "")
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        literal.append(rest.removeFirst())
      } else if character == "{", let end = rest.firstIndex(of: "}"),
        let field = Field(rawValue: String(rest[..<end]))
      {
        parts += [.literal(literal), .field(field)]
        (rest, literal) = (rest[rest.index(after: end)...], "")
      } else if character == "{" || character == "}" {
        let fields = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        throw Failure(.usage, "--template \"\(text)\" has a brace outside of a field; the fields are \(fields)")
      } else {
        literal.append(character)
      }
    }
    parts.append(.literal(literal))
  }

  private init(parts: [Part]) { self.parts = parts }

  /// `M 6.1 Tonga 12 min ago · 37 today`.
  public static let standard = SummaryTemplate(parts: [
    .literal("M "), .field(.magnitude), .literal(" "), .field(.place), .literal(" "), .field(.age), .literal(" · "),
    .field(.today), .literal(" today"),
  ])

  /// `M 6.1 12 min ago`, for a bar without room.
  public static let short = SummaryTemplate(parts: [
    .literal("M "), .field(.magnitude), .literal(" "), .field(.age),
  ])

  /// Whether the text itself shows that it is stale.
  public var showsStaleness: Bool { parts.contains(.field(.stale)) }

  /// The text of an earthquake.
  ///
  /// - Parameter width: the maximum number of columns; the place is truncated first. nil for no limit.
  public func text(
    _ quake: QuakeFacts, in summary: Summary, style: DisplayStyle = DisplayStyle(), width: Int? = nil
  ) -> String {
    let place = quake.placeText
    let whole = text(quake, place: place, in: summary, style: style)
    guard let width else { return whole }
    let excess = DisplayWidth.columns(whole) - width
    guard excess > 0 else { return whole }
    let room = DisplayWidth.columns(place) - excess
    guard room > 2, parts.filter({ $0 == .field(.place) }).count == 1 else {
      return DisplayWidth.fitted(whole, to: width)
    }
    return text(quake, place: DisplayWidth.fitted(place, to: room), in: summary, style: style)
  }

  private func text(_ quake: QuakeFacts, place: String, in summary: Summary, style: DisplayStyle) -> String {
    var (text, isAfterNothing) = ("", false)
    for part in parts {
      switch part {
      case .literal(let literal):
        // An unknown value also removes one of the blanks around it.
        let hasTwo = isAfterNothing && literal.hasPrefix(" ") && (text.isEmpty || text.hasSuffix(" "))
        // A text, because Swift searches all conformances of the program to append a part of one.
        text += hasTwo ? String(literal.dropFirst()) : literal
        isAfterNothing = false
      case .field(let field):
        let value = field == .place ? place : Self.value(of: field, quake, in: summary, style: style)
        text += value
        isAfterNothing = value.isEmpty
      }
    }
    return Terminal.printable(text)
  }

  private static func value(
    of field: Field, _ quake: QuakeFacts, in summary: Summary, style: DisplayStyle
  ) -> String {
    switch field {
    case .magnitude: quake.magnitudeText
    case .place: quake.placeText
    case .age: Age.text(of: quake.time, at: summary.now, style: style)
    case .today: "\(summary.today)"
    case .depth: style.depth(of: quake)
    case .class: quake.magnitudeClass ?? ""
    case .alert: quake.alert ?? ""
    case .time: ISO8601.text(quake.time)
    case .clock: style.clockText(quake.time)
    case .id: quake.identifier
    case .url: quake.page ?? ""
    case .stale: summary.isStale ? "stale" : ""
    }
  }
}
