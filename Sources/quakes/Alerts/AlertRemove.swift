import ArgumentParser
import CoreData
import StrataQuakes

/// `quakes alert remove`.
struct AlertRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an alert, and what the log says of it.")

  @Argument(help: "The alert's name.")
  var name: String

  @OptionGroup var storeOptions: StoreOptions

  mutating func run() throws {
    let location = try storeOptions.location()
    // To remove something needs no new store.
    let store = try PersonalStore(storeOptions, for: location.hasPersonal ? .writing : .reading)
    try store.perform { context in
      // The worker may tell something meanwhile: that goes too.
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      context.delete(try store.rule(name))
      try context.save()
    }
    try Output.line("alert \(name) is removed")
  }
}
