import Foundation
import StrataQuakes

extension ScreenFilter.Word {
  /// Whether it is to be searched for.
  var isSearched: Bool {
    guard sign == nil, !isQuoted else { return sign == nil }
    let flag = text.lowercased()
    return flag != "felt" && flag != "retracted" && MarkWord(rawValue: flag) == nil
  }
}

extension ScreenFilter.Conditions {
  typealias Word = ScreenFilter.Word
  typealias Problem = ScreenFilter.Problem

  private static let names = [
    "mag", "magnitude", "depth", "since", "until", "near", "within", "type", "status", "source", "alert", "region",
    "box",
  ]

  /// Adds a filter word.
  mutating func apply(_ word: Word) throws(Problem) {
    guard let sign = word.sign else { return applyFlag(word.text.lowercased()) }
    switch word.name {
    case "mag", "magnitude":
      try set(\.minimumMagnitude, \.maximumMagnitude, to: number(word, "mag>=5"), sign)
    case "depth": try set(\.minimumDepth, \.maximumDepth, to: number(word, "depth<70"), sign)
    case "since": since = try time(word)
    case "until": until = try time(word)
    case "near": near = try value(word, "near:Tokyo")
    case "within": within = try distance(word)
    case "type": fixed.type = try value(word, "type:\"quarry blast\"")
    case "status": fixed.status = try value(word, "status:reviewed")
    case "source": fixed.source = try value(word, "source:us")
    case "alert" where sign == ":": fixed.alert = try alert(word)
    case "region": fixed.region = try region(word)
    case "box": fixed.box = try box(word)
    case _ where FactField.named(word.name) != nil: try limit(word, sign)
    default: throw unknown(word, sign)
    }
  }

  private mutating func applyFlag(_ name: String) {
    switch name {
    case "felt": fixed.isFelt = true
    case "retracted": fixed.includesRetracted = true
    default: if let mark = MarkWord(rawValue: name) { marks.append(mark) }
    }
  }

  private func unknown(_ word: Word, _ sign: String) -> Problem {
    let guess = Suggestion.sentence(Suggestion.spelled(word.name, among: Self.names + FactField.all.map(\.name)))
    let advice = guess.isEmpty ? "; write one such as mag>=5, or quote" : ":\(guess) Quote"
    return Problem(text: "unknown filter \"\(word.name)\(sign)\"\(advice) it to search for the text")
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

  private func number(_ word: Word, _ example: String) throws(Problem) -> Double {
    guard let number = Double(word.value), number.isFinite else { throw problem(word, "a number", example) }
    return number
  }

  /// The field of a limit is named as in JSON.
  private mutating func limit(_ word: Word, _ sign: String) throws(Problem) {
    guard let limit = FieldLimit(word.name + (sign == ":" ? "=" : sign) + word.value) else {
      throw problem(word, "a limit", "horizontal_error<=2 or location_source:ci")
    }
    fixed.limits.append(limit)
  }

  private func value(_ word: Word, _ example: String) throws(Problem) -> String {
    if word.value.isEmpty { throw problem(word, "a value", example) }
    return word.value
  }

  private func time(_ word: Word) throws(Problem) -> String {
    if Moment(in: .universal).date(word.value) == nil {
      throw problem(word, "a time", "\(word.name):24h or \(word.name):2026-11-20")
    }
    return word.value
  }

  private func distance(_ word: Word) throws(Problem) -> Double {
    if let distance = DistanceText.kilometers(word.value) { return distance }
    throw problem(word, "a distance", "within:300km")
  }

  private func alert(_ word: Word) throws(Problem) -> AlertLevel {
    if let level = AlertLevel(rawValue: word.value.lowercased()) { return level }
    throw problem(word, "green, yellow, orange or red", "alert:yellow")
  }

  private func box(_ word: Word) throws(Problem) -> GeoBox {
    if let box = GeoBox(word.value) { return box }
    throw problem(word, "west, south, east and north", "box:170,-50,-170,-30")
  }

  private func region(_ word: Word) throws(Problem) -> RegionArea {
    let text = try value(word, "region:japan")
    do {
      return try KnownRegions.area(text)
    } catch {
      throw Problem(text: error.message)
    }
  }

  private func problem(_ word: Word, _ needed: String, _ example: String) -> Problem {
    let found = word.value.isEmpty ? "" : ", not \"\(word.value)\""
    return Problem(text: "\(word.name) needs \(needed), as in \(example)\(found)")
  }
}
