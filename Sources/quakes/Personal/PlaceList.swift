import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes place list`: prints the user's places.
struct PlaceList: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List your places.")

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  private struct Row {
    var name: String
    var latitude: Double
    var longitude: Double
    var alerts: [String]

    init(_ place: Place) {
      (name, latitude, longitude) = (place.name ?? "", place.latitude, place.longitude)
      alerts = place.alertNames
    }
  }

  mutating func run() throws {
    let terminal = output.terminal(try locationOptions.settings())
    let location = try locationOptions.location()
    try location.refuseMistyped()
    let rows = location.hasPersonal ? try Self.rows(of: location) : []
    if json {
      try Output.line(OutputText(Self.json(rows)))
    } else if rows.isEmpty {
      StandardStream.error.line("quakes: no places yet; add one, as in \"quakes place add home Skopje\"")
    } else {
      try Output.line(lines(rows, terminal).joined(separator: "\n"))
    }
  }

  private static func rows(of location: StoreLocation) throws -> [Row] {
    let personal = try QuakesContainer.personal(location)
    let context = personal.newBackgroundContext()
    return try context.performAndWait {
      do {
        return try context.fetch(Place.all()).map(Row.init)
      } catch {
        throw Failure.personal(location, error: error)
      }
    }
  }

  private static func json(_ rows: [Row]) -> String {
    var text = JSONText()
    text.object { json in
      json.integer("format_version", 1)
      json.array("places") { array in
        for row in rows {
          array.object { json in
            json.string("name", row.name)
            json.number("latitude", row.latitude)
            json.number("longitude", row.longitude)
            json.array("alerts") { array in for name in row.alerts { array.string(name) } }
          }
        }
      }
    }
    return text.text
  }

  private func lines(_ rows: [Row], _ terminal: Terminal) -> [OutputText] {
    let cells = rows.map { row in
      (Terminal.printable(row.name), "\(row.latitude),\(row.longitude)", row.alerts.joined(separator: ", "))
    }
    let widths = (cells + [("NAME", "POSITION", "")]).reduce((0, 0)) { widths, cell in
      (max(widths.0, DisplayWidth.columns(cell.0)), max(widths.1, DisplayWidth.columns(cell.1)))
    }
    func line(_ cell: (String, String, String)) -> String {
      let text =
        DisplayWidth.padded(cell.0, to: widths.0) + "  " + DisplayWidth.padded(cell.1, to: widths.1) + "  " + cell.2
      let line = cell.2.isEmpty ? text.trimmingCharacters(in: .whitespaces) : text
      return terminal.columns.map { DisplayWidth.fitted(line, to: $0) } ?? line
    }
    let hasAlerts = cells.contains { !$0.2.isEmpty }
    return [terminal.heading(line(("NAME", "POSITION", hasAlerts ? "ALERTS" : "")))]
      + cells.map { OutputText(line($0)) }
  }
}
