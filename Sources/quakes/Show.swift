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
    let store = OpenStore(container, at: location, reference: reference, hasPersonal: hasPersonal)
    let found = try store.read { [id] context in
      var completion = try FactsCompletion(store, in: context)
      let found = try Quake.find(typed: id, in: context).map { try Found($0, completion: &completion, in: context) }
      completion.reportFailure()
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
      try Output.line(
        OutputText(Self.json(quake, fields: fields, places: found.places, changes: changes, first: found.first)))
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
    if asOfOptions.asOf == nil { store.tellFreshness(at: Date()) }
  }

  /// An earthquake's states, as values.
  private struct Found {
    var current: QuakeFacts
    var first: QuakeFacts
    var history: [RecordedState]
    /// How far it is from the user's places.
    var places: [PlaceDistance] = []

    init(_ quake: Quake, completion: inout FactsCompletion, in context: NSManagedObjectContext) throws {
      history = quake.history
      let states = try completion.complete([quake.facts, history.first?.state.facts ?? quake.facts])
      (current, first) = (states[0], states[1])
      if completion.hasPersonal {
        places = try Place.distances(ofLatitude: current.latitude, longitude: current.longitude, in: context)
      }
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
    _ quake: QuakeFacts, fields: [FactField]?, places: [PlaceDistance], changes: [QuakeChange]?, first: QuakeFacts
  ) -> String {
    var text = JSONText()
    text.object { json in
      json.integer("format_version", 1)
      json.quake("quake", quake, fields: fields)
      if fields == nil {
        json.places("places", places)
        json.object("pages") { pages in
          for product in QuakeProduct.allCases {
            if let page = quake.page(of: product) { pages.string(product.rawValue, page) }
          }
        }
      }
      if let changes {
        json.array("history") { array in for change in changes { array.change(change, quake: first) } }
      }
    }
    return text.text
  }
}
