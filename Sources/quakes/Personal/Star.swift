import ArgumentParser
import StrataQuakes
import StrataQuakesCompletion

/// `quakes star ID…`: stars earthquakes.
struct Star: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Star earthquakes, to find them again with list --starred.")

  @Flag(help: "Remove the star.")
  var remove = false

  @Argument(help: "The earthquakes' IDs, or any unambiguous parts of them.", completion: .earthquakes)
  var ids: [String]

  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let marking = try Marking(locationOptions)
    let quakes = try marking.quakes(ids)
    try marking.personal.mark(quakes.map(\.identifier), by: "quakes") { [remove] in $0.isStarred = !remove }
    for quake in quakes { try Output.line("\(quake.words) is \(remove ? "no longer " : "")starred") }
  }
}
