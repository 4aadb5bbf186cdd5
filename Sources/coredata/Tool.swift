#if DeveloperTool
import ArgumentParser
import Foundation
import StrataFormats
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSupport

/// The developer tool for models and stores.
@main
struct Tool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata",
    abstract: "Inspect, check, copy and change Core Data models and stores, and port programs to Linux.",
    discussion: """
      Results go to standard output, as text or with --json as JSON; everything else goes to standard error.

      Exit status: 0 on success, 1 if two models differ, a model, a store or the system has problems, or a program is not \
      ported, 2 for wrong usage, 3 if a file does not exist, 4 if a file cannot be used or the request is impossible.
      """,
    version: PackageVersion.text,
    subcommands: [ModelCommands.self, StoreCommands.self, PortCommand.self, DoctorCommand.self])

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
      // A full disk is only noticed when buffered output is written.
      guard fflush(nil) == 0 else { throw ToolFailure(.unusable, "cannot write: \(String(cString: strerror(errno)))") }
    } catch let failure as ToolFailure {
      end(failure.status, message: failure.message)
    } catch let error as FileFormatError {
      end(.unusable, message: "\(error)")
    } catch let error as StoreError {
      end(.unusable, message: error.message)
    } catch let error as CocoaError {
      end(.unusable, message: error.localizedDescription)
    } catch {
      end(with: error)
    }
  }

  private static func end(_ status: ToolStatus, message: String) -> Never {
    Console.printError("coredata: \(message)")
    exit(status)
  }

  /// Prints help to standard output with status 0, usage errors to standard error with status 2.
  private static func end(with error: any Error) -> Never {
    // The parser breaks lines by this, and fewer than 30 columns would end the process with a signal.
    setenv("COLUMNS", "80", 1)
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    if code == .success { print(message) } else if !message.isEmpty { Console.printError(message) }
    fflush(nil)
    Foundation.exit(code == .validationFailure ? ToolStatus.usage.rawValue : code.rawValue)
  }

  static func exit(_ status: ToolStatus) -> Never {
    fflush(nil)
    Foundation.exit(status.rawValue)
  }
}
#endif
