import ArgumentParser
import Foundation
import StrataQuakes

/// What earthquakes are written as.
struct FormOptions: ParsableArguments {
  @Flag(help: "As JSON.")
  var json = false

  @Flag(help: "As JSON, one line each.")
  var ndjson = false

  @Option(
    help: ArgumentHelp("As JSON with these fields only, such as id,magnitude,place.", valueName: "names"),
    transform: fields)
  var fields: [FactField]?

  @Option(
    help: ArgumentHelp(
      "As text with fields in it, such as \"{id} {magnitude}\\t{place}\"; one line each.", valueName: "text"),
    transform: Template.init)
  var template: Template?

  mutating func validate() throws {
    if template != nil, json || ndjson || fields != nil {
      throw ValidationError("--template excludes --json, --ndjson and --fields.")
    }
  }

  /// Whether fields are written, nearest cities among them.
  var hasFields: Bool { json || ndjson || fields != nil || template != nil }

  private static func fields(_ text: String) throws -> [FactField] {
    try text.split(separator: ",").map { try field(String($0).trimmingCharacters(in: .whitespaces)) }
  }

  static func field(_ name: String) throws -> FactField {
    if let field = FactField.all.first(where: { $0.name == name }) { return field }
    throw ValidationError(
      "there is no field \"\(name)\"; there are \(FactField.all.map(\.name).joined(separator: ", ")).")
  }
}
