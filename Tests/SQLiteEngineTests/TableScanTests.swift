import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Whole tables read directly from their pages, compared with the rows that SQLite returns.
@Suite struct TableScanTests {
  let folder: TemporaryFolder
  let schema: StoreSchema
  let layout: EntityLayout

  init() throws {
    folder = try TemporaryFolder()
    schema = try StoreSchema(model: RowFetcherTests.model(), dialect: .sqlite)
    layout = try #require(schema.model.layouts.first { $0.name == "Thing" })
  }

  private func open(_ name: String = "test.sqlite", pageSize: Int = 4096) throws -> Connection {
    let connection = try Connection(path: folder.file(name), mode: .create, busyTimeout: 1)
    try connection.run("PRAGMA page_size = \(pageSize)")
    try connection.run("PRAGMA journal_mode = WAL")
    return connection
  }

  private func table(_ pageSize: Int = 4096) throws -> Connection {
    let connection = try open(pageSize: pageSize)
    for statement in SchemaWriter(schema: schema).tables { try connection.run(statement) }
    return connection
  }

  /// The rows as SQLite returns them.
  private func read(_ connection: Connection) throws -> [[String]] {
    let (statement, shape) = try SelectWriter(schema: schema).rows(FetchQuery(layout: layout))
    let fetcher = RowFetcher(shape: shape, schema: schema, store: 1, path: connection.path)
    return texts(try fetcher.rows(of: connection.statement(statement.text)))
  }

  /// The rows as scanned from the pages; nil if SQLite has to read them.
  private func scan(_ connection: Connection) throws -> [[String]]? {
    let writer = SelectWriter(schema: schema)
    let shape = try writer.rows(FetchQuery(layout: layout)).shape
    let fetcher = RowFetcher(shape: shape, schema: schema, store: 1, path: connection.path)
    return try fetcher.rows(ofTable: "ZTHING", on: connection) {
      try connection.statement(writer.rows(of: layout, .one).text)
    }.map { texts($0) }
  }

  private func texts(_ list: RowList) -> [[String]] {
    list.rows.map { row in ["\(row.id) \(row.version)"] + row.layout.slots.indices.map { "\(row[$0])" } }.sorted {
      $0[0] < $1[0]
    }
  }

  private func insert(_ key: Int, _ values: [String: String], _ connection: Connection) throws {
    let names = values.keys.sorted()
    let version = Int.random(in: 1...300)
    try connection.run(
      """
      INSERT INTO ZTHING (\((["Z_PK", "Z_ENT", "Z_OPT"] + names).joined(separator: ", ")))
      VALUES (\((["\(key)", "\(Int.random(in: 1...2))", "\(version)"] + names.map { values[$0]! }).joined(separator: ", ")))
      """)
  }

  /// Values of all widths, including NULL, as SQL.
  private func someValues(maximumLength: Int) -> [String: String] {
    func blob(_ count: Int) -> String { "randomblob(\(count))" }
    func text() -> String {
      let count = Int.random(in: 0..<100) == 0 ? maximumLength : Int.random(in: 0...40)
      return "'" + String((0..<count).map { _ in "aé∀𝄞z".randomElement()! }) + "'"
    }
    let widths: [Int64] = [0, 1, -1, 127, -128, 30_000, -8_000_000, 2_000_000_000, 1 << 45, -1 << 47, .max, .min + 1]
    let reals = ["0.0", "-0.0", "5.0", "1.5e300", "-2.25", "9e18", "123456789.0"]
    let all = [
      "ZAMOUNT": ["-12.5", "7", "'0.1'", "1e40"].randomElement()!, "ZBYTES": blob(.random(in: 1...20)),
      "ZFLAG": "\(Int.random(in: 0...1))", "ZLARGE": "\(widths.randomElement()!)", "ZLINK": text(),
      "ZMOMENT": ["700000000", "700000000.5"].randomElement()!, "ZREAL": reals.randomElement()!, "ZTEXT": text(),
      "ZTOKEN": blob(16), "ZWHOLE": "\(Int.random(in: 1...100_000))", "Z1_WHOLE": "\(Int.random(in: 1...2))",
    ]
    return all.filter { _ in Int.random(in: 0...9) > 0 }
  }

