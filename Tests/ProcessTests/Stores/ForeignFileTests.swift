import Foundation
import StrataCSQLite
import StrataTestSupport
import Testing

/// Folders, FIFOs and links instead of the files next to a store.
@Suite(.waitsForProcesses) struct ForeignFileTests {
  private let home: Home

  init() throws { home = try Home() }

  private func reader(_ count: Int) throws -> Program {
    let reader = try Program("strata-store-probe", ["read", home.url.path, "\(count)"], home: home.url)
    #expect(reader.wait { $0.contains("ready") }, "\(reader.errorText)")
    return reader
  }

  private func writer(_ count: Int) throws -> Program {
    // A writer that loses the index ends immediately, not minutes later after a backtrace.
    try Program(
      "strata-store-probe", ["write", home.url.path, "\(count)", "0"], home: home.url,
      variables: ["SWIFT_BACKTRACE": "enable=no"])
  }

  private func shell(_ line: String) throws {
    let status = try SpawnedProcess("/bin/sh", ["-c", "cd '\(home.url.path)' && \(line)"]).status()
    #expect(status == 0, "\(line)")
  }

  @Test(
    arguments: ["-notify", "-readers"],
    [("mkdir", "a folder"), ("mkfifo", "a FIFO"), ("ln -s /dev/null", "a symbolic link")])
  func `a replaced file is reported once and commits still arrive`(
    _ ending: String, replacement: (command: String, kind: String)
  ) throws {
    #expect(try writer(1).status() == 0)
    let reader = try reader(60)
    try shell("rm -f Probe.sqlite\(ending) && \(replacement.command) Probe.sqlite\(ending)")
    for _ in 0..<3 {
      let writer = try writer(20)
      #expect(writer.status() == 0, "\(writer.errorText)")
    }
    #expect(reader.status() == 0, "\(reader.errorText)")
    #expect(reader.lines.filter { $0.split(separator: " ").count == 3 }.count == 60)
    let warnings = reader.errorText.split(separator: "\n").filter { $0.contains("Probe.sqlite\(ending)'") }
    #expect(
      warnings.count == 1 && warnings.first?.contains("is \(replacement.kind), not a file") == true,
      "\(reader.errorText)")
  }

  /// Without the index, a new process reads the log again, and others continue with the old one.
  @Test func `deleting the index of the log does not lose acknowledged commits`() throws {
    #expect(try writer(1).status() == 0)
    var writers: [Program] = []
    for round in 0..<12 {
      while writers.filter({ $0.status(seconds: 0) == nil }).count < 3 { writers.append(try writer(100_000)) }
      let newest = try #require(writers.last)
      // In odd rounds, the newest writer may still be opening the store.
      if round.isMultiple(of: 2) { #expect(newest.wait { $0.count > 10 || newest.status(seconds: 0) != nil }) }
      usleep(UInt32(round) * 5_000)
      unlink(home.url.appendingPathComponent("Probe.sqlite-shm").path)
    }
    for writer in writers { writer.signal(SIGKILL) }
    for writer in writers { _ = writer.status() }
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let path = home.url.appendingPathComponent("Probe.sqlite").path
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    #expect(texts("PRAGMA integrity_check", handle) == ["ok"])
    let stored = Set(texts("SELECT ZWRITER || ' ' || ZNUMBER FROM ZEVENT", handle))
    for writer in writers {
      let saved = writer.lines.compactMap { line in
        line.split(separator: " ").first.map { "\(writer.identifier) \($0)" }
      }
      #expect(Set(saved).subtracting(stored).isEmpty, "\(writer.errorText)")
    }
  }

  private func texts(_ sql: String, _ handle: OpaquePointer?) -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}
