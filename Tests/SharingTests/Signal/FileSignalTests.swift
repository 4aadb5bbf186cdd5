import Foundation
import StrataSharing
import Testing

@Suite struct FileSignalTests {
  private let folder: StoreFolder
  private let calls = Calls()

  init() throws { folder = try StoreFolder() }

  /// An observer that ignores foreign writers, so that only the event under test calls it.
  private func observe(
    _ source: EventSource, _ name: String = "Quakes.sqlite", _ calls: Calls? = nil
  ) throws -> FileSignalObservation {
    try source.watcher.observe(
      storePath: folder.store(name), noticesForeignWriters: false, onChange: (calls ?? self.calls).handler)
  }

  @Test(arguments: EventSource.allCases) func `own signals are received`(_ source: EventSource) async throws {
    let observation = try observe(source)
    #expect(observation.mode == .watching)
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: 0))
    let before = try await calls.settled()
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: before))
  }

  @Test(arguments: EventSource.allCases) func `signals of other processes are received`(_ source: EventSource)
    async throws
  {
    try FileSignal(storePath: folder.store()).post()
    let observation = try observe(source)
    try shell("touch '\(folder.store())-notify'")
    #expect(try await calls.grows(beyond: 0))
    observation.cancel()
  }

  @Test(arguments: EventSource.allCases) func `stores of one folder are distinguished`(_ source: EventSource)
    async throws
  {
    let other = Calls()
    let observations = [try observe(source), try observe(source, "Other.sqlite", other)]
    try FileSignal(storePath: folder.store("Other.sqlite")).post()
    #expect(try await other.grows(beyond: 0))
    #expect(try await calls.settled() == 0)
    withExtendedLifetime(observations) {}
  }

  @Test(arguments: EventSource.allCases) func `every observer of a store is called`(_ source: EventSource) async throws
  {
    let second = Calls()
    let observations = [try observe(source), try observe(source, "Quakes.sqlite", second)]
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: 0))
    #expect(try await second.grows(beyond: 0))
    withExtendedLifetime(observations) {}
  }

  @Test func `the notify file has the permissions of the store`() throws {
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try FileSignal(storePath: folder.store("None.sqlite")).post()
    #expect(try mode(folder.store("None.sqlite-notify")) == 0o600)
    _ = FileManager.default.createFile(
      atPath: folder.store("Group.sqlite"), contents: nil, attributes: [.posixPermissions: 0o660])
    try FileSignal(storePath: folder.store("Group.sqlite")).post()
    #expect(try mode(folder.store("Group.sqlite-notify")) == 0o660)
  }

  @Test(
    arguments: [
      "rm -f N", "mv N N.away", "rm -f N; ln -s /dev/null N", "rm -f N; touch N.new; mv N.new N", "rm -f N; mkdir N",
    ], EventSource.allCases)
  func `signals arrive after the notify file is removed or replaced`(_ command: String, _ source: EventSource)
    async throws
  {
    try FileSignal(storePath: folder.store()).post()
    let observation = try observe(source)
    try shell(command.replacing("N", with: "'\(folder.store())-notify'"))
    let before = try await calls.settled()
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: before), "\(command)")
    observation.cancel()
  }

  /// Invariant 4: the death of a writer between COMMIT and signal is noticed, because the kernel closes its files.
  @Test(arguments: EventSource.allCases) func `the death of a writer is noticed`(_ source: EventSource) async throws {
    let observation = try observe(source)
    let writer = try startShell("exec sleep 86400 3>>'\(folder.store())-wal'")
    // Opening the store creates the WAL, which is an event too.
    #expect(try await calls.grows(beyond: 0))
    let before = try await calls.settled()
    writer.signal(SIGKILL)
    writer.status()
    #expect(try await calls.grows(beyond: before))
    observation.cancel()
  }

  @Test(arguments: EventSource.allCases) func `a deleted folder is watched again once it is recreated`(
    _ source: EventSource
  ) async throws {
    let observation = try observe(source)
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(try await calls.grows(beyond: 0))
    guard case .polling(let reason) = observation.mode else {
      Issue.record("the folder is deleted, but the mode is \(observation.mode)")
      return
    }
    #expect(reason.contains("No such file"))
    let gone = try await calls.settled()
    try folder.make()
    #expect(try await calls.grows(beyond: gone))
    #expect(observation.mode == .watching)
    let back = try await calls.settled()
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.grows(beyond: back))
  }

  @Test(arguments: EventSource.allCases) func `a folder that was moved away is no longer watched`(_ source: EventSource)
    async throws
  {
    let observation = try observe(source)
    let away = folder.path + ".away"
    defer { try? FileManager.default.removeItem(atPath: away) }
    try FileManager.default.moveItem(atPath: folder.path, toPath: away)
    #expect(try await calls.grows(beyond: 0))
    let moved = try await calls.settled()
    try FileSignal(storePath: away + "/Quakes.sqlite").post()
    #expect(try await calls.settled() == moved)
    try folder.make()
    #expect(try await calls.grows(beyond: moved))
    #expect(observation.mode == .watching)
  }

  /// The watcher's thread pauses between signals in close succession, and then sleeps without a timeout.
  @Test(arguments: EventSource.allCases) func `a request during the delay between signals is served`(
    _ source: EventSource
  ) throws {
    let observation = try observe(source)
    defer { observation.cancel() }
    for _ in 0..<300 {
      for _ in 0..<3 {
        try FileSignal(storePath: folder.store()).post()
        usleep(200)
      }
      let served = DispatchSemaphore(value: 0)
      let path = folder.store("Others.sqlite")
      Thread.detachNewThread {
        if let other = try? source.watcher.observe(storePath: path, onChange: {}) { other.cancel() }
        served.signal()
      }
      try #require(served.wait(timeout: .now() + 60) == .success)
    }
  }

  @Test(arguments: EventSource.allCases) func `a burst of signals makes few calls`(_ source: EventSource) async throws {
    let observation = try source.watcher.observe(storePath: folder.store(), noticesForeignWriters: false) { [calls] in
      calls.handler()
      usleep(20_000)
    }
    for _ in 0..<500 { try FileSignal(storePath: folder.store()).post() }
    #expect(try await calls.grows(beyond: 0))
    let count = try await calls.settled()
    #expect(count < 50, "500 signals made \(count) calls")
    observation.cancel()
  }

  @Test(arguments: EventSource.allCases) func `a canceled observation is not called`(_ source: EventSource) async throws
  {
    let observation = try observe(source)
    let other = Calls()
    let stays = try observe(source, "Quakes.sqlite", other)
    observation.cancel()
    observation.cancel()
    try FileSignal(storePath: folder.store()).post()
    #expect(try await other.grows(beyond: 0))
    #expect(calls.count == 0)
    stays.cancel()
  }

  @Test(arguments: EventSource.allCases) func `a released observation is not called`(_ source: EventSource) async throws
  {
    var observation: FileSignalObservation? = try observe(source)
    #expect(observation?.mode == .watching)
    observation = nil
    try FileSignal(storePath: folder.store()).post()
    #expect(try await calls.settled() == 0)
  }

  @Test func `a missing folder is reported with its path`() throws {
    let error = #expect(throws: SignalError.self) {
      try FileSignal(storePath: "\(folder.path)/none/Quakes.sqlite").observe({})
    }
    #expect(error?.kind == .system(ENOENT))
    #expect(error?.message.contains("\(folder.path)/none") == true)
    let refused = #expect(throws: SignalError.self) {
      try FileSignal(storePath: "\(folder.path)/none/Quakes.sqlite").post()
    }
    #expect(refused?.message.contains("create '\(folder.path)/none/Quakes.sqlite-notify'") == true)
  }

  @Test(arguments: EventSource.allCases) func `inotify descriptors are closed on exec`(_ source: EventSource) throws {
    _ = try observe(source)
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
      .filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == "anon_inode:inotify"
      }
    #expect(!descriptors.isEmpty)
    for descriptor in descriptors { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
  }
}
