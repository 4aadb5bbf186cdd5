import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion
import StrataQuakesMap

/// `quakes map`: draws earthquakes on a map.
struct Map: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw earthquakes on a map of the world or of a region.",
    discussion: """
      The default time is the last seven days. --box, and --near with --within, also select the area of the map. An \
      earthquake's ID shows the events around it, from 30 days before it until the end of its aftershocks; a name, \
      such as japan, shows that region.
      """)

  @Argument(
    help: ArgumentHelp(
      "The ID of an earthquake to show with the events around it, or any unambiguous part of it; or a region.",
      valueName: "id|region"),
    completion: .earthquakes)
  var words: [String] = []

  @OptionGroup(title: "Appearance") var mapOptions: MapOptions
  @OptionGroup(title: "Images") var pictureOptions: PictureOptions
  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var orderOptions: OrderOptions
  @OptionGroup var limitOptions: LimitOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    if orderOptions.sort == .distance, nearOptions.near == nil, words.isEmpty {
      throw ValidationError("--sort distance needs --near.")
    }
    if !words.isEmpty, nearOptions.near != nil || filterOptions.box != nil {
      throw ValidationError(
        "an earthquake's ID and a region exclude --near and --box, because they are the area of the map.")
    }
  }

  mutating func run() throws {
    let now = Date()
    let settings = try locationOptions.settings()
    let style = output.style(settings)
    let moment = Moment(now, in: style.zone)
    let store = try OpenStore(locationOptions, needsCities: true)
    let (main, options) = try area(in: store)
    let circle = try circle(around: main, in: store)
    let filter = try store.filter(options, at: moment, circle: circle, asOf: asOfOptions.asOf)
    let query = query(filter, around: main, at: now)
    let result = try MapResult(query, asOf: asOfOptions.date(at: moment), of: store, at: now, style)

    var view = MapView(points: result.points, region: mapOptions.region(of: query.filter))
    view.selected = main?.identifier
    let notes = MapNotes(
      caption: result.caption(at: now), period: result.period(of: query.filter, at: now), unit: style.unit)
    try write(&view, notes, in: store, output.terminal(settings))

    if asOfOptions.asOf == nil { store.tellFreshness(at: now) }
    if let emptiness = result.emptiness { StandardStream.error.line("quakes: \(emptiness.text(of: store.location))") }
  }

  private func write(_ view: inout MapView, _ notes: MapNotes, in store: OpenStore, _ terminal: Terminal)
    throws(Failure)
  {
    let addOutlines = { (view: inout MapView, size: PixelSize) in
      let visible = view.region.visible(width: size.width, height: size.height)
      view.outlines = MapOutlines(reading: store, visible: visible, height: size.height)
      if !mapOptions.noLabels { view.labels = MapLabel.cities(in: visible, of: store) }
    }
    guard pictureOptions.hasFiles else {
      return try mapOptions.draw(
        &view, notes, addOutlines: addOutlines, as: pictureOptions.graphics(), size: pictureOptions.size, on: terminal)
    }
    let size = pictureOptions.size ?? PixelSize(width: 1600, height: 800)
    addOutlines(&view, size)
    try pictureOptions.writeFiles(mapOptions.picture(view, size: size, notes, terminal).drawing)
  }

  /// The earthquake or the region that the words name.
  ///
  /// - Throws: `Failure` if they name neither.
  private func area(in store: OpenStore) throws -> (main: QuakeFacts?, FilterOptions) {
    guard !words.isEmpty else { return (nil, filterOptions) }
    let text = words.joined(separator: " ")
    // Names of regions have no digits, and IDs do; an ID is looked for first, because regions have numbers too.
    if let main = try store.read({ context in try Quake.find(typed: text, in: context)?.facts }) {
      return (main, filterOptions)
    }
    guard !text.contains(where: \.isNumber) else { throw Failure.noQuake(text) }
    var options = filterOptions
    options.region = text
    return (nil, options)
  }

  /// Around an earthquake, the map shows three times the range of its aftershocks.
  private func circle(around main: QuakeFacts?, in store: OpenStore) throws -> GeoCircle? {
    guard let main else { return try store.circle(nearOptions, withinOptions) }
    let reach = window(of: main).map { 3 * $0.radius } ?? 0
    return GeoCircle(
      latitude: main.latitude, longitude: main.longitude, radius: withinOptions.within ?? max(200, reach))
  }

  private func window(of main: QuakeFacts) -> AftershockWindow? {
    main.magnitude.map { AftershockWindow(magnitude: $0) }
  }

  private func query(_ filter: QuakeFilter, around main: QuakeFacts?, at now: Date) -> QuakeQuery {
    var filter = filter
    if filter.since == nil, filter.until == nil {
      if let main {
        let days = window(of: main)?.days ?? 30
        filter.since = main.time.addingTimeInterval(-30 * 86_400)
        filter.until = main.time.addingTimeInterval(days * 86_400)
      } else {
        filter.since = now.addingTimeInterval(-7 * 86_400)
      }
    }
    return QuakeQuery(
      filter, order: orderOptions.sort ?? .time, isReversed: orderOptions.reverse, limit: limitOptions.limit ?? 0)
  }
}
