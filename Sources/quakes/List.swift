import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes list`: prints earthquakes, newest first.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List earthquakes, newest first.")

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var filterOptions: FilterOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "As JSON.")
  var json = false

  @Flag(help: "Exit with status 1 if nothing matches.")
  var exitStatus = false

  mutating func run() throws {
    let now = Date()
    let (container, location) = try storeOptions.open()
    let filter = filterOptions.filter(at: now)
    let context = container.newBackgroundContext()
    let (quakes, isEmptyStore) = try context.performAndWait {
      do {
        let quakes = try context.fetch(Quake.newest(filter, limit: filterOptions.limit)).map(\.facts)
        return (quakes, try quakes.isEmpty && context.count(for: Quake.matching(QuakeFilter())) == 0)
      } catch {
        throw Failure.reading(location, error: error)
      }
    }
    show(quakes, at: now)
    guard quakes.isEmpty else { return }
    StandardStream.error.line("quakes: \(reason(isEmptyStore: isEmptyStore, location: location))")
    if exitStatus { Foundation.exit(ExitStatus.noMatch.rawValue) }
  }

  private func show(_ quakes: [QuakeFacts], at now: Date) {
    if json {
      var text = JSONText()
      text.object { json in
        json.integer("format_version", 1)
        json.array("quakes") { array in for quake in quakes { array.quake(nil, quake) } }
      }
      StandardStream.output.line(text.text)
    } else if !quakes.isEmpty {
      StandardStream.output.line(QuakeTable(terminal: output.terminal, now: now).lines(quakes).joined(separator: "\n"))
    }
  }

  private func reason(isEmptyStore: Bool, location: StoreLocation) -> String {
    isEmptyStore
      ? "the store in \(location.folder.path) contains no earthquakes yet; run \"quakes workers start\""
      : "no earthquake in the store matches; lower --min-magnitude or extend --since"
  }
}
