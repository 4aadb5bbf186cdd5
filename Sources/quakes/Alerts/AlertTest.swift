import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes alert test`.
struct AlertTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Fire an alert now for the latest match or a given earthquake, without logging it.",
    discussion: "Exit status: 3 if no earthquake matches, 8 if the alert's action fails.")

  @Argument(help: "The alert's name.", completion: .alerts)
  var name: String

  @Argument(help: "An earthquake's ID.", completion: .earthquakes)
  var id: String?

  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let store = try PersonalReader(locationOptions)
    if let refusal = store.location.alertRefusal { throw Failure(.storeUnavailable, refusal) }
    var message = try store.perform { context in
      let rule = try store.rule(name)
      guard store.location.hasStore else { throw Failure.noStore(store.location) }
      return AlertMessage(rule, quake: try quake(for: rule, in: context), reason: .test)
    }
    message.style = try locationOptions.settings().displayStyle
    setenv("QUAKES_STORE", store.location.option ?? store.location.folder.standardizedFileURL.path, 1)
    let outcome = message.deliver()
    let text: OutputText = "alert \(name): \(message.quake.identifier) M \(message.quake.magnitudeText): \(outcome)"
    guard outcome == .ok else { throw Failure(.programFailed, text.text) }
    try Output.line(text)
  }

  private func quake(for rule: AlertRule, in context: NSManagedObjectContext) throws -> Quake {
    if let id {
      if let quake = try Quake.find(typed: id, in: context) { return quake }
      throw Failure(.notFound, "there is no earthquake \"\(id)\" in the store")
    }
    var newest: NSManagedObjectID?
    try Quake.forEach(QuakeQuery(rule.filter, limit: 1), in: context) { quake in
      newest = quake.objectID
      return false
    }
    guard let newest, let quake = try context.existingObject(with: newest) as? Quake else {
      throw Failure(.notFound, "no earthquake in the store matches the alert; give an earthquake's ID")
    }
    return quake
  }
}
