import CoreData
import Dispatch
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// Prints one line about the store.
public enum QuakesSummary {
  /// Runs the command line, and ends the process if it fails.
  public static func main() {
    StandardStream.holdPlaces()
    // If the status bar is gone, write(2) fails instead.
    signal(SIGPIPE, SIG_IGN)
    do throws(Failure) {
      let options = try options(Array(CommandLine.arguments.dropFirst()))
      switch options.action {
      case .help: try Output.line(OutputText(lines: SummaryOptions.help))
      case .version: try Output.line(OutputText(lines: QuakesVersion.report))
      case .print: try printOnce(options)
      case .printPage: try printPage(options)
      case .follow: try follow(StoreLocation(option: options.store), options)
      }
    } catch {
      end(error)
    }
  }

  static func end(_ failure: Failure) -> Never {
    StandardStream.error.line("quakes-summary: \(failure.message)")
    exit(failure.status.rawValue)
  }

  /// Help is there whatever the settings say.
  private static func options(_ arguments: [String]) throws(Failure) -> SummaryOptions {
    let options = try SummaryOptions(arguments)
    if options.action == .help || options.action == .version { return options }
    let file = SettingsFile(option: options.config)
    guard file.isChosen || file.exists else { return options }
    let settings = try file.settings { StandardStream.error.line("quakes-summary: \($0)") }
    return try SummaryOptions(arguments, settings: settings)
  }

  private static func printOnce(_ options: SummaryOptions) throws(Failure) {
    let location = try StoreLocation(option: options.store)
    let summary = try summary(options, of: location)
    let line = options.line(summary)
    try Output.line(options.form.text(line))
    if summary.isStoreMissing { throw Failure.noStore(location) }
    if options.failsIfStale, line.isStale { exit(ExitStatus.noMatch.rawValue) }
    exit(options.form.exitStatus(line))
  }

  private static func printPage(_ options: SummaryOptions) throws(Failure) {
    let location = try StoreLocation(option: options.store)
    let summary = try summary(options, of: location)
    if summary.isStoreMissing { throw Failure.noStore(location) }
    guard let page = summary.newest?.page else {
      throw Failure(.notFound, "no matching earthquake has a page to open; lower --min-magnitude")
    }
    try Output.line(OutputText(page))
  }

  private static func summary(_ options: SummaryOptions, of location: StoreLocation) throws(Failure) -> Summary {
    guard location.hasStore else { return .withoutStore(location, at: Date()) }
    let container = try QuakesContainer.open(location, for: .reading)
    // Never released: the process ends with the line, and to take everything down takes longer than to read it.
    _ = Unmanaged.passRetained(container)
    let context = container.newBackgroundContext()
    do {
      return try context.performAndWait { try options.summary(in: context, of: location, now: Date()) }
    } catch {
      throw Failure.reading(location, error: error)
    }
  }

  private static func follow(_ location: StoreLocation, _ options: SummaryOptions) throws(Failure) -> Never {
    _ = ProgramReplacement.current
    try FileDescriptorLimit.check()
    DispatchQueue.main.async {
      MainActor.assumeIsolated { SummaryFollower(location, options: options).begin() }
    }
    dispatchMain()
  }
}

extension SummaryOptions {
  /// Reads what the options ask for.
  ///
  /// - Throws: what `fetch` throws.
  func summary(in context: NSManagedObjectContext, of location: StoreLocation, now: Date) throws -> Summary {
    let limit = form.quakeLimit
    if let asOf {
      return try Summary(
        in: context, minimumMagnitude: minimumMagnitude, limit: limit, countsSmaller: form.hasTooltip, asOf: asOf,
        zone: style.zone)
    }
    var summary = try Summary(
      in: context, minimumMagnitude: minimumMagnitude, limit: limit, countsSmaller: form.hasTooltip, now: now,
      zone: style.zone)
    summary.staleReason = try FetchHealth(in: context, of: location).staleReason(at: now, after: staleAfter)
    return summary
  }

  func line(_ summary: Summary) -> BarLine {
    BarLine(
      summary, template: template, style: style, width: width, whenNone: emptyText(summary),
      minimumMagnitude: minimumMagnitude)
  }

  private func emptyText(_ summary: Summary) -> String {
    if summary.isStoreMissing { return "no store" }
    if let whenNone { return whenNone }
    guard let minimumMagnitude, summary.hasOnlySmaller else { return "no quakes yet" }
    return "no quakes of M \(DecimalText.shortest(minimumMagnitude)) and above yet"
  }
}

extension Summary {
  static func withoutStore(_ location: StoreLocation, at now: Date) -> Summary {
    var summary = Summary(now: now, staleReason: "there is no store yet")
    guard location.isChosen else { return summary }
    (summary.isStoreMissing, summary.staleReason) = (true, Failure.noStore(location).message)
    return summary
  }
}
