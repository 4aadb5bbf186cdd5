import Foundation
import StrataSharing
import Testing

/// Writers that send no signal and do not close their files (invariant 4).
@Suite struct ForeignWriterTests {
  private let folder: StoreFolder
  private let calls = Calls()
  private var log: String { folder.store() + "-wal" }

  init() throws { folder = try StoreFolder() }

  private func append(_ file: FileHandle) throws {
    try file.write(contentsOf: Data(repeating: 1, count: 4096))
  }

  private func openLog() throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    return try #require(FileHandle(forWritingAtPath: log))
  }

  @Test(arguments: EventSource.allCases)
  func `a write to the log makes three calls`(_ source: EventSource) async throws {
    let file = try openLog()
    let observation = try source.watcher.observe(storePath: folder.store(), onChange: calls.handler)
    try append(file)
    #expect(try await calls.grows(beyond: 2))
    try await Task.sleep(for: .milliseconds(300))
    #expect(calls.count == 3)
    try append(file)
    #expect(try await calls.grows(beyond: 5), "the watch was not renewed")
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: EventSource.allCases)
  func `a busy log makes at most one call in 20 milliseconds`(_ source: EventSource) async throws {
    let file = try openLog()
    let observation = try source.watcher.observe(storePath: folder.store(), onChange: calls.handler)
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .milliseconds(400) || calls.count < 2 { try append(file) }
    let (count, duration) = (calls.count, ContinuousClock.now - start)
    #expect(count <= Int(duration / .milliseconds(20)) + 5, "\(count) calls in \(duration)")
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: EventSource.allCases) func `a replaced log is watched again`(_ source: EventSource) async throws {
    var file = try openLog()
    let observation = try source.watcher.observe(storePath: folder.store(), onChange: calls.handler)
    for _ in 0..<3 {
      try FileManager.default.removeItem(atPath: log)
      try file.close()
      file = try openLog()
      // After the rechecks of the replacement, only the watch of the new log causes calls.
      try await Task.sleep(for: .milliseconds(1200))
      let before = try await calls.settled()
      try append(file)
      #expect(try await calls.grows(beyond: before), "the new log is not watched")
    }
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: EventSource.allCases) func `foreign writers are ignored on request`(_ source: EventSource)
    async throws
  {
    let file = try openLog()
    let observation = try source.watcher.observe(
      storePath: folder.store(), noticesForeignWriters: false, onChange: calls.handler)
    try append(file)
    #expect(try await calls.settled() == 0)
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: EventSource.allCases) func `each observer notices foreign writers until it is canceled`(
    _ source: EventSource
  ) async throws {
    let file = try openLog()
    let second = Calls()
    var first: FileSignalObservation? = try source.watcher.observe(storePath: folder.store(), onChange: calls.handler)
    let stays = try source.watcher.observe(storePath: folder.store(), onChange: second.handler)
    try append(file)
    #expect(try await calls.grows(beyond: 2))
    #expect(try await second.grows(beyond: 2))
    first?.cancel()
    first = nil
    let before = try await second.settled()
    try append(file)
    #expect(try await second.grows(beyond: before))
    #expect(calls.count == 3)
    withExtendedLifetime(stays) {}
  }
}
