import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Damaged files of all forms, read from their pages and by SQLite: the same rows, or an error. `STRATA_TEST_SEED`
/// selects other cases.
@Suite struct DamagedPagesTests {
  /// Pragmas that are set before the first table, and change the form of the file.
  private static let forms = [
    "page_size = 512", "page_size = 1024", "page_size = 4096", "page_size = 65536", "auto_vacuum = FULL",
    "auto_vacuum = INCREMENTAL", "encoding = 'UTF-16le'", "encoding = 'UTF-16be'",
  ]
  private static let rounds = Thoroughness.repetitions(20, all: 60)

  private let folder: TemporaryFolder
  private let schema: StoreSchema
  private let layout: EntityLayout

  init() throws {
    folder = try TemporaryFolder()
    schema = try StoreSchema(model: RowFetcherTests.model(), dialect: .sqlite)
    layout = try #require(schema.model.layouts.first { $0.name == "Thing" })
  }

  private func sound(_ form: String) throws -> (bytes: Data, pageSize: Int) {
    let connection = try Connection(path: folder.file("sound"), mode: .create, busyTimeout: 1)
    defer { connection.close() }
    if !form.hasPrefix("page_size") { try connection.run("PRAGMA page_size = 512") }
    try connection.run("PRAGMA \(form)")
    for statement in SchemaWriter(schema: schema).tables { try connection.run(statement) }
    try connection.writing {
      for key in 1...120 {
        // Records on overflow pages, invalid text, text with a zero byte, and numbers of all widths.
        let text =
          key % 9 == 0 ? "printf('%.*c', \(key * 30), 'a')" : key % 5 == 0 ? "CAST(x'61FF00C3' AS TEXT)" : "'é'"
        try connection.run(
          """
          INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZBYTES, ZFLAG, ZLARGE, ZLINK, ZMOMENT, ZREAL, ZTEXT, ZTOKEN)
          VALUES (\(key * 3), 1, \(key), \(key).25, x'0102', \(key % 2), \(1 << (key % 63)), 'a:b', \(key * 1_000),
            \(key).5, \(text), x'8D3F4C1A0B5E4A529C550123456789AB')
          """)
      }
      // Leaves free pages and gaps.
      try connection.run("DELETE FROM ZTHING WHERE Z_PK % 11 = 0")
    }
    let pageSize = try connection.integer("PRAGMA page_size") ?? 0
    return (try Data(contentsOf: URL(fileURLWithPath: connection.path)), Int(pageSize))
  }