  @Test(arguments: [512, 1_024, 4_096, 65_536].sampled(every: 3))
  func `scanned pages equal the rows that SQLite reads`(pageSize: Int) throws {
    let connection = try table(pageSize)
    try connection.writing {
      for key in 1...1_500 { try insert(key * 4 - .random(in: 0...3), someValues(maximumLength: 2_000), connection) }
    }
    #expect(try scan(connection) == read(connection))
    _ = try connection.checkpoint()
    // From here on the file is older than the WAL, and has pages with gaps.
    try connection.writing {
      try connection.run("DELETE FROM ZTHING WHERE Z_PK % 7 < 2")
      try connection.run("UPDATE ZTHING SET ZTEXT = NULL, ZREAL = 3 WHERE Z_PK % 11 = 0")
      for key in 10_000...10_400 { try insert(key, someValues(maximumLength: 9_000), connection) }
    }
    let rows = try read(connection)
    #expect(try scan(connection) == rows && rows.count > 1_000)
    try connection.run("PRAGMA mmap_size = 100000000")
    #expect(try scan(connection) == rows)
    #expect(try read(connection) == rows)
  }

  @Test func `an empty table has no rows`() throws { #expect(try scan(table()) == []) }

  @Test(arguments: [-1, 0, 3, Int.max, Int.min]) func `rows of an unknown entity are reported as damage`(entity: Int)
    throws
  {
    let connection = try table()
    try insert(1, ["ZTEXT": "'a'"], connection)
    try connection.run("UPDATE ZTHING SET Z_ENT = \(entity)")
    #expect(throws: StoreError.self) { try scan(connection) }
    #expect(throws: StoreError.self) { try read(connection) }
    let (select, _) = try SelectWriter(schema: schema).rows(FetchQuery(layout: layout))
    let ids = "SELECT Z_PK, Z_ENT FROM (\(select.text))"
    #expect(try connection.statement(ids).ids(schema: schema, store: 1) == nil)
  }

  @Test func `values of other types are converted like in SQLite`() throws {
    let connection = try table()
    for key in 1...40 { try insert(key, someValues(maximumLength: 10), connection) }
    for (column, value) in [
      ("ZLARGE", "'17 and more'"), ("ZLARGE", "2.5"), ("ZREAL", "'1.5 or so'"), ("ZTEXT", "x'414243'"),
      ("ZFLAG", "'1x'"), ("ZWHOLE", "7.75"), ("ZBYTES", "'text'"), ("ZAMOUNT", "'nothing'"), ("Z_OPT", "NULL"),
      ("ZTOKEN", "NULL"), ("ZLINK", "12"), ("Z1_WHOLE", "'2'"),
    ] {
      try connection.run("UPDATE ZTHING SET \(column) = \(value) WHERE Z_PK = \(Int.random(in: 1...40))")
    }
    #expect(try scan(connection) == read(connection))
  }

  /// SQLite never writes a NaN, but a file may contain one. See https://sqlite.org/floatingpoint.html
  @Test func `a stored NaN is read as nil`() throws {
    let path = folder.file("test.sqlite")
    do {
      let connection = try table()
      for key in 1...30 { try insert(key, ["ZREAL": "1.625", "ZAMOUNT": "1.625"], connection) }
      _ = try connection.checkpoint()
    }
    var file = try Data(contentsOf: URL(fileURLWithPath: path))
    func bytes(_ number: Double) -> Data { withUnsafeBytes(of: number.bitPattern.bigEndian) { Data($0) } }
    for _ in 1...5 {
      let range = try #require(file.range(of: bytes(1.625)))
      file.replaceSubrange(range, with: bytes(-.nan))
    }
    try file.write(to: URL(fileURLWithPath: path))
    let connection = try open()
    #expect(try connection.integer("SELECT count(*) FROM ZTHING WHERE ZREAL IS NULL OR ZAMOUNT IS NULL") ?? 0 > 0)
    #expect(try scan(connection) == read(connection))
  }

  @Test func `both ways of reading report a damaged row`() throws {
    let connection = try table()
    try connection.run("INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZTOKEN) VALUES (1, 1, 1, x'00')")
    for attempt in [{ _ = try read(connection) }, { _ = try scan(connection) }] {
      let error = #expect(throws: StoreError.self, performing: attempt)
      #expect(error?.message.contains("1 bytes for the UUID 'Thing.token'") == true)
    }
    try connection.run("UPDATE ZTHING SET ZTOKEN = NULL, Z_ENT = 9")
    for attempt in [{ _ = try read(connection) }, { _ = try scan(connection) }] {
      let error = #expect(throws: StoreError.self, performing: attempt)
      #expect(error?.message.contains("entity number 9") == true)
    }
  }

  @Test func `a column added later is nil in old records`() throws {
    let connection = try table()
    try connection.run("ALTER TABLE ZTHING DROP COLUMN ZTOKEN")
    for key in 1...30 { try insert(key, someValues(maximumLength: 10).filter { $0.key != "ZTOKEN" }, connection) }
    #expect(try scan(connection) == nil, "A column is missing.")
    try connection.run("ALTER TABLE ZTHING ADD COLUMN ZTOKEN BLOB")
    for key in 31...60 { try insert(key, someValues(maximumLength: 10), connection) }
    #expect(try scan(connection) == read(connection))
  }

  @Test(arguments: [
    ["ALTER TABLE ZTHING ADD COLUMN NEWER INTEGER DEFAULT 5"],
    ["ALTER TABLE ZTHING ADD COLUMN NEWER INTEGER AS (Z_PK + 1)"],
    ["CREATE TABLE T AS SELECT * FROM ZTHING", "DROP TABLE ZTHING", "ALTER TABLE T RENAME TO ZTHING"],
  ])
  func `tables with defaults, generated or unordered columns are read by SQLite`(_ changes: [String]) throws {
    let connection = try table()
    for key in 1...30 { try insert(key, someValues(maximumLength: 10), connection) }
    for change in changes { try connection.run(change) }
    #expect(try scan(connection) == nil)
    #expect(try read(connection).count == 30)
  }

  @Test func `a table of long rows is read by SQLite`() throws {
    let connection = try table()
    try connection.writing {
      for key in 1...300 { try insert(key, ["ZBYTES": "randomblob(\(key < 20 ? 10 : 5000))"], connection) }
    }
    #expect(try scan(connection) == nil)
    #expect(try read(connection).count == 300)
  }

  @Test func `a scan reads the rows of its transaction`() throws {
    let (reader, writer) = (try table(), try open())
    try writer.writing { for key in 1...500 { try insert(key, someValues(maximumLength: 50), writer) } }
    try reader.reading {
      let before = try read(reader)
      try writer.run("DELETE FROM ZTHING WHERE Z_PK < 400")
      _ = try writer.checkpoint()
      #expect(try scan(reader) == before && before.count == 500)
    }
    #expect(try scan(reader)?.count == 101)
  }

  /// A scan neither reads outside of a page nor returns a row that SQLite would not accept.
  @Test func `damaged pages are read like SQLite reads them`() throws {
    let connection = try table(512)
    for key in 1...60 { try insert(key, someValues(maximumLength: 600), connection) }
    let pages = try connection.rows("SELECT pageno FROM dbstat WHERE name = 'ZTHING'").compactMap { row in
      if case .integer(let number) = row[0] { Int(number) } else { nil }
    }
    try connection.run("PRAGMA journal_mode = DELETE")
    connection.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
    var taken = 0
    let rounds = Thoroughness.repetitions(150, all: 500)
    for _ in 0..<rounds {
      var damaged = whole
      let page = try #require(pages.randomElement())
      for _ in 0..<Int.random(in: 1...3) {
        let offset = Bool.random() ? Int.random(in: 0..<512) : Int.random(in: 0..<40)
        damaged[(page - 1) * 512 + offset] = [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255)].randomElement()!
      }
      try damaged.write(to: URL(fileURLWithPath: folder.file("damaged")))
      let reader = try Connection(path: folder.file("damaged"), mode: .readOnly, busyTimeout: 1)
      defer { reader.close() }
      guard let found = try? scan(reader) else { continue }
      taken += 1
      let rows = try read(reader)
      #expect(found.filter { !rows.contains($0) } == rows.filter { !found.contains($0) })
    }
    #expect(taken > rounds / 5, "Most bytes belong to values.")
  }
}
