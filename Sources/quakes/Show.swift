import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes show ID`: prints everything known about one earthquake.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show everything known about one earthquake.")

  @OptionGroup var locationOptions: LocationOptions
  @OptionGroup var output: OutputOptions

  @OptionGroup var asOfOptions: AsOfOptions

  @Flag(help: "List all states that its service reported, oldest first.")
  var history = false

  @Flag(help: "Print JSON; with a list of fields, as in --json id,magnitude,place, only these.")
  var json = false

  @Option(
    help: ArgumentHelp("The same as --json with these fields.", valueName: "names"), transform: ListingOptions.fields)
  var fields: [FactField]?

  @Argument(help: "The earthquake's ID, or any unambiguous part of it.", completion: .earthquakes)
  var id: String

  mutating func run() throws {
    let settings = try locationOptions.settings()
    let (container, location) = try locationOptions.open()
    let reference = LocationOptions.addReference(to: container)
    let hasPersonal = LocationOptions.addPersonal(to: container, location)
    let context = container.newBackgroundContext()
    let found = try context.read(failingWith: { Failure.reading(location, error: $0) }) { [id] context in
      var names = reference.map { CityNames(in: context, of: $0) }
      var found = try Quake.find(typed: id, in: context).map { Found($0, facts: names?.facts(of: $0) ?? $0.facts) }
      if hasPersonal { try found?.readPersonal(in: context) }
      if let failure = names?.failure { StandardStream.error.line("quakes: \(failure.message)") }
      return found
    }
    guard let found else { throw Failure.noQuake(id) }
    let style = output.style(settings)
    guard var quake = found.facts(asOf: asOfOptions.date(at: Moment(in: style.zone))) else {
      throw Failure(.notFound, "\"\(id)\" was not known then; \"quakes show \(id) --history\" shows since when it is")
    }
    quake.findRegion()
    let changes = history ? QuakeChange.changes(in: found.history) : nil
    let terminal = output.terminal(settings)
    output.startPager(settings)
    if json || fields != nil {
      try Output.line(OutputText(Self.json(quake, fields: fields, places: found.places, changes: changes)))
    } else {
      // Lines are not broken, so that what is printed can be copied.
      var unlimited = terminal
      unlimited.columns = nil
      var lines = QuakeDetails(quake, places: found.places, now: Date(), style: style).lines(unlimited)
      if let changes {
        var table = ChangeTable(terminal: terminal, style: style, showsID: false)
        table.isWrapped = true
        lines += [""] + table.lines(changes)
      }
      try Output.line(lines.joined(separator: "\n"))
    }
    if asOfOptions.asOf == nil { FreshnessNote.report(on: location, at: Date(), in: context) }
  }

  /// An earthquake's states, as values.
  private struct Found {
    var current: QuakeFacts
    var history: [RecordedState]
    /// How far it is from the user's places.
    var places: [PlaceDistance] = []

    init(_ quake: Quake, facts: QuakeFacts) {
      (current, history) = (facts, quake.history)
    }

    mutating func readPersonal(in context: NSManagedObjectContext) throws {
      current.mark = try MarkBook(in: context)?.marks(of: [current.identifier])[current.identifier] ?? QuakeMark()
      places = try Place.distances(ofLatitude: current.latitude, longitude: current.longitude, in: context)
    }

    func facts(asOf time: Date?) -> QuakeFacts? {
      guard let time else { return current }
      var facts = history.last { $0.said <= time }?.state.facts
      facts?.mark = current.mark
      return facts
    }
  }

  /// - Parameter fields: nil for all, and what else is known.
  private static func json(
    _ quake: QuakeFacts, fields: [FactField]?, places: [PlaceDistance], changes: [QuakeChange]?
  ) -> String {
    var text = JSONText()
    text.object { json in
      json.integer("format_version", 1)
      json.quake("quake", quake, fields: fields)
      if fields == nil { json.places("places", places) }
      if let changes { json.array("history") { array in for change in changes { array.change(change) } } }
    }
    return text.text
  }
}
