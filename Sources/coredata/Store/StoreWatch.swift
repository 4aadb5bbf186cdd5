#if DeveloperTool
import ArgumentParser
import CoreData
import Dispatch
import Foundation
import Synchronization

/// `coredata store watch`: prints the transactions of a store as they are committed.
struct StoreWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print the transactions of a store as they are committed.",
    discussion: """
      Uses no CPU time between commits. Other processes do not purge transactions that it has not printed yet. Exits with \
      status 0 on an interrupt (Control-C) or SIGTERM.
      """)

  @OptionGroup var store: StorePath
  @OptionGroup var filter: HistoryOptions

  @Flag(help: "Print JSON, one line per transaction.")
  var json = false

  func run() throws {
    let url = try store.url()
    let source = try HistorySource(url, model: filter.source.model(of: url))
    let entity = try filter.entity(in: source)?.name
    let token = source.container.currentPersistentHistoryToken(fromStores: [source.store])
    let follower = try HistoryFollower(of: source.store, after: token)
    let interrupts = [SIGINT, SIGTERM].map { interrupt($0, follower: follower) }
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    Task { [json, author = filter.author] in
      do {
        for try await transaction in follower.transactions where author == nil || transaction.author == author {
          var report = TransactionReport(transaction)
          if let entity {
            report.changes.removeAll { $0.entity != entity }
            if report.changes.isEmpty { continue }
          }
          try Self.say(report, json: json)
        }
      } catch {
        outcome.error.withLock { $0 = error }
      }
      done.signal()
    }
    Console.printError("coredata: watching '\(store.path)'; Control-C ends it")
    done.wait()
    withExtendedLifetime(interrupts) {}
    if let error = outcome.error.withLock({ $0 }) { throw error }
  }

  private final class Outcome: Sendable { let error = Mutex<(any Error)?>(nil) }

  private func interrupt(_ number: Int32, follower: HistoryFollower) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { follower.end() }
    source.activate()
    return source
  }

  /// Flushes, so that a reader need not wait for a buffer to fill.
  private static func say(_ report: TransactionReport, json: Bool) throws {
    if json { try Console.printLine(json: report) } else { for line in report.lines { print(Console.printable(line)) } }
    guard fflush(nil) == 0 else { throw ToolFailure(.unusable, "cannot write: \(String(cString: strerror(errno)))") }
  }
}
#endif
