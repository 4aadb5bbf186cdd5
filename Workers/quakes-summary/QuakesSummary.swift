import CoreData
import Dispatch
import Foundation
import StrataQuakes

/// Prints one line about the store.
@main
enum QuakesSummary {
  static func main() {
    // If the status bar is gone, write(2) fails instead.
    signal(SIGPIPE, SIG_IGN)
    do throws(Failure) {
      let options = try SummaryOptions(Array(CommandLine.arguments.dropFirst()))
      switch options.action {
      case .help: StandardStream.output.line(OutputText(lines: SummaryOptions.help))
      case .version: StandardStream.output.line(OutputText(lines: QuakesVersion.report))
      case .print: StandardStream.output.line(OutputText(try line(options)))
      case .follow: follow(try StoreLocation(option: options.store), minimumMagnitude: options.minimumMagnitude)
      }
    } catch {
      StandardStream.error.line("quakes-summary: \(error.message)")
      exit(error.status.rawValue)
    }
  }

  private static func line(_ options: SummaryOptions) throws(Failure) -> String {
    let location = try StoreLocation(option: options.store)
    guard location.hasStore else { return SummaryLine.noQuakes }
    let context = try QuakesContainer.open(location, for: .reading).newBackgroundContext()
    do {
      return try context.performAndWait {
        if let time = options.asOf {
          return try SummaryLine.text(in: context, minimumMagnitude: options.minimumMagnitude, asOf: time)
        }
        return try SummaryLine.text(in: context, minimumMagnitude: options.minimumMagnitude, now: Date())
      }
    } catch {
      throw Failure.reading(location, error: error)
    }
  }

  private static func follow(_ location: StoreLocation, minimumMagnitude: Double?) -> Never {
    DispatchQueue.main.async {
      MainActor.assumeIsolated { SummaryFollower(location, minimumMagnitude: minimumMagnitude).begin() }
    }
    dispatchMain()
  }
}
