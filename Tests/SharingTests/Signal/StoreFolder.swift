import Foundation
import StrataSharing
import StrataTestSupport
import Synchronization
import Testing

/// A temporary folder with stores, deleted at the end.
final class StoreFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/signal-\(UUID().uuidString)"
    try make()
  }

  func make() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  func store(_ name: String = "Quakes.sqlite") -> String { "\(path)/\(name)" }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Counts the calls of a handler.
final class Calls: Sendable {
  private let calls = Atomic<Int>(0)
  private let last = Atomic<UInt64>(0)

  var count: Int { calls.load(ordering: .acquiring) }
  /// The time of the last call, in nanoseconds of the monotonic clock.
  var lastTime: UInt64 { last.load(ordering: .acquiring) }

  var handler: @Sendable () -> Void {
    { [self] in
      last.store(DispatchTime.now().uptimeNanoseconds, ordering: .releasing)
      calls.add(1, ordering: .acquiringAndReleasing)
    }
  }

  /// Waits for more than `count` calls, and returns whether they came in time.
  func grows(beyond count: Int, within seconds: Double = 600) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while self.count <= count {
      if ContinuousClock.now > end { return false }
      try await Task.sleep(for: .milliseconds(1))
    }
    return true
  }

  /// Waits until no call came for 60 ms, and returns the count.
  func settled() async throws -> Int {
    while true {
      let before = count
      try await Task.sleep(for: .milliseconds(60))
      if count == before { return before }
    }
  }
}

/// The source of a watcher's events: the default source of this build and, in builds with libinotifytools, inotify(7).
enum EventSource: String, CaseIterable {
  case standard
  #if InotifyTools
  case direct

  /// Created after libinotifytools is open, because libinotifytools adopts a new inotify descriptor of the process.
  private static let directWatcher = {
    let path = FileManager.default.temporaryDirectory.path + "/Quakes.sqlite"
    _ = try? Watcher.shared.observe(storePath: path, onChange: {})
    return Watcher { try Inotify() }
  }()
  #endif

  var watcher: Watcher {
    switch self {
    case .standard: .shared
    #if InotifyTools
    case .direct: Self.directWatcher
    #endif
    }
  }
}

/// Runs a shell command and waits for it.
func shell(_ line: String) throws {
  #expect(try startShell(line).status() == 0, "\(line)")
}

/// Starts a shell command.
func startShell(_ line: String) throws -> SpawnedProcess { try SpawnedProcess("/bin/sh", ["-c", line]) }
