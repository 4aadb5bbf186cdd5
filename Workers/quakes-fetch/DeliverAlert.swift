import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesConfig
import StrataQuakesFeeds

/// `quakes-fetch tell`, which the worker runs for each alert: claims it, delivers it, and records the outcome.
struct DeliverAlert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tell", abstract: "Deliver an alert; the worker runs this.", shouldDisplay: false)

  @Option(help: "The store's folder.")
  var store: String

  @Option(help: "The alert's name.")
  var rule: String

  @Option(help: "The earthquake's ID.")
  var id: String

  @Flag(help: "Begin each line with the time.")
  var timed = false

  mutating func run() throws {
    let location = StoreLocation(folder: URL(fileURLWithPath: store, isDirectory: true), isChosen: true)
    if let refusal = location.alertRefusal { throw Failure(.storeUnavailable, refusal) }
    guard location.hasPersonal else { return }
    let claims = AlertClaims(personal: try PersonalWriter(location))
    guard let claim = try claims.claim(id, by: rule) else { return }
    var message = claim.message
    // The worker reports mistakes in the settings; they must not prevent alerts.
    if let settings = try? SettingsFile().settings() { message.style = settings.displayStyle }
    // Where the program finds the store, if it asks Quakes.
    if Environment.variable("QUAKES_STORE").map(StoreLocation.namesServer) != true {
      setenv("QUAKES_STORE", location.folder.path, 1)
    }
    let outcome = message.deliver()
    let text = "alert \(message.rule): \(message.quake.identifier) M \(message.quake.magnitudeText): \(outcome)"
    let log = WorkerLog(isTimed: timed)
    if outcome == .ok { log.result(text) } else { log.problem(text) }
    try claims.record(outcome, of: claim.firing)
  }
}
