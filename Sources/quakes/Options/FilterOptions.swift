import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// Which earthquakes to show, besides those near a place.
///
/// No group of options contains another: each level of groups multiplies the time that the parser takes.
struct FilterOptions: ParsableArguments {
  /// Its words are on the command line by the time it is parsed, and those of all that are named: see `FilterArguments`.
  @Option(
    help: ArgumentHelp("A named filter from the settings.", valueName: "name"), completion: .filters)
  var filter: String?

  @Option(
    help: ArgumentHelp(
      """
      Only since this time: \(Moment.examples); in the zone of displayed times unless it has one.
      """, valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("Only until this time.", valueName: "time"))
  var until: String?

  @Option(
    name: [.customLong("min-magnitude"), .customLong("min-mag")], parsing: .unconditional,
    help: ArgumentHelp("Only this magnitude and above.", valueName: "magnitude"))
  var minimumMagnitude: Double?

  @Option(
    name: [.customLong("max-magnitude"), .customLong("max-mag")], parsing: .unconditional,
    help: ArgumentHelp("Only this magnitude and below.", valueName: "magnitude"))
  var maximumMagnitude: Double?

  @Option(
    name: .customLong("min-depth"), parsing: .unconditional,
    help: ArgumentHelp("Only this deep and deeper.", valueName: "km"))
  var minimumDepth: Double?

  @Option(
    name: .customLong("max-depth"), parsing: .unconditional,
    help: ArgumentHelp("Only this deep and shallower.", valueName: "km"))
  var maximumDepth: Double?

  @Option(
    help: ArgumentHelp("Only this type, such as earthquake or \"quarry blast\".", valueName: "type"), completion: .types
  )
  var type: String?

  @Option(
    help: ArgumentHelp("Only this status: automatic or reviewed.", valueName: "status"),
    completion: .list(["automatic", "reviewed"]))
  var status: String?

  @Option(
    help: ArgumentHelp("Only from this network or service, such as us or emsc.", valueName: "name"),
    completion: .sources)
  var source: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only in this box, in degrees; across the date line if W is greater than E.", valueName: "W,S,E,N"),
    transform: box)
  var box: GeoBox?

  @Option(
    help: ArgumentHelp(
      "Only in regions with this in their name, such as japan, or of this number: see quakes regions.",
      valueName: "name"
    ))
  var region: String?

  @Flag(help: "Only earthquakes that people reported to have felt.")
  var felt = false

  @Option(
    help: ArgumentHelp("Only this alert level and above: green, yellow, orange or red.", valueName: "level"),
    completion: .list(["green", "yellow", "orange", "red"]), transform: alert)
  var alert: AlertLevel?

  @Option(help: ArgumentHelp("Only if the place or the title contains this.", valueName: "text"))
  var text: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      """
      Only within these limits of fields, as --json names them, such as "horizontal_error<=2,stations>=10", \
      "alert>=yellow", "location_source=ci" or, for a member of a list, "products=shakemap".
      """, valueName: "limits"))
  var limits: String?

  @Flag(help: "Also earthquakes that their service withdrew.")
  var retracted = false

  @Flag(help: "Only earthquakes that you starred.")
  var starred = false

  @Flag(help: "Only earthquakes that you have not acknowledged yet.")
  var unacknowledged = false

  @Flag(help: "Only earthquakes with a note of yours.")
  var noted = false

  mutating func validate() throws {
    for (name, text) in [("--since", since), ("--until", until)] {
      if let text, Moment(in: .universal).date(text) == nil { throw ValidationError(timeAdvice(name, text)) }
    }
    if let limits, FieldLimit.list(limits) == nil { throw ValidationError(limitAdvice(limits)) }
    for (name, number) in [
      ("--min-magnitude", minimumMagnitude), ("--max-magnitude", maximumMagnitude), ("--min-depth", minimumDepth),
      ("--max-depth", maximumDepth),
    ] where number?.isFinite == false {
      throw ValidationError("\(name) must be a number.")
    }
  }

  private func limitAdvice(_ limits: String) -> String {
    let words = limits.split(separator: ",").map { $0.prefix { $0.isLetter || $0 == "_" || $0 == " " } }
    let names = words.map { $0.trimmingCharacters(in: .whitespaces) }
    if let unknown = names.first(where: { !$0.isEmpty && FactField.named($0) == nil }) {
      let guess = Suggestion.sentence(Suggestion.spelled(unknown, among: FactField.all.map(\.name)))
      return
        "--where: no field is named \"\(unknown)\"\(guess.isEmpty ? "; quakes list --json shows all" : ";\(guess)")"
    }
    return "--where must be limits such as horizontal_error<=2,location_source=ci, not \"\(limits)\"."
  }

  /// Whether the filter uses the user's own data.
  var hasMarkLimits: Bool { !marks.isEmpty }

  var marks: [MarkWord] {
    [(starred, MarkWord.starred), (noted, .noted), (unacknowledged, .unacknowledged)].filter { $0.0 }.map { $0.1 }
  }

  private static func box(_ text: String) throws -> GeoBox {
    if let box = GeoBox(text) { return box }
    throw ValidationError(
      "it must be four numbers of degrees, west, south, east and north, such as 170,-50,-170,-30, not \"\(text)\".")
  }

  private static func alert(_ text: String) throws -> AlertLevel {
    if let level = AlertLevel(rawValue: text.lowercased()) { return level }
    throw ValidationError("it must be green, yellow, orange or red, not \"\(text)\".")
  }

  /// The filter without marks; `OpenStore.filter` has them too.
  ///
  /// - Parameters:
  ///   - circle: what the place to be near to means.
  ///   - region: what the name of a region means.
  func filter(at moment: Moment, circle: GeoCircle?, region: RegionArea? = nil) -> QuakeFilter {
    var filter = QuakeFilter(
      minimumMagnitude: minimumMagnitude, since: since.flatMap(moment.date),
      until: until.flatMap(moment.date),
      includesRetracted: retracted)
    filter.maximumMagnitude = maximumMagnitude
    (filter.minimumDepth, filter.maximumDepth) = (minimumDepth, maximumDepth)
    (filter.type, filter.status, filter.source) = (type, status, source)
    (filter.box, filter.circle, filter.region) = (box, circle, region)
    (filter.isFelt, filter.alert, filter.text) = (felt, alert, text)
    filter.limits = limits.flatMap(FieldLimit.list) ?? []
    return filter
  }
}

/// The error message for an invalid time.
func timeAdvice(_ option: String, _ text: String) -> String {
  "\(option) must be a time such as \(Moment.examples), not \"\(text)\"."
}
