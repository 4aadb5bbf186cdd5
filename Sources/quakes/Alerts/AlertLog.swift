import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes alert log`.
struct AlertLog: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List past alerts and their results, newest first.")

  @Option(help: ArgumentHelp("The maximum number of results; 0 for all.", valueName: "number"))
  var limit = 50

  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
  }

  mutating func run() throws {
    let store = try PersonalReader(locationOptions)
    try store.perform { context in
      let firings = store.exists ? try context.fetch(AlertFiring.newest(limit: limit)) : []
      for firing in firings { try Output.line(try line(of: firing, in: store)) }
      if firings.isEmpty { StandardStream.error.line("quakes: no alert has fired yet") }
    }
  }

  private func line(of firing: AlertFiring, in store: PersonalReader) throws -> OutputText {
    let identifier = firing.quakeIdentifier ?? "?"
    let quake = store.location.hasStore ? try Quake.find(identifier, in: store.context) : nil
    let magnitude = firing.magnitude.map { DecimalText.oneDigit($0.doubleValue) } ?? "?"
    let time = firing.fired.map { ISO8601.text($0) } ?? "?"
    let place = quake?.facts.placeText ?? "no longer in the store"
    return "\(time)  \(firing.ruleName ?? "?")  M \(magnitude)  \(place) (\(identifier)): \(outcome(of: firing))"
  }

  /// A program is not awaited for longer than it may run.
  private func outcome(of firing: AlertFiring) -> String {
    if let outcome = firing.outcome { return outcome }
    let age = firing.fired.map { -$0.timeIntervalSinceNow } ?? .infinity
    return age < 150 ? "running" : "unknown: the process that fired it was killed"
  }
}
