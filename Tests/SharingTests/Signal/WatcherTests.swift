import Foundation
import StrataSharing
import StrataTestSupport
import Synchronization
import Testing

/// The watcher's behavior when the kernel fails, and its cost.
@Suite struct WatcherTests {
  private let folder: StoreFolder
  private let calls = Calls()

  init() throws { folder = try StoreFolder() }

  @Test func `without inotify, the watcher polls the files`() async throws {
    let watcher = Watcher { throw SignalError(.system(EMFILE), message: "no inotify instance is left") }
    let observation = try watcher.observe(storePath: folder.store(), onChange: calls.handler)
    #expect(observation.mode == .polling(reason: "no inotify instance is left"))
    let opened = try await calls.settled()
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: opened))
    try await Task.sleep(for: .milliseconds(600))
    let before = calls.count
    try await Task.sleep(for: .milliseconds(600))
    #expect(calls.count == before, "nothing changed, but the handler was called")
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: before))
  }

  /// A process that looked while the store was away has to look again. The store has the same inode, size and
  /// modification time as before.
  @Test func `a store replaced between two polls is reported`() async throws {
    let watcher = Watcher { throw SignalError(.system(EMFILE), message: "no inotify instance is left") }
    let store = folder.store()
    try #require(FileManager.default.createFile(atPath: store, contents: Data("a".utf8)))
    let observation = try watcher.observe(storePath: store, onChange: calls.handler)
    let before = try await calls.settled()
    try #require(rename(store, store + ".away") == 0 && rename(store + ".away", store) == 0)
    #expect(try await calls.grows(beyond: before))
    withExtendedLifetime(observation) {}
  }

  /// A watch that still exists keeps its number. A new watch gets another number.
  @Test func `lost events renew the watches`() async throws {
    let script = ScriptedEvents()
    let watcher = Watcher { script }
    let observation = try watcher.observe(
      storePath: folder.store(), noticesForeignWriters: false, onChange: calls.handler)
    #expect(script.watched.count == 1)
    script.send(FolderEvent(watch: -1, change: .overflowed))
    #expect(try await calls.grows(beyond: 0))
    #expect(script.watched.count == 2)
    script.send(FolderEvent(watch: 2, change: .watchEnded))
    #expect(try await calls.grows(beyond: 1))
    #expect(script.watched.count == 3)
    script.send(FolderEvent(watch: 3, change: .attributes, name: "Quakes.sqlite-notify"))
    #expect(try await calls.grows(beyond: 2))
    script.send(FolderEvent(watch: 3, change: .attributes, name: "Quakes.sqlite"))
    script.send(FolderEvent(watch: 3, change: .closedAfterWriting, name: "Quakes.sqlite-turn"))
    #expect(try await calls.settled() == 3)
    withExtendedLifetime(observation) {}
  }

  @Test func `the watcher polls after its event source fails`() async throws {
    let script = ScriptedEvents()
    let watcher = Watcher { script }
    let observation = try watcher.observe(storePath: folder.store(), onChange: calls.handler)
    script.breakDown()
    #expect(try await calls.grows(beyond: 0))
    #expect(observation.mode == .polling(reason: "the script says so"))
    let before = calls.count
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: before))
  }

  @Test(arguments: EventSource.allCases) func `a handler may add an observer`(_ source: EventSource) async throws {
    let inner = Mutex<FileSignalObservation?>(nil)
    let path = folder.store()
    let outer = try source.watcher.observe(storePath: path, noticesForeignWriters: false) { [calls] in
      inner.withLock { inner in
        if inner == nil { inner = try? source.watcher.observe(storePath: path, onChange: calls.handler) }
      }
    }
    try FileSignal(storePath: path).post()
    while inner.withLock({ $0 == nil }) { try await Task.sleep(for: .milliseconds(1)) }
    let before = try await calls.settled()
    try FileSignal(storePath: path).post()
    #expect(try await calls.grows(beyond: before))
    withExtendedLifetime(outer) {}
  }

  /// The watcher serves the whole process, so other tests may keep it awake. One quiet second is enough proof, because
  /// any timer would wake it within that time.
  @Test(.endsEventually, arguments: EventSource.allCases)
  func `an idle watcher does not wake`(_ source: EventSource) async throws {
    let observation = try source.watcher.observe(storePath: folder.store(), onChange: calls.handler)
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: 0))
    var wakeUps = Int.max
    for _ in 0..<400 where wakeUps > 0 {
      let (before, switchesBefore) = (source.watcher.wakeUps, try contextSwitches())
      try await Task.sleep(for: .seconds(1))
      wakeUps = max(source.watcher.wakeUps - before, try contextSwitches() - switchesBefore)
    }
    #expect(wakeUps == 0)
    withExtendedLifetime(observation) {}
  }

  /// The context switches of the watcher threads, as counted by the kernel.
  private func contextSwitches() throws -> Int {
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    let own = tasks.filter {
      (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "store-signal\n"
    }
    return own.compactMap { task -> Int? in
      let status = try? String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return line?.split(separator: "\t").last.flatMap { Int($0) }
    }.reduce(0, +)
  }

  /// Most of 2,000 signals within a fraction of a second arrive while the watcher pauses for three milliseconds. A later
  /// signal is still noticed.
  @Test func `many signals wake the watcher about once in three milliseconds`() async throws {
    let script = ScriptedEvents()
    let watcher = Watcher { script }
    let observation = try watcher.observe(
      storePath: folder.store(), noticesForeignWriters: false, onChange: calls.handler)
    let clock = ContinuousClock()
    let before = watcher.wakeUps
    let duration = clock.measure {
      for _ in 0..<2_000 {
        script.send(FolderEvent(watch: 1, change: .attributes, name: "Quakes.sqlite-notify"))
        usleep(100)
      }
    }
    // Each time it wakes at the end of the pause, and then for the signals.
    #expect(Double(watcher.wakeUps - before) < 2 * (duration / .milliseconds(3)) + 10)
    let countAfterSignals = try await calls.settled()
    script.send(FolderEvent(watch: 1, change: .attributes, name: "Quakes.sqlite-notify"))
    #expect(try await calls.grows(beyond: countAfterSignals))
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: EventSource.allCases) func `signals arrive within 100 milliseconds`(_ source: EventSource)
    async throws
  {
    let observation = try source.watcher.observe(
      storePath: folder.store(), noticesForeignWriters: false, onChange: calls.handler)
    try FileSignal(storePath: folder.store()).post()
    _ = try await calls.settled()
    var delays: [Double] = []
    for _ in 0..<500 {
      // Farther apart than the signals between which the watcher pauses.
      try await Task.sleep(for: .milliseconds(3))
      let before = calls.count
      let start = DispatchTime.now().uptimeNanoseconds
      try FileSignal(storePath: folder.store()).post()
      while calls.count == before { await Task.yield() }
      delays.append(Double(calls.lastTime - start) / 1000)
    }
    delays.sort()
    print("signal to handler, 500 times: median \(Int(delays[250])) µs, p99 \(Int(delays[495])) µs")
    #expect(delays[250] < 100_000)
    withExtendedLifetime(observation) {}
  }
}

