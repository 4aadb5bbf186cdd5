import ArgumentParser
import Foundation
import StrataCoreDataErrors
import StrataFileFormats
import StrataManagedModel
import StrataRowStore

/// The developer's tool: looks into models and stores.
@main
struct Tool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata",
    abstract: "Look into models and stores of Core Data.",
    discussion: """
      What is asked for goes to standard output, as text for people or with --json for programs; everything else goes to \
      standard error.

      Ends with 0 if all went well, 1 if two models differ or a store is not as it must be, 2 if it was called wrongly, \
      3 if there is no such file, 4 if a file cannot be used or what was asked for cannot be done.
      """,
    subcommands: [ModelCommands.self, StoreCommands.self])

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
      // A full disk shows when the text leaves the program.
      guard fflush(nil) == 0 else { throw Failure(.unusable, "cannot write: \(String(cString: strerror(errno)))") }
    } catch let failure as Failure {
      end(failure.status, failure.message)
    } catch let error as FileFormatError {
      end(.unusable, "\(error)")
    } catch let error as StoreError {
      end(.unusable, error.message)
    } catch let error as CocoaError {
      end(.unusable, error.localizedDescription)
    } catch {
      end(with: error)
    }
  }

  private static func end(_ status: ExitStatus, _ message: String) -> Never {
    Console.complain("coredata: \(message)")
    exit(status)
  }

  /// Help goes to standard output with status 0, a wrong call to standard error with 2.
  private static func end(with error: any Error) -> Never {
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    if code == .success { print(message) } else if !message.isEmpty { Console.complain(message) }
    fflush(nil)
    Foundation.exit(code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue)
  }

  static func exit(_ status: ExitStatus) -> Never {
    fflush(nil)
    Foundation.exit(status.rawValue)
  }
}

/// What the program tells a script when it ends.
enum ExitStatus: Int32 {
  case done = 0
  /// Two models differ, or a store is not as it must be.
  case differs = 1
  case usage = 2
  case missing = 3
  /// A file cannot be used, or what was asked for cannot be done.
  case unusable = 4
}

/// Why the program ends without having done what it was asked for: what was tried, why it failed, what would help.
struct Failure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    (self.status, self.message) = (status, message)
  }
}
