import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes changes --since TIME`: prints what became known, oldest first.
struct Changes: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what became known since a time: new, revised, renamed, retracted.",
    discussion: """
      Each line has the time at which the service said it. "silent" is a change that the service did not announce by a \
      new time of update.
      """)

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Since this time: 30m, 24h, 7d, 2w, or a day such as 2026-11-20.", valueName: "time"))
  var since = "24h"

  @Flag(help: "Count from when the service said it, not from when it was imported.")
  var said = false

  @Option(
    name: [.customLong("min-magnitude"), .customLong("min-mag")],
    help: ArgumentHelp("Only earthquakes that are or were of this magnitude and above.", valueName: "magnitude"))
  var minimumMagnitude: Double?

  @Option(help: ArgumentHelp("The maximum number, the latest; 0 for all.", valueName: "number"))
  var limit = 0

  @Flag(help: "As JSON.")
  var json = false

  mutating func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
    guard Age.date(since, before: Date()) != nil else {
      throw ValidationError(timeAdvice("--since", since))
    }
  }

  mutating func run() throws {
    let settings = try storeOptions.settings()
    let (container, location) = try storeOptions.open()
    let filter = QuakeFilter(minimumMagnitude: minimumMagnitude)
    let start = Age.date(since, before: Date()) ?? .distantPast
    let context = container.newBackgroundContext()
    let changes = try context.performAndWait { [said] in
      do {
        return try Quake.changes(since: start, isSaid: said, filter: filter, in: context)
      } catch {
        throw Failure.reading(location, error: error)
      }
    }
    let shown = limit == 0 ? changes[...] : changes.suffix(limit)
    let table = ChangeTable(terminal: output.terminal(settings), style: output.style(settings))
    if json || !shown.isEmpty { output.startPager(settings) }
    if json {
      var text = JSONText()
      text.object { json in
        json.integer("format_version", 1)
        json.array("changes") { array in for change in shown { array.change(change) } }
      }
      try Output.line(OutputText(text.text))
    } else if !shown.isEmpty {
      try Output.line(table.lines(Array(shown)).joined(separator: "\n"))
    }
    FreshnessNote.tell(of: location, at: Date(), in: context)
    if changes.isEmpty { StandardStream.error.line("quakes: nothing became known since \(since); extend --since") }
  }
}