/// An event source whose events a test scripts.
private final class ScriptedEvents: FolderEventSource, Sendable {
  private struct State {
    var events: [FolderEvent] = []
    var watched: [String] = []
    var isBroken = false
  }

  private let pipe = Pipe()
  private let state = Mutex(State())

  var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }
  var watched: [String] { state.withLock { $0.watched } }

  func send(_ event: FolderEvent) {
    state.withLock { $0.events.append(event) }
    pipe.fileHandleForWriting.write(Data([0]))
  }

  func breakDown() {
    state.withLock { $0.isBroken = true }
    pipe.fileHandleForWriting.write(Data([0]))
  }

  func watch(_ target: WatchTarget, folder: String, name: String, for changes: FolderChange) throws -> Int32 {
    state.withLock { state in
      state.watched.append("\(folder)/\(name)")
      return Int32(state.watched.count)
    }
  }

  func unwatch(_ watch: Int32) {}

  func next() throws -> FolderEvent? {
    try state.withLock { state in
      if state.isBroken { throw SignalError(.system(EIO), message: "the script says so") }
      guard !state.events.isEmpty else { return nil }
      // One byte per event: the pipe is readable while events are pending.
      _ = pipe.fileHandleForReading.readData(ofLength: 1)
      return state.events.removeFirst()
    }
  }
}