  /// Flips bits of a page, replaces a page by another one, or truncates the file.
  private func damage(_ bytes: inout Data, _ pageSize: Int, _ random: inout SeededRandom) {
    let pages = bytes.count / pageSize
    let page = Int.random(in: 0..<pages, using: &random) * pageSize
    switch Int.random(in: 0..<10, using: &random) {
    case 0: bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
    case 1:
      let other = Int.random(in: 0..<pages, using: &random) * pageSize
      bytes.replaceSubrange(page..<page + pageSize, with: bytes[other..<other + pageSize])
    case 2: bytes[Int.random(in: 16..<100, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    default:
      let span = [12, 64, pageSize].randomElement(using: &random) ?? 12
      for _ in 0..<(1 << Int.random(in: 0...4, using: &random)) {
        let offset = page + Int.random(in: 0..<span, using: &random)
        bytes[offset] =
          Bool.random(using: &random)
          ? [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
          : bytes[offset] ^ 1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
  }

  @Test(arguments: forms) func `damaged pages are read like SQLite reads them`(_ form: String) throws {
    var random = SeededRandom()
    let (sound, pageSize) = try sound(form)
    let path = folder.file("damaged")
    var taken = 0
    for _ in 0..<Self.rounds {
      var bytes = sound
      damage(&bytes, pageSize, &random)
      try bytes.write(to: URL(fileURLWithPath: path))
      guard let connection = try? Connection(path: path, mode: .immutable, busyTimeout: 1) else { continue }
      defer { connection.close() }
      guard let scanned = try? scan(connection) else { continue }
      taken += 1
      #expect(try scanned == read(connection))
    }
    // Text in UTF-16 is left to SQLite.
    #expect(form.hasPrefix("encoding") == (taken == 0))
  }

  /// Damage that a commit has written to the log, with correct checksums.
  @Test(arguments: forms) func `damaged pages of the log are read like SQLite reads them`(_ form: String) throws {
    var random = SeededRandom()
    var (sound, pageSize) = try sound(form)
    // The versions for writing and reading: 2 is WAL.
    sound.replaceSubrange(18..<20, with: [2, 2])
    let path = folder.file("undamaged")
    try sound.write(to: URL(fileURLWithPath: path))
    let undamaged = try Connection(path: path, mode: .readWrite, busyTimeout: 1)
    defer { undamaged.close() }
    let rows = try read(undamaged)
    var (taken, changed) = (0, 0)
    for round in 0..<Self.rounds {
      var bytes = sound
      damage(&bytes, pageSize, &random)
      let path = folder.file("logged \(round)")
      try sound.write(to: URL(fileURLWithPath: path))
      try log(from: sound, to: bytes, pageSize).write(to: URL(fileURLWithPath: path + "-wal"))
      guard let connection = try? Connection(path: path, mode: .readWrite, busyTimeout: 1) else { continue }
      defer { connection.close() }
      guard let scanned = try? scan(connection) else { continue }
      taken += 1
      if scanned != rows { changed += 1 }
      #expect(try scanned == read(connection))
    }
    #expect(form.hasPrefix("encoding") == (taken == 0))
    #expect(changed > 0 || taken == 0, "SQLite ignored the log.")
  }

  /// A write-ahead log with one commit of the pages that differ (https://sqlite.org/fileformat2.html#walformat).
  private func log(from old: Data, to new: Data, _ pageSize: Int) -> Data {
    var log = Data()
    var sums: (UInt32, UInt32) = (0, 0)
    func append(_ number: Int) { withUnsafeBytes(of: UInt32(number).bigEndian) { log.append(contentsOf: $0) } }
    func sum(_ bytes: Data) {
      let words = bytes.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: 4).map {
          UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
        }
      }
      for index in stride(from: 0, to: words.count, by: 2) {
        sums.0 = sums.0 &+ words[index] &+ sums.1
        sums.1 = sums.1 &+ words[index + 1] &+ sums.0
      }
    }
    func appendSums() {
      append(Int(sums.0))
      append(Int(sums.1))
    }
    // Magic number for big-endian checksums, version of the format, page size, checkpoint, salts.
    for number in [0x377F_0683, 3_007_000, pageSize, 0, 1, 2] { append(number) }
    sum(log)
    appendSums()
    let pages = new.count / pageSize
    let changed = (0..<pages).filter { page in
      let span = page * pageSize..<(page + 1) * pageSize
      return span.upperBound > old.count || new.subdata(in: span) != old.subdata(in: span)
    }
    for page in changed.isEmpty ? Array(0..<min(1, pages)) : changed {
      let start = log.count
      append(page + 1)
      append(page == changed.last || changed.isEmpty ? pages : 0)
      let content = new.subdata(in: page * pageSize..<(page + 1) * pageSize)
      sum(log.subdata(in: start..<start + 8))
      sum(content)
      append(1)
      append(2)
      appendSums()
      log += content
    }
    return log
  }

  /// The rows as SQLite returns them.
  private func read(_ connection: Connection) throws -> [String] {
    let (statement, shape) = try SelectWriter(schema: schema).rows(FetchQuery(layout: layout))
    let fetcher = RowFetcher(shape: shape, schema: schema, store: 1, path: connection.path)
    return texts(try fetcher.rows(of: connection.statement(statement.text)))
  }

  /// - Returns: nil if SQLite has to read the table.
  private func scan(_ connection: Connection) throws -> [String]? {
    let writer = SelectWriter(schema: schema)
    let shape = try writer.rows(FetchQuery(layout: layout)).shape
    let fetcher = RowFetcher(shape: shape, schema: schema, store: 1, path: connection.path)
    return try fetcher.rows(ofTable: "ZTHING", on: connection) {
      try connection.statement(writer.rows(of: layout, .one).text)
    }.map(texts)
  }

  private func texts(_ list: RowList) -> [String] {
    list.rows.map { row in "\(row.id) \(row.version) \(row.layout.slots.indices.map { "\(row[$0])" })" }.sorted()
  }
}
