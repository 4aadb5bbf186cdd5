import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes export`: writes earthquakes as documents that other programs read.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write earthquakes for other programs, newest first.",
    discussion: """
      GeoJSON and CSV have the layout of the USGS, CSV with columns of effects at the end, QuakeML is version 1.2; \
      "quakes-fetch --once FILE" imports all three. \
      Readers attribute a document to one service: if the store has several, write a file for each, with --source.
      """)

  @Option(help: "The format.")
  var format = Format.geojson

  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup(title: "Order") var orderOptions: OrderOptions
  @OptionGroup var locationOptions: LocationOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var limitOptions: LimitOptions

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case geojson, csv, ndjson, quakeml, kml

    /// nil for lines of JSON.
    func writer() -> (any EventWriter)? {
      switch self {
      case .geojson: GeoJSONWriter()
      case .csv: CSVWriter()
      case .ndjson: nil
      case .quakeml: QuakeMLWriter()
      case .kml: KMLWriter()
      }
    }
  }

  mutating func validate() throws {
    if orderOptions.sort == .distance, nearOptions.near == nil {
      throw ValidationError("--sort distance needs --near.")
    }
  }

  mutating func run() throws {
    let now = Date()
    let moment = Moment(now, in: try locationOptions.settings().displayStyle.zone)
    let near = nearOptions
    let store = try OpenStore(locationOptions, needsCities: format == .ndjson || !OpenStore.isPosition(near.near))
    let circle = try store.circle(near, withinOptions)
    let query = QuakeQuery(
      try store.filter(filterOptions, at: moment, circle: circle, asOf: asOfOptions.asOf),
      order: orderOptions.sort ?? .time,
      isReversed: orderOptions.reverse, limit: limitOptions.limit ?? 0)
    let time = asOfOptions.date(at: moment)
    let emptiness = try store.read { context in
      let count =
        try format.writer().map { try write(query, as: $0, asOf: time, at: now, in: context) }
        ?? writeLines(query, asOf: time, of: store, in: context)
      return count == 0 ? try EmptyResult(query.filter, asOf: time, in: context) : nil
    }
    if time == nil { store.tellFreshness(at: now) }
    if let emptiness { StandardStream.error.line("quakes: \(emptiness.text(of: store.location))") }
  }

  /// - Returns: the number of earthquakes.
  private func writeLines(
    _ query: QuakeQuery, asOf time: Date?, of store: OpenStore, in context: NSManagedObjectContext
  ) throws -> Int {
    var lines = JSONLines(try FactsCompletion(store, asOf: time, in: context))
    if let time {
      for state in try Quake.states(asOf: time, query, in: context) {
        guard try lines.write(state.facts) else { break }
      }
    } else {
      try Quake.forEach(query, in: context) { try lines.write($0.facts) }
    }
    try lines.end()
    return lines.count
  }

  /// - Returns: the number of earthquakes.
  private func write(
    _ query: QuakeQuery, as writer: any EventWriter, asOf time: Date?, at now: Date, in context: NSManagedObjectContext
  ) throws -> Int {
    var document = ExportDocument(writer)
    if let time {
      let states = try Quake.states(asOf: time, query, in: context)
      try document.begin(count: states.count, at: time)
      for state in states { guard try document.write(state, of: nil) else { break } }
    } else {
      let all = try Quake.count(query.filter, in: context)
      try document.begin(count: query.limit == 0 ? all : min(all, query.limit), at: now)
      try Quake.forEach(query, in: context) { try document.write($0.state, of: $0.service) }
    }
    try document.end()
    return document.count
  }
}
