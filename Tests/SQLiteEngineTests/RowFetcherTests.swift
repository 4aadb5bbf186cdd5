import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Reading rows into pages, from a table that the test fills.
@Suite struct RowFetcherTests {
  let connection: Connection
  let schema: StoreSchema
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    schema = try StoreSchema(model: Self.model(), dialect: .sqlite)
    connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    connection.definePacking()
    for statement in SchemaWriter(schema: schema).tables { try connection.run(statement) }
  }

  /// A table for two entities, with a column of each kind.
  static func model() -> NSManagedObjectModel {
    let kinds: [(String, NSAttributeDescription.AttributeType)] = [
      ("amount", .decimal), ("bytes", .binaryData), ("flag", .boolean), ("large", .integer64), ("link", .uri),
      ("moment", .date), ("real", .double), ("text", .string), ("token", .uuid),
    ]
    let things = kinds.map { attribute($0, $1) }
    return makeModel(makeEntity("Thing", things, subentities: [makeEntity("Part")]))
      .relate("Part", "whole", .one, "Thing")
  }

  private func layout(_ name: String) throws -> EntityLayout {
    try #require(schema.model.layouts.first { $0.name == name })
  }

  private func insert(_ entity: String, _ key: Int64, _ values: [String: SlotValue]) throws {
    let layout = try layout(entity)
    let page = RowPage(layout: layout, capacity: 1)
    let id = RowID(store: 1, entity: layout.number, key: key)
    let row = Row(page: page, index: page.append(id: id, version: 0))
    for (name, value) in values { row.set(slot: try #require(layout.slot(named: name)), to: value) }
    let statement = ChangeWriter(schema: schema).insert(layout)
    let binding = try RowBinding(statement, layout: layout, schema: schema, on: connection)
    try binding.bind(page, row: 0, id: id, version: 1) { _ in RowID.none }
    #expect(binding.statement.attempt() == nil)
  }

  private func fetch(_ plan: FetchQuery, expected: Int? = nil, packing: Bool = false) throws -> RowList {
    let (statement, shape) = try SelectWriter(schema: schema).rows(plan, packing: packing)
    let prepared = try connection.statement(statement.text)
    try prepared.bind(statement.bindings)
    return try RowFetcher(shape: shape, schema: schema, store: 1, path: connection.path).rows(
      of: prepared, expected: expected)
  }

  @Test func `every kind of value is read back`() throws {
    let big = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let token = UUID()
    let values: [String: SlotValue] = [
      "amount": .decimal(Decimal(string: "-1234.5") ?? 0), "bytes": .data(big), "flag": .boolean(true),
      "large": .integer(.min), "link": .uri("file:///a%20b"), "moment": .date(700_000_000), "real": .double(-0.0),
      "text": .string("žluťoučký kůň 🐎 a\0b"), "token": .uuid(token),
    ]
    try insert("Thing", 1, values)
    let row = try #require(try fetch(FetchQuery(layout: layout("Thing"))).rows.first)
    for (name, value) in values { #expect(row[try #require(row.layout.slot(named: name))] == value, "\(name)") }
    #expect(row.version == 1)
  }

  @Test func `nil and empty values differ`() throws {
    try insert("Thing", 1, [:])
    try insert("Thing", 2, ["text": .string(""), "bytes": .data([]), "link": .uri("")])
    let rows = try fetch(FetchQuery(layout: layout("Thing"))).rows
    for slot in rows[0].layout.slots.indices { #expect(rows[0][slot] == .null) }
    #expect(rows[1][try #require(rows[1].layout.slot(named: "text"))] == .string(""))
    #expect(rows[1][try #require(rows[1].layout.slot(named: "bytes"))] == .data([]))
  }

  @Test func `a date stored as an integer is read as a date`() throws {
    try insert("Thing", 1, ["moment": .date(5)])
    #expect(try connection.value("SELECT typeof(ZMOMENT) FROM ZTHING") != .text("text"))
    try connection.run("UPDATE ZTHING SET ZMOMENT = 7")
    let row = try #require(try fetch(FetchQuery(layout: layout("Thing"))).rows.first)
    #expect(row[try #require(row.layout.slot(named: "moment"))] == .date(7))
  }

  @Test func `references have the actual entity of their row`() throws {
    let (thing, part) = (try layout("Thing").number, try layout("Part").number)
    try insert("Thing", 1, [:])
    try insert("Part", 2, ["whole": .reference(RowID(store: 1, entity: thing, key: 1))])
    try insert("Part", 3, ["whole": .reference(RowID(store: 1, entity: part, key: 2))])
    let rows = try fetch(FetchQuery(layout: layout("Part"))).rows
    let slot = try #require(rows[0].layout.slot(named: "whole"))
    #expect(rows[0][slot] == .reference(RowID(store: 1, entity: thing, key: 1)))
    #expect(rows[1][slot] == .reference(RowID(store: 1, entity: part, key: 2)))
  }

  @Test func `pages are as large as the result`() throws {
    for key in 1...Int64(1_000) { try insert("Thing", key, ["text": .string("row \(key)")]) }
    let one = try fetch(FetchQuery(layout: layout("Thing"), limit: 1), expected: 1)
    #expect(one.pages.count == 1 && one.pages[0].size < 512)
    for packing in [false, true] {
      let all = try fetch(FetchQuery(layout: layout("Thing")), packing: packing)
      #expect(all.pages.count == 3)
      #expect(all.pages[0].size < 8_192 && all.pages[1].size == PageMemory.blockSize)
      #expect(all.pages[2].size < all.pages[2].count * 200, "the last page is shortened")
      #expect(all.order == nil)
      #expect(all.rows.map(\.id.key) == Array(1...1_000))
    }
  }

  @Test func `packed rows are in SQLite's sort order`() throws {
    for key in 1...Int64(500) {
      try insert("Thing", key, ["large": .integer(key * 7 % 500), "text": .string("\(key)")])
    }
    for ascending in [true, false] {
      let plan = try FetchQuery(layout: layout("Thing"), sort: [SortKey(["large"], ascending: ascending)])
      let (plain, packed) = (try fetch(plan), try fetch(plan, packing: true))
      #expect(packed.rows.map(\.id) == plain.rows.map(\.id))
      #expect(packed.rows.allSatisfy { row in row[slot("text", row)] == .string("\(row.id.key)") })
    }
  }

  @Test func `a row larger than a page has a separate page`() throws {
    let large = String(repeating: "x", count: 300_000)
    for key in 1...Int64(50) { try insert("Thing", key, ["text": .string(key == 40 ? large : "row \(key)")]) }
    for packing in [false, true] {
      let rows = try fetch(FetchQuery(layout: layout("Thing")), packing: packing).rows
      #expect(rows.map(\.id.key) == Array(1...50))
      for row in rows { #expect(row[slot("text", row)] == .string(row.id.key == 40 ? large : "row \(row.id.key)")) }
    }
  }

  @Test(arguments: [SQLiteDialect.packing, SQLiteDialect.packingAll])
  func `packing functions can only be called by the fetcher`(_ function: String) throws {
    let error = #expect(throws: StoreError.self) { try connection.value("SELECT \(function)(1, 1, 1)") }
    #expect(error?.message.contains("own statements") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [false, true]) func `nil and zero differ`(_ packing: Bool) throws {
    let zeros: [String: SlotValue] = [
      "flag": .boolean(false), "large": .integer(0), "moment": .date(0), "real": .double(-0.0),
      "amount": .decimal(0), "token": .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
    ]
    try insert("Thing", 1, [:])
    try insert("Thing", 2, zeros)
    try insert("Thing", 3, ["real": .double(0)])
    try insert("Part", 4, [:])
    let rows = try fetch(FetchQuery(layout: layout("Thing")), packing: packing).rows
    for row in [rows[0], rows[3]] { for slot in row.layout.slots.indices { #expect(row[slot] == .null) } }
    for (name, zero) in zeros { #expect(rows[1][slot(name, rows[1])] == zero, "\(name)") }
    // SQLite stores integral values of real columns as integers, which have only one zero.
    let real = slot("real", rows[1])
    #expect(rows[1].page.double(row: rows[1].index, slot: real).bitPattern == (0.0).bitPattern)
    #expect(rows[2][real] == .double(0))
    try connection.run("UPDATE ZTHING SET ZLARGE = 0.5, ZFLAG = 2 WHERE Z_PK = 2")
    let row = try fetch(FetchQuery(layout: layout("Thing")), packing: packing).rows[1]
    #expect(row[slot("large", row)] == .integer(0) && row[slot("flag", row)] == .boolean(true))
  }

  @Test(arguments: [false, true]) func `texts of every length are read back`(_ packing: Bool) throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    let plain = (0...100).map { length in
      String(decoding: (0..<length).map { letters[$0 % letters.count] }, as: UTF8.self)
    }
    let texts = plain + plain.map { "ž🐎\0" + $0 + "\0é" }
    for (key, text) in texts.enumerated() {
      try insert("Thing", Int64(key + 1), ["text": .string(text), "bytes": .data(Array(text.utf8.reversed()))])
    }
    let rows = try fetch(FetchQuery(layout: layout("Thing")), packing: packing).rows
    #expect(rows.map { $0[slot("text", $0)] } == texts.map(SlotValue.string))
    #expect(rows.map { $0[slot("bytes", $0)] } == texts.map { SlotValue.data(Array($0.utf8.reversed())) })
  }

  @Test func `an empty table packs to no rows`() throws {
    let list = try fetch(FetchQuery(layout: layout("Thing")), packing: true)
    #expect(list.count == 0 && list.rows.isEmpty)
  }

  @Test func `a row that cannot be packed throws its reason`() throws {
    for key in 1...Int64(600) { try insert("Thing", key, ["token": .uuid(UUID())]) }
    try connection.run("UPDATE ZTHING SET ZTOKEN = x'010203' WHERE Z_PK = 500")
    for packing in [false, true] {
      let error = #expect(throws: StoreError.self) { try fetch(FetchQuery(layout: layout("Thing")), packing: packing) }
      #expect(error?.code == .corrupt && error?.message.contains("3 bytes for the UUID 'Thing.token'") == true)
    }
    let rows = try fetch(FetchQuery(layout: layout("Thing"), limit: 400), packing: true)
    #expect(rows.count == 400, "The next fetch succeeds.")
  }

  @Test func `a scan that SQLite aborts throws its reason`() throws {
    for key in 1...Int64(600) { try insert("Thing", key, ["large": .integer(key == 500 ? .min : key)]) }
    let (statement, shape) = try SelectWriter(schema: schema).rows(FetchQuery(layout: layout("Thing")), packing: true)
    let prepared = try connection.statement(statement.text + " WHERE abs(t0.ZLARGE) > 0")
    let fetcher = RowFetcher(shape: shape, schema: schema, store: 1, path: connection.path)
    let error = #expect(throws: StoreError.self) { try fetcher.rows(of: prepared) }
    let failure = try #require(error?.cause as? SQLiteFailure)
    #expect(failure.message == "integer overflow")
  }

  @Test(arguments: [false, true]) func `a list detects whether its keys ascend`(_ packing: Bool) throws {
    for key in 1...Int64(500) { try insert("Thing", key, ["large": .integer(key * 7 % 500)]) }
    let layout = try layout("Thing")
    #expect(try fetch(FetchQuery(layout: layout), packing: packing).isInOrderOfKeys)
    let sorted = try fetch(FetchQuery(layout: layout, sort: [SortKey(["large"])]), packing: packing)
    #expect(!sorted.isInOrderOfKeys && sorted.inOrderOfKeys.rows.map(\.id.key) == Array(1...500))
  }

  private func slot(_ name: String, _ row: Row) -> Int { row.layout.slot(named: name) ?? -1 }

  @Test func `rows of several entities keep their order`() throws {
    for key in 1...Int64(600) { try insert(key % 3 == 0 ? "Part" : "Thing", key, ["large": .integer(key)]) }
    let list = try fetch(FetchQuery(layout: layout("Thing"), sort: [SortKey(["large"], ascending: false)]))
    let keys: [Int64] = (1...600).reversed()
    #expect(list.rows.map(\.id.key) == keys)
    for row in list.rows { #expect(row.layout.name == (row.id.key % 3 == 0 ? "Part" : "Thing")) }
    let parts = list.pages.filter { $0.layout.name == "Part" }
    #expect(parts.reduce(0) { $0 + $1.count } == 200)
  }

  @Test func `a row of an unknown entity is reported as damage`() throws {
    try connection.run("INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT) VALUES (1, 77, 1)")
    for packing in [false, true] {
      let error = #expect(throws: StoreError.self) { try fetch(FetchQuery(layout: layout("Thing")), packing: packing) }
      #expect(error?.code == .corrupt)
    }
  }
}
