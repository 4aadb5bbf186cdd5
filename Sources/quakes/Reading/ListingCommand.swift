import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// A command that lists earthquakes.
protocol ListingCommand: ParsableCommand {
  var listing: ListingOptions { get }
  var output: OutputOptions { get }
  var locationOptions: LocationOptions { get }
  /// The place to search around, which may be a city; nil for everywhere.
  var center: String? { get }

  /// The earthquakes to list, and a line above the list, for people.
  func query(of store: OpenStore, at moment: Moment, _ settings: Settings) throws -> (QuakeQuery, title: OutputText?)
}

extension ListingCommand {
  mutating func run() throws {
    let settings = try locationOptions.settings()
    let moment = Moment(in: output.style(settings).zone)
    let store = try open(settings)
    let (query, title) = try query(of: store, at: moment, settings)
    try list(query, of: store, at: moment, settings, title: title)
  }

  private func open(_ settings: Settings) throws -> OpenStore {
    if listing.placeStyle == .nearest, listing.asOf != nil {
      throw ValidationError("--place nearest and --as-of exclude each other: nearest cities are for current positions.")
    }
    if place(settings) == .region {
      do throws(Failure) {
        _ = try KnownRegions.all()
      } catch {
        StandardStream.error.line("quakes: \(error.message)")
      }
    }
    return try OpenStore(
      locationOptions,
      needsCities: listing.hasFields || place(settings) == .nearest || columns(settings).has("nearest_city")
        || !OpenStore.isPosition(center))
  }

  /// The settings' choice is for current positions, which are all that has nearest cities.
  func place(_ settings: Settings) -> PlaceStyle {
    listing.placeStyle ?? (listing.asOf == nil ? settings[Settings.place] : nil) ?? .service
  }

  private func columns(_ settings: Settings) -> ColumnChoice { output.columns(listing.columns, settings) }

  /// Lists the results of a query, or reports why nothing matches.
  private func list(
    _ query: QuakeQuery, of store: OpenStore, at moment: Moment, _ settings: Settings, title: OutputText?
  ) throws {
    let style = output.style(settings)
    let terminal = output.terminal(settings)
    let columns = columns(settings)
    let needsRegion = listing.needsRegion || columns.has("region")
    let facts = { (facts: QuakeFacts) in
      self.facts(facts, query, place: place(settings), needsRegion: needsRegion, style)
    }
    output.startPager(settings)
    if let title, !listing.hasFields { try Output.line(title) }
    let time = listing.date(at: moment)
    let emptiness = try store.read { context in
      // Marks are of today.
      let book = store.hasPersonal && time == nil ? try MarkBook(in: context) : nil
      var table = QuakeTable(terminal: terminal, now: moment.now, style: style, columns: columns)
      table.showsMarks = book?.hasMarks ?? false
      table.showsIDs = true
      var lines = Listing(listing, table: table) { time == nil ? try Self.marked($0, by: book) : $0 }
      if let time {
        for state in try Quake.states(asOf: time, query, in: context) {
          guard try lines.write(facts(state.facts)) else { break }
        }
      } else {
        var names = store.reference.map { CityNames(in: context, of: $0) }
        try Quake.forEach(query, in: context) { quake in
          try lines.write(facts(names?.facts(of: quake) ?? quake.facts))
        }
        if let failure = names?.failure { StandardStream.error.line("quakes: \(failure.message)") }
      }
      try lines.end()
      return lines.count == 0 ? try EmptyResult(query.filter, asOf: time, in: context, style: style) : nil
    }
    if time == nil { store.tellFreshness(at: moment.now) }
    guard let emptiness else { return }
    StandardStream.error.line("quakes: \(emptiness.text(of: store.location))")
    if listing.exitStatus { Foundation.exit(ExitStatus.noMatch.rawValue) }
  }

  private static func marked(_ quakes: [QuakeFacts], by book: MarkBook?) throws -> [QuakeFacts] {
    let marks = try book?.marks(of: quakes.map(\.identifier)) ?? [:]
    return quakes.map { quake in
      var quake = quake
      quake.mark = marks[quake.identifier] ?? QuakeMark()
      return quake
    }
  }

  private func facts(
    _ facts: QuakeFacts, _ query: QuakeQuery, place: PlaceStyle, needsRegion: Bool, _ style: DisplayStyle
  ) -> QuakeFacts {
    var facts = facts
    // Programs get the service's text, even if it is empty.
    if place != .service || !listing.hasFields { facts.setPlace(place, style) }
    if needsRegion { facts.findRegion() }
    facts.distance = query.filter.circle?.distance(latitude: facts.latitude, longitude: facts.longitude)
    return facts
  }
}
