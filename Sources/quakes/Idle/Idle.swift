import ArgumentParser
import CoreData
import Dispatch
import Foundation
import StrataQuakes

/// `quakes idle`: waits for an event in the store.
struct Idle: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Wait until the store changes, and print a line for each event.",
    discussion: """
      EVENT is one of \(StoreEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")); the default \
      is all. Each line begins with the event: "new us7000abcd 6.1 Tonga", "fetch-error all_hour …".

      Waiting uses no CPU time. Events between two calls are lost, unless --loop keeps one call running or --after \
      continues where the previous call ended.

      Exit status: 1 if --timeout passed without an event, 3 if the history after --after was deleted.
      """)

  @Flag(help: "Continue after the first event.")
  var loop = false

  @Option(help: ArgumentHelp("The maximum time to wait, in seconds.", valueName: "seconds"))
  var timeout: Double?

  @Option(help: ArgumentHelp("First print the events after this token, which --token printed.", valueName: "token"))
  var after: String?

  @Flag(help: "Also print \"token TOKEN\" after the events, for --after in the next call.")
  var token = false

  @Argument(help: "The events to wait for.")
  var event: [String] = []

  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    if let timeout, !(0...1e9 ~= timeout) { throw ValidationError("--timeout must be from 0 to 1000000000 seconds.") }
    if let after, HistoryToken(after) == nil {
      throw ValidationError("--after must be what --token printed, such as 4711.3F2A9C01, not \"\(after)\".")
    }
    for name in event where StoreEvent.Kind(rawValue: name) == nil {
      let names = StoreEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("unknown event \"\(name)\"; the events are \(names).")
    }
  }

  mutating func run() throws {
    let former = ProgramReplacement.current.state(IdleWait.FormerSelf.self)
    try FileDescriptorLimit.check()
    let (container, location) = try locationOptions.open(isWatched: true)
    guard let store = container.store(.catalog) else { throw Failure.noStore(location) }
    let kinds = Set(event.compactMap(StoreEvent.Kind.init))
    let options = IdleWait.Options(
      kinds: kinds.isEmpty ? Set(StoreEvent.Kind.allCases) : kinds, isLoop: loop, printsToken: token,
      location: location)
    let start = try Self.start(
      (former?.token ?? after).flatMap { HistoryToken($0) }, of: store, in: container, location)
    PipeClosedMonitor.endProcess(whenReaderLeaves: StandardStream.output)
    let end = former?.end ?? timeout.map { ContinuousClock.now + .seconds($0) }
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        IdleWait(start, container: container, options: options, hasEvents: former?.hasEvents ?? false).begin(until: end)
      }
    }
    dispatchMain()
  }

  /// Where to begin: after a token, or with the next transaction.
  private static func start(
    _ token: HistoryToken?, of store: NSPersistentStore, in container: QuakesContainer, _ location: StoreLocation
  ) throws -> (follower: HistoryFollower, token: HistoryToken) {
    try container.newBackgroundContext().read(failingWith: { Failure.reading(location, error: $0) }) { context in
      let start = try token ?? HistoryToken.newest(of: store, in: context)
      return (try start.follower(of: store, in: context), start)
    }
  }
}
