import ArgumentParser
import CoreData
import Dispatch
import Foundation
import StrataQuakes

/// `quakes idle`: waits until the store tells something.
struct Idle: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Wait until the store changes, and print what happened: a line for each event.",
    discussion: """
      EVENT is one of \(StoreEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")); without any, all are waited \
      for. Each line begins with it: "new us7000abcd 6.1 Tonga", "fetch-error all_hour …".

      Nothing runs while it waits. What happens between two calls is lost, unless --loop makes it one call, or --after \
      takes up where the former ended.

      Exit status: 1 if --timeout ended it and nothing happened, 3 if the history after --after is gone.
      """)

  @Flag(help: "Go on after the first event.")
  var loop = false

  @Option(help: ArgumentHelp("End after this time.", valueName: "seconds"))
  var timeout: Double?

  @Option(help: ArgumentHelp("First print what happened after this, which --token printed.", valueName: "token"))
  var after: String?

  @Flag(help: "Also print \"token TOKEN\" behind the events, for --after of the next call.")
  var token = false

  @Argument(help: "What to wait for.")
  var event: [String] = []

  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    if let timeout, !(0...1e9 ~= timeout) { throw ValidationError("--timeout must be from 0 to 1000000000 seconds.") }
    if let after, HistoryPlace(after) == nil {
      throw ValidationError("--after must be what --token printed, such as 4711.3F2A9C01, not \"\(after)\".")
    }
    for name in event where StoreEvent.Kind(rawValue: name) == nil {
      let names = StoreEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("there is no event \"\(name)\"; there are \(names).")
    }
  }

  mutating func run() throws {
    try FileRoom.check()
    let (container, location) = try locationOptions.open(isWatched: true)
    guard let store = container.store(.catalog) else { throw Failure.noStore(location) }
    let kinds = Set(event.compactMap(StoreEvent.Kind.init))
    let options = IdleWait.Options(
      kinds: kinds.isEmpty ? Set(StoreEvent.Kind.allCases) : kinds, isLoop: loop, printsToken: token,
      location: location)
    let start = try Self.start(after.flatMap { HistoryPlace($0) }, of: store, in: container, location)
    HangUp.endProcess(whenReaderLeaves: StandardStream.output)
    DispatchQueue.main.async { [timeout] in
      MainActor.assumeIsolated { IdleWait(start, container: container, options: options).begin(timeout: timeout) }
    }
    dispatchMain()
  }

  /// Where to begin: after a place, or with what happens from now on.
  private static func start(
    _ place: HistoryPlace?, of store: NSPersistentStore, in container: QuakesContainer, _ location: StoreLocation
  ) throws -> (follower: HistoryFollower, place: HistoryPlace) {
    try container.newBackgroundContext().read(failingWith: { Failure.reading(location, error: $0) }) { context in
      let start = try place ?? HistoryPlace.newest(of: store, in: context)
      return (try start.follower(of: store, in: context), start)
    }
  }
}
