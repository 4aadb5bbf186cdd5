import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesFeeds

/// The fetch worker: imports feeds, one transaction each.
@main
struct QuakesFetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quakes-fetch",
    abstract: "Fetch earthquakes into the store that the Quakes programs share.",
    discussion: """
      The formats of feeds and files, which are recognized by their content:

      \(EventFormat.list)

      Exit status: 0 on success, 2 for wrong usage, 4 if the store cannot be used, 5 for a network failure, 6 for an \
      unusable response, 7 if the service limits the rate of requests, 9 if the store of check or join does not exist, \
      74 if the output cannot be written, 75 if another worker is running, 78 if the settings are invalid, 130 if it is \
      interrupted.
      """,
    version: QuakesVersion.report,
    subcommands: [Poll.self, Backfill.self, Check.self, Join.self, DeliverAlert.self],
    defaultSubcommand: Poll.self)

  static func main() {
    StandardStream.holdPlaces()
    // If the reader of a pipe is gone, write(2) fails instead.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot(NegativeValues.attached(Array(CommandLine.arguments.dropFirst())))
      try command.run()
    } catch let failure as Failure {
      end(with: failure)
    } catch let failure as FetchFailure {
      end(with: failure.failure)
    } catch {
      end(with: error)
    }
  }

  /// The help of the command that could not be parsed.
  private static var namedHelp: String {
    let word = CommandLine.arguments.dropFirst().first
    let named = configuration.subcommands.first { word == $0._commandName }
    return (named ?? Poll.self).helpMessage(columns: 500)
  }

  private static func end(with failure: Failure) -> Never {
    StandardStream.error.line("quakes-fetch: \(failure.message)")
    Foundation.exit(failure.status.rawValue)
  }

  /// Prints help to standard output with status 0, usage errors to standard error with status 2.
  private static func end(with error: any Error) -> Never {
    // The parser breaks lines by this, and fewer than 30 columns would end the process with a signal.
    setenv("COLUMNS", String(Terminal.helpColumns), 1)
    let status = exitCode(for: error)
    let message = OutputText(lines: Suggestion.corrected(fullMessage(for: error), help: namedHelp))
    do throws(Failure) {
      if status == .success { try Output.line(message) } else if message != "" { StandardStream.error.line(message) }
    } catch {
      end(with: error)
    }
    Foundation.exit(status == .validationFailure ? ExitStatus.usage.rawValue : status.rawValue)
  }
}
