import ArgumentParser
import CoreData
import StrataQuakes
import StrataQuakesCompletion

/// `quakes alert remove`.
struct AlertRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an alert and its log entries.")

  @Argument(help: "The alert's name.", completion: .alerts)
  var name: String

  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let location = try locationOptions.location()
    // To remove something needs no new store.
    try location.refuseMistyped()
    guard location.hasPersonal else { throw Failure.noAlert(name) }
    try PersonalWriter(location).change(by: "quakes") { [name] context in
      context.delete(try AlertRule.existing(name, in: context))
    }
    try Output.line("alert \(name) is removed")
  }
}
