import Foundation
import StrataQuakes

/// A filter as it is typed on the screen: `tonga mag>=5 since:24h`. Times stay relative, so that they move on.
struct ScreenFilter: Equatable, Sendable {
  /// As it was typed.
  private(set) var text = ""
  /// All but times and nearness.
  private(set) var fixed = QuakeFilter()
  private(set) var since: String?
  private(set) var until: String?
  /// A position, a city or an earthquake's ID.
  private(set) var near: String?
  /// Kilometers; nil for the default.
  private(set) var within: Double?

  init() {}

  /// - Throws: `Problem`, with the invalid word and the reason.
  init(_ text: String) throws(Problem) {
    self.text = text.trimmingCharacters(in: .whitespaces)
    var words: [String] = []
    for token in Token.tokens(of: self.text) {
      if try !apply(token) { words.append(token.text) }
    }
    if !words.isEmpty { fixed.text = words.joined(separator: " ") }
  }

  /// The error message for the typed text.
  struct Problem: Error, Equatable {
    var text: String
  }

  /// Whether its results change with time.
  var isRelative: Bool { since != nil || until != nil }

  /// - Parameter circle: what `near` means.
  func filter(at moment: Moment, circle: GeoCircle?) -> QuakeFilter {
    var filter = fixed
    filter.since = since.flatMap(moment.date)
    filter.until = until.flatMap(moment.date)
    filter.circle = circle
    return filter
  }
}

// MARK: - Words

extension ScreenFilter {
  /// The words, for the line below which a filter is typed.
  static let examples =
    "mag>=5 depth<70 since:24h until:2026-11-20 near:Tokyo within:300km type:quarry region:japan status: source: alert: box: felt"

  /// - Returns: false for a word to search for.
  private mutating func apply(_ token: Token) throws(Problem) -> Bool {
    guard let sign = token.sign else { return try applyFlag(token) }
    switch token.name {
    case "mag", "magnitude":
      try set(\.minimumMagnitude, \.maximumMagnitude, to: number(token, "mag>=5"), sign)
    case "depth": try set(\.minimumDepth, \.maximumDepth, to: number(token, "depth<70"), sign)
    case "since": since = try time(token)
    case "until": until = try time(token)
    case "near": near = try value(token, "near:Tokyo")
    case "within": within = try distance(token)
    case "type": fixed.type = try value(token, "type:\"quarry blast\"")
    case "status": fixed.status = try value(token, "status:reviewed")
    case "source": fixed.source = try value(token, "source:us")
    case "alert": fixed.alert = try alert(token)
    case "region": fixed.region = try region(token)
    case "box": fixed.box = try box(token)
    case _ where FactField.named(token.name) != nil: try limit(token, sign)
    default: throw Problem(text: "unknown filter \"\(token.name)\(sign)\"; quote it to search for the text")
    }
    return true
  }

  private mutating func applyFlag(_ token: Token) throws(Problem) -> Bool {
    guard !token.isQuoted else { return false }
    switch token.text {
    case "felt": fixed.isFelt = true
    case "retracted": fixed.includesRetracted = true
    default: return false
    }
    return true
  }

  /// A limit that the number itself does not reach is the next number.
  private mutating func set(
    _ minimum: WritableKeyPath<QuakeFilter, Double?>, _ maximum: WritableKeyPath<QuakeFilter, Double?>,
    to number: Double, _ sign: String
  ) {
    switch sign {
    case ">=": fixed[keyPath: minimum] = number
    case ">": fixed[keyPath: minimum] = number.nextUp
    case "<=": fixed[keyPath: maximum] = number
    case "<": fixed[keyPath: maximum] = number.nextDown
    default: (fixed[keyPath: minimum], fixed[keyPath: maximum]) = (number, number)
    }
  }

  private func number(_ token: Token, _ example: String) throws(Problem) -> Double {
    guard let number = Double(token.value), number.isFinite else { throw problem(token, "a number", example) }
    return number
  }

  /// The field of a limit is named as in JSON.
  private mutating func limit(_ token: Token, _ sign: String) throws(Problem) {
    guard let limit = FieldLimit(token.name + (sign == ":" ? "=" : sign) + token.value) else {
      throw problem(token, "a limit", "horizontal_error<=2 or location_source:ci")
    }
    fixed.limits.append(limit)
  }

  private func value(_ token: Token, _ example: String) throws(Problem) -> String {
    if token.value.isEmpty { throw problem(token, "a value", example) }
    return token.value
  }

  private func time(_ token: Token) throws(Problem) -> String {
    if Moment(in: .universal).date(token.value) == nil {
      throw problem(token, "a time", "\(token.name):24h or \(token.name):2026-11-20")
    }
    return token.value
  }

  private func distance(_ token: Token) throws(Problem) -> Double {
    if let distance = DistanceText.kilometers(token.value) { return distance }
    throw problem(token, "a distance", "within:300km")
  }

  private func alert(_ token: Token) throws(Problem) -> AlertLevel {
    if let level = AlertLevel(rawValue: token.value.lowercased()) { return level }
    throw problem(token, "green, yellow, orange or red", "alert:yellow")
  }

  private func box(_ token: Token) throws(Problem) -> GeoBox {
    if let box = GeoBox(token.value) { return box }
    throw problem(token, "west, south, east and north", "box:170,-50,-170,-30")
  }

  private func region(_ token: Token) throws(Problem) -> RegionArea {
    let text = try value(token, "region:japan")
    do {
      return try KnownRegions.area(text)
    } catch {
      throw Problem(text: error.message)
    }
  }

  private func problem(_ token: Token, _ needed: String, _ example: String) -> Problem {
    let found = token.value.isEmpty ? "" : ", not \"\(token.value)\""
    return Problem(text: "\(token.name) needs \(needed), as in \(example)\(found)")
  }
}
