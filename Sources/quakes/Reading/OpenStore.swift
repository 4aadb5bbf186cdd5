import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// A store that a command reads.
struct OpenStore {
  let location: StoreLocation
  /// nil without cities.
  let reference: ReferenceLocation?
  /// Whether the user keeps any places, marks or alerts.
  let hasPersonal: Bool
  let context: NSManagedObjectContext
  private let hasCatalog: Bool

  /// - Parameter needsCities: only then does the Reference store cost the time of opening it.
  init(_ options: LocationOptions, needsCities: Bool) throws(Failure) {
    let (container, location) = try options.open()
    self.init(
      container, at: location, reference: needsCities ? LocationOptions.addReference(to: container) : nil,
      hasPersonal: LocationOptions.addPersonal(to: container, location))
  }

  /// A context of a container with all stores.
  init(_ container: QuakesContainer, at location: StoreLocation, reference: ReferenceLocation?, hasPersonal: Bool) {
    (self.location, self.reference, self.hasPersonal) = (location, reference, hasPersonal)
    hasCatalog = true
    context = container.newBackgroundContext()
  }

  /// A context for writing the user's own data; the Catalog may not exist yet.
  init(_ personal: PersonalWriter, needsCities: Bool) {
    location = personal.location
    reference = needsCities ? LocationOptions.addReference(to: personal.container) : nil
    hasPersonal = true
    hasCatalog = personal.container.store(.catalog) != nil
    context = personal.container.newBackgroundContext()
  }

  /// - Throws: `Failure`.
  func read<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try context.read(failingWith: { Failure.reading(location, error: $0) }, body)
  }

  /// Says on standard error if the news are old, once for a command. A broken fetch log breaks no list.
  func tellFreshness(at now: Date) {
    FreshnessNote.report(on: location, at: now, in: context)
  }

  /// The point that a text means: a position, one of the user's places, an earthquake, or a city.
  ///
  /// - Parameter warn: receives a line about the city that was chosen from several.
  /// - Throws: `Failure` with status 3 if it means none.
  func center(
    _ text: String, warn: (String) -> Void = { StandardStream.error.line("quakes: \($0)") }
  ) throws -> (latitude: Double, longitude: Double, name: String) {
    if let (latitude, longitude) = PositionText.position(text) {
      return (latitude, longitude, "\(latitude),\(longitude)")
    }
    if PositionText.numbers(text) != nil {
      throw Failure(
        .usage,
        "\"\(text)\" is not a position: latitudes are from -90 to 90, and come first; longitudes are from -360 to 360")
    }
    return try read { context in
      if hasPersonal, let place = try context.fetch(Place.named(text)).first {
        return (place.latitude, place.longitude, place.name ?? text)
      }
      if hasCatalog, let quake = try quake(text, in: context) {
        return (quake.latitude, quake.longitude, quake.facts.placeText)
      }
      guard let reference else {
        throw Failure(
          .notFound,
          """
          no place of yours and no earthquake is named "\(text)", and there is no Reference store to find a city; give a \
          position such as 42.0,21.4, or build it with "sh Shared/Reference/build.sh FOLDER"
          """)
      }
      let cities = try City.all(named: text, in: context)
      guard let city = try cities.first ?? City.similar(to: text, in: context) else {
        throw Failure(
          .notFound,
          """
          no place of yours, no earthquake and no city in \(reference.url.path) is named "\(text)"; give a larger city, \
          with its country if there are several, or a position such as 42.0,21.4
          """)
      }
      if cities.isEmpty {
        warn("there is no city \"\(text)\"; the most similar name is that of \(city.nameText)")
      }
      if cities.count > 1 {
        warn(
          """
          "\(text)" is \(city.nameText), the largest of \(cities.count) cities of that name; another is \
          "\(cities[1].text(besides: city))"
          """)
      }
      return (city.latitude, city.longitude, city.nameText)
    }
  }

  /// A part of an ID must contain a digit, which names of cities do not.
  private func quake(_ text: String, in context: NSManagedObjectContext) throws -> Quake? {
    let isTyped = text.contains(where: \.isNumber) || Quake.isLatest(text)
    return try isTyped ? Quake.find(typed: text, in: context) : Quake.find(text, in: context)
  }

  /// The filter of the options, including marks.
  ///
  /// - Throws: `ValidationError` if a past state is filtered by current marks; `Failure` if no region matches.
  func filter(
    _ options: FilterOptions, at moment: Moment, circle: GeoCircle?, asOf: String?
  ) throws -> QuakeFilter {
    var filter = options.filter(at: moment, circle: circle, region: try options.region.map(KnownRegions.area))
    guard options.hasMarkLimits else { return filter }
    if asOf != nil { throw Self.marksOfToday }
    filter.marks = try options.marks.map { QuakeFilter.MarkLimit($0, try identifiers(where: $0.condition)) }
    return filter
  }

  static let marksOfToday = ValidationError(
    "--starred, --unacknowledged and --noted use your current marks, so they exclude --as-of.")

  /// The IDs of the earthquakes that have a mark.
  ///
  /// - Throws: `Failure`.
  func identifiers(where condition: MarkCondition) throws -> [String] {
    hasPersonal ? try read { try Mark.identifiers(where: condition, in: $0) } : []
  }

  static func isPosition(_ text: String?) -> Bool { text.map { PositionText.position($0) != nil } ?? true }

  /// The circle of the options; nil without one.
  func circle(_ near: NearOptions, _ within: WithinOptions) throws -> GeoCircle? {
    guard let center = near.near else { return nil }
    return try circle(center, within: within.within)
  }

  /// - Parameters:
  ///   - radius: kilometers; nil for the default.
  ///   - warn: receives a line about the city that was chosen from several.
  func circle(
    _ text: String, within radius: Double?,
    warn: (String) -> Void = { StandardStream.error.line("quakes: \($0)") }
  ) throws -> GeoCircle {
    let center = try center(text, warn: warn)
    guard
      let circle = GeoCircle(
        latitude: center.latitude, longitude: center.longitude, radius: radius ?? GeoCircle.defaultRadius,
        name: center.name)
    else {
      throw Failure(.notFound, "\"\(text)\" is at \(center.latitude),\(center.longitude), which is not a position")
    }
    return circle
  }
}
