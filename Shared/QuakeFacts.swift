import Foundation

/// An earthquake's known values: a Sendable value that outlives its context.
public struct QuakeFacts: Equatable, Sendable {
  /// The stored values that commands write. An ID, a time, a position and a type are always known.
  private var state: QuakeState
  /// nil if no city is near, or if the cities' names were not available.
  public var nearestCity: NearestCity?
  /// The name of the Flinn–Engdahl region; nil if it was not looked up.
  public var region: String?
  /// Kilometers from the point that was asked for; nil if none was.
  public var distance: Double?
  /// The user's marks; nil if they were not read.
  public var mark: QuakeMark?

  public init(_ state: QuakeState = QuakeState()) {
    self.state = state
    for (field, value) in Self.defaults where state[field] == nil { self.state[field] = value }
  }

  private static let defaults: [(QuakeField, QuakeState.Value)] = [
    (.identifier, .text("")), (.time, .date(Date(timeIntervalSince1970: 0))), (.longitude, .number(0)),
    (.latitude, .number(0)), (.type, .text("earthquake")),
  ]

  public subscript(_ field: QuakeField) -> QuakeState.Value? {
    get { state[field] }
    set { state[field] = newValue }
  }

  public func number(_ field: QuakeField) -> Double? { state.number(field) }
  public func integer(_ field: QuakeField) -> Int? { state.integer(field) }
  public func text(_ field: QuakeField) -> String? { state.text(field) }
  public func date(_ field: QuakeField) -> Date? { state.date(field) }
  public func list(_ field: QuakeField) -> [String] { state.list(field) }
  public var standing: Standing { state.standing }
}

/// The fields that commands use by name.
extension QuakeFacts {
  public var identifier: String {
    get { text(.identifier) ?? "" }
    set { self[.identifier] = .text(newValue) }
  }

  public var magnitude: Double? {
    get { number(.magnitude) }
    set { self[.magnitude] = newValue.map { .number($0) } }
  }

  public var place: String? {
    get { text(.place) }
    set { self[.place] = newValue.map { .text($0) } }
  }

  public var time: Date {
    get { date(.time) ?? Date(timeIntervalSince1970: 0) }
    set { self[.time] = .date(newValue) }
  }

  public var longitude: Double {
    get { number(.longitude) ?? 0 }
    set { self[.longitude] = .number(newValue) }
  }

  public var latitude: Double {
    get { number(.latitude) ?? 0 }
    set { self[.latitude] = .number(newValue) }
  }

  /// Kilometers.
  public var depth: Double? {
    get { number(.depth) }
    set { self[.depth] = newValue.map { .number($0) } }
  }

  public var alert: String? {
    get { text(.alert) }
    set { self[.alert] = newValue.map { .text($0) } }
  }

  public var url: String? {
    get { text(.url) }
    set { self[.url] = newValue.map { .text($0) } }
  }

  public var title: String? {
    get { text(.title) }
    set { self[.title] = newValue.map { .text($0) } }
  }

  public var type: String {
    get { text(.type) ?? "earthquake" }
    set { self[.type] = .text(newValue) }
  }

  /// All IDs that the event has had.
  public var aliases: [String] {
    get { list(.ids) }
    set { self[.ids] = newValue.isEmpty ? nil : .text(",\(newValue.joined(separator: ",")),") }
  }
}

extension QuakeFacts {
  /// `6.1`, `-0.4`, or `?` if unknown. Rounds half away from zero, as the service's own titles do.
  public var magnitudeText: String {
    magnitude.map { DecimalText.oneDigit($0) } ?? "?"
  }

  /// The magnitude's class, from `micro` to `great`; nil if unknown.
  /// https://ds.iris.edu/ds/support/faq/52/how-do-i-interpret-magnitudes-and-magnitude-types/
  public var magnitudeClass: String? {
    guard let magnitude else { return nil }
    switch magnitude {
    case ..<3: return "micro"
    case ..<4: return "minor"
    case ..<5: return "light"
    case ..<6: return "moderate"
    case ..<7: return "strong"
    case ..<8: return "major"
    default: return "great"
    }
  }

  /// The place or the region, followed by what matters most: an event type other than earthquake, an alert.
  public var placeText: String {
    var text = place ?? title ?? region ?? "place unknown"
    if standing != .live { text += " [\(standing)]" }
    if type != "earthquake" { text += " (\(type))" }
    if let alert, alert != "green" { text += " [\(alert) alert]" }
    return Terminal.printable(text)
  }
}

/// Formats numbers for people.
public enum DecimalText {
  /// One decimal.
  public static func oneDigit(_ value: Double) -> String {
    guard abs(value) < 1e15 else { return String(value) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  /// The shortest text that is the same number again: `4.5`, `11`.
  public static func shortest(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? String(value) }

  public static func whole(_ value: Double) -> String {
    guard abs(value) < 1e15 else { return String(value) }
    return String(Int(value.rounded()))
  }
}
