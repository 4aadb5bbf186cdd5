import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes stats`: prints what many earthquakes are together.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show counts by day and size, the b-value, the completeness and the energy.",
    discussion: """
      The counts and the largest include all events, also explosions. Days are those of the displayed zone (with --json of \
      UTC), and the first and the last may be incomplete. Classes of magnitude are those of IRIS.

      The b-value is the ratio of small to large earthquakes (log N = a - bM), of earthquakes of the magnitude of \
      completeness Mc and above: the maximum likelihood estimate of Tinti and Mulargia (1987) for magnitudes in bins of \
      0.1, which is that of Aki (1965) and Utsu (1966) without their approximation. The number after it is the standard \
      error (1 sigma) of Shi and Bolt (1982) for this Mc. The 95 % intervals are percentiles of 1000 bootstrap samples. \
      Without --completeness, Mc is estimated for each, as by Woessner and Wiemer (2005). 50 earthquakes are \
      required.

      Mc is the most frequent magnitude + 0.2 (maximum curvature, Wiemer and Wyss 2000, with the correction of Woessner \
      and Wiemer) unless --completeness sets it. For comparison, from the most frequent magnitude up: the lowest from \
      which on the law explains 95 % of the cumulative counts, or else 90 % (goodness of fit, Wiemer and Wyss), and the \
      lowest at which b is, within its standard error, the mean of those up to 0.5 above (b-value stability, Cao and Gao \
      2002). All assume that Mc is the same everywhere and at all times; aftershocks are included. A warning names the \
      networks and the types of magnitude (all kinds of Mw are one) if they are mixed.

      The energy is that radiated by earthquakes as seismic waves, in joules: log E = 4.8 + 1.5 M (Gutenberg and Richter \
      1956). The relation is for surface-wave magnitudes and is used for all types; an error of 0.1 in M is 41 % of E.
      """)

  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var locationOptions: LocationOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The magnitude of completeness of the catalog, instead of estimating it.", valueName: "magnitude"))
  var completeness: Double?

  @Option(help: ArgumentHelp("The maximum number of days to show, the latest ones.", valueName: "number"))
  var days = 31

  @Flag(help: "Print JSON.")
  var json = false

  mutating func validate() throws {
    guard 1...100_000 ~= days else { throw ValidationError("--days must be from 1 to 100000.") }
    if let completeness, !(-10...12 ~= completeness) {
      throw ValidationError("--completeness must be from -10 to 12.")
    }
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
