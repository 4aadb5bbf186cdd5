import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes stats`: prints what many earthquakes are together.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show counts by day and size, the b-value and the energy.",
    discussion: """
      The b-value is the ratio of small to large earthquakes (log N = a - bM): the maximum likelihood estimate of Aki \
      (1965) and Utsu (1966), with the standard error of Shi and Bolt (1982), for earthquakes of the magnitude of \
      completeness and above. That is the most frequent magnitude (maximum curvature) unless --completeness sets it.
      """)

  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var locationOptions: LocationOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The magnitude of completeness of the catalog.", valueName: "magnitude"))
  var completeness: Double?

  @Option(help: ArgumentHelp("The maximum number of days to show, the latest ones.", valueName: "number"))
  var days = 31

  @Flag(help: "Print JSON.")
  var json = false

  mutating func validate() throws {
    guard 1...100_000 ~= days else { throw ValidationError("--days must be from 1 to 100000.") }
    if completeness?.isFinite == false { throw ValidationError("--completeness must be a number.") }
  }

  mutating func run() throws {
    let now = Date()
    let settings = try locationOptions.settings()
    let style = output.style(settings)
    let near = nearOptions
    let store = try OpenStore(locationOptions, needsCities: json || !OpenStore.isPosition(near.near))
    let circle = try store.circle(near, withinOptions)
    let moment = Moment(now, in: style.zone)
    let filter = try store.filter(filterOptions, at: moment, circle: circle, asOf: asOfOptions.asOf)
    let time = asOfOptions.date(at: moment)
    // A program needs days that are the same everywhere.
    let zone = json ? .universal : style.zone
    let (statistics, emptiness) = try store.read { [json] context in
      var statistics = QuakeStatistics(zone: zone)
      if let time {
        for state in try Quake.states(asOf: time, QuakeQuery(filter), in: context) { statistics.add(state.facts) }
      } else {
        try Quake.forEach(QuakeQuery(filter), in: context) { quake in
          statistics.add(quake.facts)
          return true
        }
      }
      if json, let largest = statistics.largest {
        var completion = try FactsCompletion(store, asOf: time, in: context)
        statistics.largest = try completion.complete([largest]).first
        completion.reportFailure()
      }
      return (statistics, statistics.count == 0 ? try EmptyResult(filter, asOf: time, in: context, style: style) : nil)
    }
    let report = StatisticsReport(statistics: statistics, completeness: completeness, days: days)
    let terminal = output.terminal(settings)
    output.startPager(settings)
    try Output.line(OutputText(lines: json ? report.json : report.lines(terminal, style).joined(separator: "\n")))
    if time == nil { store.tellFreshness(at: now) }
    if let emptiness { StandardStream.error.line("quakes: \(emptiness.text(of: store.location))") }
  }
}
