import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion
import StrataQuakesConfig

/// How many earthquakes to list, as of which time, and as what: the options of all lists.
///
/// It repeats two options of groups that other commands have, because no group contains another: see `FilterOptions`.
struct ListingOptions: ParsableArguments {
  @Option(help: LimitOptions.help)
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "The form of places: the service's text (service), the nearest city (nearest) or the region (region).",
      valueName: "words"),
    completion: .list(["service", "nearest", "region"]))
  var place: String?

  @Option(help: ColumnOption.help, completion: .columns, transform: ColumnOption.columns)
  var columns: [QuakeColumn]?

  @Flag(help: "Exit with status 1 if nothing matches.")
  var exitStatus = false

  @Option(help: AsOfOptions.help)
  var asOf: String?

  @Flag(help: "Print JSON; with a list of fields, as in --json id,magnitude,place, only these.")
  var json = false

  @Flag(help: "Print JSON, one object per line, with the same optional list of fields.")
  var ndjson = false

  @Option(
    help: ArgumentHelp("The same as --json with these fields.", valueName: "names"), transform: fields)
  var fields: [FactField]?

  @Option(
    help: ArgumentHelp(
      "A template with fields for each line, such as \"{id} {magnitude}\\t{place}\".", valueName: "text"),
    transform: Template.init)
  var template: Template?

  mutating func validate() throws {
    try LimitOptions.check(limit)
    if let place, placeStyle == nil {
      throw ValidationError("--place must be service, nearest or region, not \"\(place)\".")
    }
    try AsOfOptions.check(asOf)
    if columns != nil, hasFields {
      throw ValidationError("--columns is for tables; --json id,magnitude and --template choose fields.")
    }
    if template != nil, json || ndjson || fields != nil {
      throw ValidationError("--template excludes --json, --ndjson and --fields.")
    }
  }

  var placeStyle: PlaceStyle? { place.flatMap { PlaceStyle(rawValue: $0 == "usgs" ? "service" : $0) } }

  func date(at moment: Moment) -> Date? { asOf.flatMap(moment.date) }

  /// Whether fields are written, nearest cities among them.
  var hasFields: Bool { json || ndjson || fields != nil || template != nil }

  /// Whether the field `region` is written.
  var needsRegion: Bool {
    fields.map { $0.contains { $0.name == "region" } } ?? template?.has("region") ?? (json || ndjson)
  }

  static func fields(_ text: String) throws -> [FactField] {
    let names = text.components(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return try FactField.named(names, unknown: unknownField)
  }

  static func field(_ name: String) throws -> FactField {
    guard let field = FactField.named(name) else { throw unknownField(name) }
    return field
  }

  private static func unknownField(_ name: String) -> ValidationError {
    let message = Suggestion.unknownName("field", name, among: FactField.all.map(\.name))
    return ValidationError("\(message) A place comes before --json.")
  }
}
