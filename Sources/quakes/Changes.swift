import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion

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

  @Option(
    help: ArgumentHelp(
      "What to print of each earthquake after the change, such as id,magnitude,place (default: id).",
      valueName: "names"),
    completion: .columns, transform: ColumnOption.columns)
  var columns: [QuakeColumn]?

  mutating func validate() throws {
    if json, columns != nil { throw ValidationError("--columns and --json exclude each other.") }
    guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
  }

  mutating func run() throws {
    let now = Date()
    let settings = try locationOptions.settings()
    let needsCities = json || columns.map(ColumnChoice.named)?.has("nearest_city") == true
    let store = try OpenStore(locationOptions, needsCities: needsCities || !OpenStore.isPosition(nearOptions.near))
    let circle = try store.circle(nearOptions, withinOptions)
    let (terminal, style) = (output.terminal(settings), output.style(settings))
    let moment = Moment(now, in: style.zone)
    var filter = try store.filter(filterOptions, at: moment, circle: circle, asOf: nil)
    // These are of when it became known.
    let end = filter.until
    (filter.since, filter.until) = (nil, nil)
    let since = filterOptions.since ?? "24h"
    let start = moment.date(since) ?? .distantPast
    let count = try store.read { [said, limit, json, columns, output] in
      let changes = try ChangeList(since: start, until: end, isSaid: said, filter: filter, limit: limit, in: $0)
      if json || changes.count > 0 { output.startPager(settings) }
      var table = ChangeTable(terminal: terminal, style: style)
      (table.showsLearnt, table.now) = (!said, now)
      table.columns = columns ?? table.columns
      let completion = json || columns != nil ? try FactsCompletion(store, in: $0) : nil
      var listing = ChangeListing(table: json ? nil : table, completion: completion)
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
  /// nil for JSON.
  private let table: ChangeTable?
  /// nil if the changes themselves have everything to write.
  private var completion: FactsCompletion?
  private var widths = ChangeTable.Widths()
  private var isFirst = true
  private var isReaderGone = false

  init(table: ChangeTable?, completion: FactsCompletion?) { (self.table, self.completion) = (table, completion) }

  /// - Returns: false if the reader is gone.
  mutating func write(_ changes: [QuakeChange]) throws -> Bool {
    let states = changes.map(\.after.facts)
    let quakes = try completion?.complete(states) ?? states
    let text =
      if let table {
        table.lines(changes, quakes: quakes, hasHeading: isFirst, widths: &widths).joined(separator: "\n") + "\n"
      } else {
        start + OutputText(zip(changes, quakes).map(Self.json).joined(separator: ","))
      }
    isFirst = false
    isReaderGone = try !Output.write(text)
    return !isReaderGone
  }

  mutating func end() throws {
    completion?.reportFailure()
    guard table == nil, !isReaderGone else { return }
    try Output.write((isFirst ? start : "") + "]}\n")
  }

  private var start: OutputText { isFirst ? #"{"format_version":1,"changes":["# : "," }

  private static func json(_ change: QuakeChange, quake: QuakeFacts) -> String {
    var text = JSONText()
    text.change(change, quake: quake)
    return text.text
  }
}
