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
    let (terminal, style) = (output.terminal(settings), output.style(settings))
    let context = container.newBackgroundContext()
    let count = try context.read(failingWith: { Failure.reading(location, error: $0) }) { [said, limit, json, output] in
      let changes = try ChangeList(since: start, isSaid: said, filter: filter, limit: limit, in: $0)
      if json || changes.count > 0 { output.startPager(settings) }
      var listing = ChangeListing(table: ChangeTable(terminal: terminal, style: style), isJSON: json)
      try changes.forEachPart(in: $0) { try listing.write($0) }
      try listing.end()
      return changes.count
    }
    FreshnessNote.tell(of: location, at: Date(), in: context)
    if count == 0 { StandardStream.error.line("quakes: nothing became known since \(since); extend --since") }
  }
}

/// Writes changes, however many, as a table or as JSON, with memory for a part of them.
private struct ChangeListing {
  var table: ChangeTable
  var isJSON: Bool
  private var widths = ChangeTable.Widths()
  private var isFirst = true
  private var isReaderGone = false

  init(table: ChangeTable, isJSON: Bool) { (self.table, self.isJSON) = (table, isJSON) }

  /// - Returns: false if the reader is gone.
  mutating func write(_ changes: [QuakeChange]) throws -> Bool {
    let text: OutputText
    if isJSON {
      text = start + OutputText(changes.map(Self.json).joined(separator: ","))
    } else {
      text = table.lines(changes, hasHeading: isFirst, widths: &widths).joined(separator: "\n") + "\n"
    }
    isFirst = false
    isReaderGone = try !Output.write(text)
    return !isReaderGone
  }

  mutating func end() throws {
    guard isJSON, !isReaderGone else { return }
    try Output.write((isFirst ? start : "") + "]}\n")
  }

  private var start: OutputText { isFirst ? #"{"format_version":1,"changes":["# : "," }

  private static func json(_ change: QuakeChange) -> String {
    var text = JSONText()
    text.change(change)
    return text.text
  }
}
