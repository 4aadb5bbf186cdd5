import Foundation

@testable import StrataQuakes
@testable import StrataQuakesFeeds

extension ParsedEvent {
  init(
    identifier: String, magnitude: Double?, magnitudeType: String? = nil, place: String?, time: Date,
    updated: Date? = nil, longitude: Double, latitude: Double, depth: Double?
  ) {
    self.init()
    (self.identifier, self.time, self.updated) = (identifier, time, updated)
    (self.longitude, self.latitude, self.depth) = (longitude, latitude, depth)
    (self.magnitude, self.magnitudeType, self.place) = (magnitude, magnitudeType, place)
  }

  var magnitude: Double? {
    get { state.number(.magnitude) }
    set { state[.magnitude] = newValue.map { .number($0) } }
  }

  var longitude: Double? {
    get { state.number(.longitude) }
    set { state[.longitude] = newValue.map { .number($0) } }
  }

  var latitude: Double? {
    get { state.number(.latitude) }
    set { state[.latitude] = newValue.map { .number($0) } }
  }

  var depth: Double? {
    get { state.number(.depth) }
    set { state[.depth] = newValue.map { .number($0) } }
  }

  var place: String? {
    get { state.text(.place) }
    set { state[.place] = newValue.map { .text($0) } }
  }

  var magnitudeType: String? {
    get { state.text(.magnitudeType) }
    set { state[.magnitudeType] = newValue.map { .text($0) } }
  }

  mutating func set(_ values: KeyValuePairs<QuakeField, QuakeState.Value>) {
    for (field, value) in values { state[field] = value }
  }
}

extension QuakeState.Value: @retroactive ExpressibleByFloatLiteral, @retroactive ExpressibleByIntegerLiteral,
  @retroactive ExpressibleByStringLiteral, @retroactive ExpressibleByExtendedGraphemeClusterLiteral,
  @retroactive ExpressibleByUnicodeScalarLiteral
{
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(stringLiteral value: String) { self = .text(value) }
}

extension QuakeFieldSet {
  var fields: [QuakeField] { QuakeField.allCases.filter(contains) }

  func isSuperset(of other: QuakeFieldSet) -> Bool { other.fields.allSatisfy(contains) }

  func isDisjoint(with other: QuakeFieldSet) -> Bool { !other.fields.contains(where: contains) }

  func union(_ other: QuakeFieldSet) -> QuakeFieldSet { QuakeFieldSet(fields + other.fields) }

  func subtracting(_ other: QuakeFieldSet) -> QuakeFieldSet { QuakeFieldSet(fields.filter { !other.contains($0) }) }
}
