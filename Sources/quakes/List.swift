import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes list`: prints earthquakes, newest first.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List earthquakes, newest first.")

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var filterOptions: FilterOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var output: OutputOptions

  @Option(help: "Where it was: as its service says (usgs), or from the nearest city if one is known (nearest).")
  var place = PlaceStyle.usgs

  @Flag(help: "As JSON.")
  var json = false

  @Flag(help: "Exit with status 1 if nothing matches.")
  var exitStatus = false

  enum PlaceStyle: String, CaseIterable, ExpressibleByArgument {
    case usgs, nearest
  }

  mutating func validate() throws {
    if place == .nearest, asOfOptions.asOf != nil {
      throw ValidationError("--place nearest and --as-of exclude each other: nearest cities are of current positions.")
    }
  }

  mutating func run() throws {
    let now = Date()
    let (container, location) = try storeOptions.open()
    // Only what is shown costs the time of opening another store.
    let reference = json || place == .nearest ? StoreOptions.addReference(to: container) : nil
    let filter = filterOptions.filter(at: now)
    let context = container.newBackgroundContext()
    let listing = Listing(terminal: output.terminal, isJSON: json, now: now)
    let (isEmpty, isEmptyStore) = try context.performAndWait { [limit = filterOptions.limit, asOfOptions, place] in
      var listing = listing
      do {
        if let time = asOfOptions.date(at: now) {
          let states = try Quake.states(asOf: time, filter: filter, limit: limit, in: context)
          listing.write(states.map(\.facts))
        } else {
          var names = reference.map { CityNames(in: context, of: $0) }
          try Quake.forEach(Quake.newest(filter, limit: limit), in: context) { quake in
            var facts = names?.facts(of: quake) ?? quake.facts
            if place == .nearest, let city = facts.nearestCity, city.tells { facts.place = city.text }
            return listing.write(facts)
          }
          if let failure = names?.failure { StandardStream.error.line("quakes: \(failure.message)") }
        }
        listing.end()
        let isEmpty = listing.count == 0
        return (isEmpty, try isEmpty && context.count(for: Quake.fetchRequest()) == 0)
      } catch {
        throw Failure.reading(location, error: error)
      }
    }
    guard isEmpty else { return }
    StandardStream.error.line("quakes: \(reason(isEmptyStore: isEmptyStore, location: location))")
    if exitStatus { Foundation.exit(ExitStatus.noMatch.rawValue) }
  }

  private func reason(isEmptyStore: Bool, location: StoreLocation) -> String {
    if isEmptyStore {
      return "the store in \(location.folder.path) contains no earthquakes yet; run \"quakes workers start\""
    }
    if asOfOptions.asOf != nil {
      return "nothing that matches was known then; choose a later --as-of, lower --min-magnitude or extend --since"
    }
    return "no earthquake in the store matches; lower --min-magnitude or extend --since"
  }
}
