import Foundation
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

@Suite struct ConnectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func connection(_ mode: Connection.Mode = .create, busyTimeout: Double = 5) throws -> Connection {
    try Connection(path: folder.file(), mode: mode, busyTimeout: busyTimeout)
  }

  @Test func `values survive a round trip`() throws {
    let connection = try connection()
    let values: [StoredValue] = [
      .null, .integer(.min), .integer(.max), .real(-0.5), .text(""), .text("čaj ☕️"), .text("a\0b"), .blob([]),
      .blob([0, 255]),
    ]
    for value in values { #expect(try connection.value("SELECT ?", bindings: [value]) == value) }
  }

  @Test func `texts of any length can be bound together`() throws {
    let connection = try connection()
    let texts = ["", "a", String(repeating: "b", count: 100), String(repeating: "č", count: 60), "d", "e\0f"]
    for order in [texts, texts.reversed(), texts.map { $0 + $0 }] {
      let values = order.map(StoredValue.text)
      #expect(try connection.rows("SELECT ?, ?, ?, ?, ?, ?", bindings: values) == [values])
      #expect(
        try connection.rows("SELECT ?1, ?2 UNION ALL SELECT ?2, ?1", bindings: [values[2], values[4]]) == [
          [values[2], values[4]], [values[4], values[2]],
        ])
    }
  }

  @Test func `rarely used functions are defined at their first call`() throws {
    let connection = try connection()
    var definitions = 0
    connection.definesLate = { connection in
      definitions += 1
      connection.define("TWICE", argumentCount: 1) { .value(.integer(2 * $0.integer(0))) }
    }
    #expect(try connection.integer("SELECT abs(-1)") == 1)
    #expect(throws: StoreError.self) { try connection.integer("SELECT missing") }
    #expect(definitions == 0)
    #expect(try connection.integer("SELECT TWICE(21)") == 42)
    #expect(throws: StoreError.self) { try connection.integer("SELECT THRICE(14)") }
    #expect(definitions == 1)
  }

  @Test func `a statement is prepared once`() throws {
    let connection = try connection()
    let first = try connection.statement("SELECT 1")
    #expect(try connection.statement("SELECT 1") === first)
    _ = try first.step()
    #expect(try connection.statement("SELECT 1") !== first, "The statement is between two rows.")
    first.reset()
    #expect(try connection.statement("SELECT 1") === first)
  }

  @Test func `the least recently used statement is evicted first`() throws {
    let connection = try connection()
    let kept = try connection.statement("SELECT 0")
    let lost = try connection.statement("SELECT -1")
    for number in 1...200 {
      _ = try connection.statement("SELECT \(number)")
      _ = try connection.statement("SELECT 0")
    }
    #expect(try connection.statement("SELECT 0") === kept)
    #expect(try connection.statement("SELECT -1") !== lost)
  }

  @Test func `a transaction that throws changes nothing`() throws {
    let connection = try connection()
    try connection.run("CREATE TABLE t (a UNIQUE)")
    #expect(throws: StoreError.self) {
      try connection.writing {
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.run("INSERT INTO t VALUES (1)")
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `a read transaction sees one snapshot`() throws {
    let writer = try connection()
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("CREATE TABLE t (a)")
    let reader = try connection(.readOnly)
    try reader.reading {
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
      try writer.run("INSERT INTO t VALUES (1)")
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    }
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `the data version changes with foreign commits`() throws {
    let connection = try connection()
    try connection.run("CREATE TABLE t (a)")
    let before = try connection.dataVersion()
    try connection.run("INSERT INTO t VALUES (1)")
    #expect(try connection.dataVersion() == before)
    try self.connection().run("INSERT INTO t VALUES (2)")
    #expect(try connection.dataVersion() != before)
  }

  @Test func `the WAL's pages are counted and checkpointed`() throws {
    let writer = try connection()
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("CREATE TABLE t (a)")
    for number in 0..<Int64(2_000) { try writer.run("INSERT INTO t VALUES (?)", bindings: [.integer(number)]) }
    #expect(writer.walPages > 1_000, "Nothing is checkpointed automatically.")
    let other = try connection(.readWrite)
    _ = try other.integer("SELECT count(*) FROM t")
    let result = try other.checkpoint()
    #expect(result.pages == writer.walPages && result.copied == result.pages)
  }

  @Test func `defined functions return values and fail`() throws {
    let connection = try connection()
    connection.define("SHOUT", argumentCount: 1) { arguments in
      guard let text = arguments.text(0) else { return .null }
      guard text != "no" else { throw StoreError(.unsupported, "not that") }
      return .text(text.uppercased())
    }
    #expect(try connection.value("SELECT SHOUT('né')") == .text("NÉ"))
    #expect(try connection.value("SELECT SHOUT('')") == .text(""))
    #expect(try connection.value("SELECT SHOUT(NULL)") == .null)
    let error = #expect(throws: StoreError.self) { try connection.value("SELECT SHOUT('no')") }
    #expect(error?.message.contains("not that") == true)
  }

  @Test func `functions of Apple's triggers are defined`() throws {
    let connection = try connection()
    connection.defineTriggerFunctions()
    try connection.run("SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', 1, 2, 'pagesCount', 3)")
  }
}
