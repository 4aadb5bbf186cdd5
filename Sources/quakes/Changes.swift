import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes changes --since TIME`: prints what became known, oldest first.
struct Changes: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List changes since a time: new, revised, renamed and retracted earthquakes.",
    discussion: """
      Lines are ordered by the time of import or, with --said, by the time that the service reported the change. --since \
      (default: 24h) and --until refer to the same time. "silent" marks a change for which the service did not set a new \
      update time.
      """)

  @OptionGroup(title: "Filters, before or after the change") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  @Flag(help: "Use the time that the service reported the change, not the time of import.")
  var said = false

  @Option(help: ArgumentHelp("The maximum number of changes, the latest ones; 0 for all.", valueName: "number"))
  var limit = 0

  @Flag(help: "Print JSON.")
  var json = false

  mutating func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
  }

  mutating func run() throws {
    let now = Date()
    let settings = try locationOptions.settings()
    let store = try OpenStore(locationOptions, needsCities: json || !OpenStore.isPosition(nearOptions.near))
    let circle = try store.circle(nearOptions, withinOptions)
    let (terminal, style) = (output.terminal(settings), output.style(settings))
    let moment = Moment(now, in: style.zone)
    var filter = try store.filter(filterOptions, at: moment, circle: circle, asOf: nil)
    // These are of when it became known.
    let end = filter.until
    (filter.since, filter.until) = (nil, nil)
    let since = filterOptions.since ?? "24h"
    let start = moment.date(since) ?? .distantPast
    let count = try store.read { [said, limit, json, output] in
      let changes = try ChangeList(since: start, until: end, isSaid: said, filter: filter, limit: limit, in: $0)
      if json || changes.count > 0 { output.startPager(settings) }
      var table = ChangeTable(terminal: terminal, style: style)
      table.showsLearnt = !said
      var listing = ChangeListing(table: table, completion: json ? try FactsCompletion(store, in: $0) : nil)
      try changes.forEachPart(in: $0) { try listing.write($0) }
      try listing.end()
      return changes.count
    }
    store.tellFreshness(at: now)
    guard count == 0 else { return }
    StandardStream.error.line(
      filter == QuakeFilter()
        ? "quakes: no changes since \(since); extend --since"
        : "quakes: no matching changes since \(since); extend --since, or choose other limits")
  }
}

/// Writes any number of changes as a table or as JSON, with bounded memory.
private struct ChangeListing {
  var table: ChangeTable
  /// nil for a table.
  private var completion: FactsCompletion?
  private var widths = ChangeTable.Widths()
  private var isFirst = true
  private var isReaderGone = false

  init(table: ChangeTable, completion: FactsCompletion?) { (self.table, self.completion) = (table, completion) }

  /// - Returns: false if the reader is gone.
  mutating func write(_ changes: [QuakeChange]) throws -> Bool {
    let text: OutputText
    if completion != nil {
      let quakes = try completion?.complete(changes.map(\.after.facts)) ?? []
      text = start + OutputText(zip(changes, quakes).map(Self.json).joined(separator: ","))
    } else {
      text = table.lines(changes, hasHeading: isFirst, widths: &widths).joined(separator: "\n") + "\n"
    }
    isFirst = false
    isReaderGone = try !Output.write(text)
    return !isReaderGone
  }

  mutating func end() throws {
    guard let completion, !isReaderGone else { return }
    completion.reportFailure()
    try Output.write((isFirst ? start : "") + "]}\n")
  }

  private var start: OutputText { isFirst ? #"{"format_version":1,"changes":["# : "," }

  private static func json(_ change: QuakeChange, quake: QuakeFacts) -> String {
    var text = JSONText()
    text.change(change, quake: quake)
    return text.text
  }
}
