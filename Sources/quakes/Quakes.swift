import ArgumentParser
import Foundation
import StrataQuakes

/// The reader. It reads the store and never uses the network.
@main
struct Quakes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quakes",
    abstract: "Show earthquakes from the store that the Quakes programs share.",
    discussion: """
      Exit status: 0 on success, 1 if nothing matched and --exit-status was given, 2 for wrong usage, 3 if there is no \
      such earthquake, 4 if the store cannot be used, 75 if a worker is already running.
      """,
    version: QuakesVersion.report,
    subcommands: [List.self, Show.self, Changes.self, Watch.self, Workers.self],
    defaultSubcommand: List.self)

  static func main() {
    // If the reader of a pipe is gone, write(2) fails instead.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as Failure {
      StandardStream.error.line("quakes: \(failure.message)")
      Foundation.exit(failure.status.rawValue)
    } catch {
      end(with: error)
    }
  }

  /// Prints help to standard output with status 0, usage errors to standard error with status 2.
  private static func end(with error: any Error) -> Never {
    let status = exitCode(for: error)
    let stream = status == .success ? StandardStream.output : StandardStream.error
    let message = fullMessage(for: error)
    if !message.isEmpty { stream.line(OutputText(lines: message)) }
    Foundation.exit(status == .validationFailure ? ExitStatus.usage.rawValue : status.rawValue)
  }
}

/// Which store to read.
struct StoreOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The store's folder (default: $QUAKES_STORE).", valueName: "folder"))
  var store: String?

  func location() throws(Failure) -> StoreLocation {
    try StoreLocation(option: store)
  }

  /// Opens an existing store.
  func open() throws(Failure) -> (container: QuakesContainer, location: StoreLocation) {
    let location = try location()
    guard location.hasStore else { throw Failure.noStore(location) }
    return (try QuakesContainer.open(location, for: .reading), location)
  }

  /// Adds the Reference store to a container, for the names of cities; tells if it cannot be used.
  ///
  /// - Returns: nil if there is none; earthquakes are then shown without nearest cities.
  static func addReference(to container: QuakesContainer) -> ReferenceLocation? {
    guard let location = ReferenceLocation.find() else { return nil }
    do {
      try container.addReference(location)
      return location
    } catch {
      StandardStream.error.line("quakes: \(error.message)")
      return nil
    }
  }
}

/// Which earthquakes to show.
struct FilterOptions: ParsableArguments {
  @Option(
    name: [.customLong("min-magnitude"), .customLong("min-mag")],
    help: ArgumentHelp("Only this magnitude and above.", valueName: "magnitude"))
  var minimumMagnitude: Double?

  @Option(help: ArgumentHelp("Only since this time: 30m, 24h, 7d, 2w, or a day such as 2026-11-20.", valueName: "time"))
  var since: String?

  @Flag(help: "Also earthquakes that their service withdrew.")
  var retracted = false

  @Option(help: ArgumentHelp("The maximum number; 0 for all.", valueName: "number"))
  var limit = 25

  mutating func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
    if let since, Age.date(since, before: Date()) == nil {
      throw ValidationError(Self.timeAdvice("--since", since))
    }
  }

  static func timeAdvice(_ option: String, _ text: String) -> String {
    "\(option) must be like 30m, 24h, 7d, 2w, or a day such as 2026-11-20, not \"\(text)\"."
  }

  func filter(at now: Date) -> QuakeFilter {
    QuakeFilter(
      minimumMagnitude: minimumMagnitude, since: since.flatMap { Age.date($0, before: now) },
      includesRetracted: retracted)
  }
}

/// Which time's knowledge to show.
struct AsOfOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the services said at this time: 24h, or an instant such as 2026-11-20T12:00.", valueName: "time"))
  var asOf: String?

  mutating func validate() throws {
    if let asOf, Age.date(asOf, before: Date()) == nil {
      throw ValidationError(FilterOptions.timeAdvice("--as-of", asOf))
    }
  }

  func date(at now: Date) -> Date? { asOf.flatMap { Age.date($0, before: now) } }
}

/// The output's style.
struct OutputOptions: ParsableArguments {
  @Option(help: "Colour: auto, always or never.")
  var color = Color.auto

  @Flag(help: "The same as --color=never.")
  var noColor = false

  var terminal: Terminal { Terminal(color: noColor ? .never : color.choice) }

  enum Color: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    var choice: Terminal.ColorChoice {
      switch self {
      case .auto: .auto
      case .always: .always
      case .never: .never
      }
    }
  }
}
