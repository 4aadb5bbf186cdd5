import CoreData
import Foundation
import StrataCSQLite
import StrataTestSupport
import Testing

/// Interactions between processes, and failures of the files between them.
@Suite(.waitsForProcesses) struct ProcessCoordinationTests {
  private let home: Home

  init() throws { home = try Home() }

  private var store: String { home.url.appendingPathComponent("Probe.sqlite").path }

  private func reader(_ mode: String = "read", _ count: Int) throws -> Program {
    let reader = try Program("strata-store-probe", [mode, home.url.path, "\(count)"], home: home.url)
    #expect(reader.wait { $0.contains("ready") }, "\(reader.errorText)")
    return reader
  }

  private func writer(_ count: Int, every milliseconds: Int = 0) throws -> Program {
    try Program("strata-store-probe", ["write", home.url.path, "\(count)", "\(milliseconds)"], home: home.url)
  }

  private func numbers(_ reader: Program) -> [Int] {
    reader.lines.compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 3 ? Int(words[1]) : nil
    }
  }

  /// Invariants 3 and 4: if the event queue overflows, the signals of all commits are lost but no commit is.
  @Test func `an overflow of the event queue does not lose commits`() throws {
    let reader = try reader("read", 30)
    reader.signal(SIGSTOP)
    let files = ["one", "two"].map { home.url.appendingPathComponent($0).path }
    for file in files { #expect(FileManager.default.createFile(atPath: file, contents: nil)) }
    // Identical consecutive events are merged, so alternate files. The kernel's default limit is 16,384 events.
    let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let maximum = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
    for number in 0..<maximum + 100 { #expect(utimensat(AT_FDCWD, files[number % 2], nil, 0) == 0) }
    let writer = try writer(30)
    #expect(writer.status() == 0, "\(writer.errorText)")
    reader.signal(SIGCONT)
    #expect(reader.status() == 0)
    #expect(numbers(reader).sorted() == Array(0..<30))
  }

  /// A process whose descriptors are too high for libinotifytools polls the files instead.
  @Test func `without inotify, commits arrive later, which is reported once`() throws {
    let reader = try reader("crowd", 40)
    let writer = try writer(40, every: 20)
    #expect(writer.status() == 0, "\(writer.errorText)")
    #expect(reader.status() == 0, "\(reader.errorText)")
    #expect(numbers(reader).sorted() == Array(0..<40))
    let lines = reader.errorText.split(separator: "\n").filter { $0.contains("checked every 250 ms") }
    #if InotifyTools
    #expect(lines.count == 1 && lines[0].contains("1023"), "\(reader.errorText)")
    #else
    #expect(lines.isEmpty, "\(reader.errorText)")
    #endif
  }

  /// Operations for which the kernel has no descriptor fail with a clear error, and work again later, including
  /// watching.
  @Test func `without file descriptors, errors are clear and commits are not lost`() throws {
    let probe = try Program("strata-store-probe", ["starve", home.url.path, "3"], home: home.url)
    #expect(probe.wait { $0.contains("ready") }, "\(probe.lines) \(probe.errorText)")
    #expect(try writer(3).status() == 0)
    #expect(probe.status() == 0, "\(probe.errorText)")
    func line(_ operation: String) -> String { probe.lines.first { $0.hasPrefix("\(operation): ") } ?? "" }
    #expect(line("open").contains("Too many open files"), "\(probe.lines)")
    // Descriptors that are open already suffice to read and save.
    for operation in ["save", "second save", "third save", "read", "open again", "save again"] {
      #expect(line(operation) == "\(operation): done", "\(probe.lines)")
    }
    #expect(probe.lines.last == "merged", "\(probe.lines) \(probe.errorText)")
    #expect(probe.errorText.contains("tries again every second"), "\(probe.errorText)")
    #expect(probe.errorText.split(separator: "\n").filter { $0.contains("hear late") }.count == 1, "\(probe.errorText)")
  }

  /// Invariant 4: the sqlite3 shell writes neither history nor signals.
  @Test func `commits of a foreign writer are noticed`() throws {
    #expect(try writer(4).status() == 0)
    let reader = try reader("follow", 9)
    try commitForeign("UPDATE ZEVENT SET ZNUMBER = 7 WHERE ZNUMBER = 0; DELETE FROM ZEVENT WHERE ZNUMBER = 1")
    #expect(reader.wait { $0.contains("object move") && $0.contains("object delete") }, "\(reader.lines)")
    try commitForeign(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'Event';
      INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZWRITER) VALUES (5, 1, 1, 9, 9)
      """)
    #expect(reader.status() == 0, "\(reader.errorText)")
    let shown = reader.lines.compactMap { $0.hasPrefix("shown ") ? $0.split(separator: " ").last : nil }
    #expect(shown == ["9", "2", "3", "7"] || shown == ["2", "3", "7", "9"])
  }

  /// Commits like a program that does not use the framework.
  private func commitForeign(_ sql: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    try #require(sqlite3_open_v2(store, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    sqlite3_busy_timeout(handle, 60_000)
    sqlite3_wal_autocheckpoint(handle, 0)
    let code = sqlite3_exec(handle, "BEGIN IMMEDIATE; \(sql); COMMIT", nil, nil, nil)
    #expect(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }

  /// All acknowledged commits are in the current files. Commits to lost files are not acknowledged.
  @Test(arguments: [
    "mkdir away; mv Probe.sqlite Probe.sqlite-wal away", "rm Probe.sqlite", "cp Probe.sqlite new; mv new Probe.sqlite",
    "mv Probe.sqlite-wal log", "cp Probe.sqlite-wal new; mv new Probe.sqlite-wal", "rm Probe.sqlite-shm",
    "cp Probe.sqlite-shm new; mv new Probe.sqlite-shm",
  ])
  func `a store that is moved or replaced refuses further saves`(_ command: String) throws {
    let writer = try writer(100_000, every: 2)
    #expect(writer.wait { $0.count > 20 }, "\(writer.errorText)")
    // Stopped, so that the copy is consistent.
    writer.signal(SIGSTOP)
    try SpawnedProcess("/bin/sh", ["-c", "cd '\(home.url.path)' && \(command)"]).status()
    writer.signal(SIGCONT)
    let status = writer.status()
    #expect(status != 0 && status != nil)
    #expect(writer.errorText.contains("no longer the one that was opened"), "\(writer.errorText)")
    guard command.hasPrefix("mkdir") else { return }
    let away = home.url.appendingPathComponent("away").appendingPathComponent("Probe.sqlite").path
    var handle: OpaquePointer?
    var statement: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    try #require(sqlite3_open_v2(away, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    sqlite3_prepare_v2(handle, "SELECT count(*) FROM ZEVENT", -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    #expect(sqlite3_step(statement) == SQLITE_ROW)
    // The commit in flight when the files were moved may be present without having been acknowledged.
    #expect([writer.lines.count, writer.lines.count + 1].contains(Int(sqlite3_column_int64(statement, 0))))
  }

  @Test func `a forked child is refused and does not harm its parent`() throws {
    let probe = try Program("strata-store-probe", ["fork", home.url.path, "5"], home: home.url)
    #expect(probe.status() == 0, "\(probe.errorText)")
    for operation in ["read", "save", "open"] {
      let line = probe.lines.first { $0.hasPrefix("\(operation): ") } ?? ""
      #expect(line.contains("in the child of a fork") && line.contains("exec"), "\(operation): \(probe.lines)")
    }
    #expect(probe.lines.last == "parent continues: 6")
  }

  /// Invariants 2 and 4: an idle watch costs nothing, in any thread of the process.
  @Test func `an idle watch wakes no thread for ten seconds`() async throws {
    let reader = try reader("read", 1_000)
    #expect(try writer(10).status() == 0)
    #expect(reader.wait { _ in numbers(reader).count == 10 })
    // The rechecks after a commit last a second, and idle Dispatch threads exit after five.
    // On a busy machine both may take longer.
    var (before, after): ([String: Int]?, [String: Int]?) = (nil, [:])
    for _ in 0..<6 where after != before {
      try await Task.sleep(for: .seconds(10))
      before = try Program.switches(of: reader.identifier)
      try await Task.sleep(for: .seconds(10))
      after = try Program.switches(of: reader.identifier)
    }
    #expect(after == before)
  }

  /// Invariants 1, 3 and 6, with two to sixteen processes; `sh Tests/soak.sh` runs longer.
  @Test(arguments: [(2, 1), (3, 3), (16, 6)].sampled(every: 3, from: 1))
  func `killed processes do not lose commits`(processes: Int, writers: Int) async throws {
    try await onOwnThread {
      let soak = try Program(
        "strata-store-soak",
        [
          "--processes", "\(processes)", "--writers", "\(writers)", "--seconds", "4", "--kills", "\(processes)",
        ], home: home.url)
      #expect(soak.status(seconds: 600) == 0, "\(soak.lines.joined(separator: "\n"))\(soak.errorText)")
    }
  }
}
