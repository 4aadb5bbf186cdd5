import Foundation
import StrataManagedModel
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataRowStore
import StrataSQLText
import StrataStoreConformance
import StrataTestSupport
import Testing

/// One row, several and many rows are written in different ways, which must have the same result.
@Suite(.waitsForProcesses) struct WritingTests {
  /// Numbers of rows that are written by single statements, by arrays, and by COPY.
  static let counts = [1, 7, 150]

  private let server: PostgreSQLServer
  private let url: URL

  init() throws {
    server = try PostgreSQLServer.shared.get()
    url = server.freshURL()
  }

  private func open() throws -> PostgreSQLStore {
    var options = PostgreSQLStoreOptions()
    options.keepsHistory = true
    return try PostgreSQLStore(opening: url, model: StoreConformance.model, number: 1, options: options)
  }

  private func layout(_ name: String) throws -> EntityLayout {
    try #require(StoreConformance.model.entitiesByName[name]?.layout)
  }

  /// New rows with some values.
  private func rows(_ name: String, _ count: Int, _ values: (Int) -> [String: SlotValue]) throws -> [Row] {
    let layout = try layout(name)
    let page = RowPage(layout: layout, capacity: count)
    return try (0..<count).map { number in
      let row = Row(page: page, index: page.append(id: .temporary(entity: layout.number), version: 0))
      for (name, value) in values(number) { row.set(slot: try #require(layout.slot(named: name)), to: value) }
      return row
    }
  }

  private func batch(inserting rows: [Row]) -> ChangeBatch {
    var batch = ChangeBatch()
    batch.inserted = rows
    return batch
  }

  private static func values(_ number: Int) -> [String: SlotValue] {
    let decimals = ["0", "-0.5", "12345678.9", "99999999999999999999999999999999999999", "-120034.00056", "1e-20"]
    if number % 5 == 4 { return [:] }
    return [
      "small": .integer(Int64(number.isMultiple(of: 2) ? Int16.min : Int16.max)),
      "medium": .integer(Int64(Int32.min)),
      "large": .integer(.max - Int64(number)), "flag": .boolean(number.isMultiple(of: 2)), "real": .double(-0.0),
      "single": .double(1.5), "moment": .date(743_906_532.380_816_1),
      "amount": .decimal(Decimal(string: decimals[number % decimals.count]) ?? .nan),
      "text": .string(number.isMultiple(of: 3) ? "" : "Ærø 🌋 \(number)"), "link": .uri("https://example.org/\(number)"),
      "token": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number % 256)))),
      "bytes": .data(number.isMultiple(of: 2) ? [] : [0, 255, 92]), "shape": .data([UInt8(number % 256)]),
    ]
  }

  @Test(arguments: counts) func `rows with values of all types survive a round trip`(_ count: Int) throws {
    let store = try open()
    let written = try rows("Kinds", count, Self.values)
    let receipt = try store.commit(batch(inserting: written))
    #expect(receipt.transaction == 1 && Set(receipt.inserted).count == count)
    let found = try store.rows(with: receipt.inserted).rows
    #expect(found.map(\.id) == receipt.inserted && found.allSatisfy { $0.version == 1 })
    for (row, expected) in zip(found, written) {
      for (slot, property) in row.layout.slots.enumerated() where !property.isTransient {
        #expect(row[slot] == expected[slot], "\(property.name)")
      }
    }
    let history = try server.connect(url).run("SELECT zplace, zchangetype, zentitypk FROM achange ORDER BY zplace").rows
    #expect(history == receipt.inserted.enumerated().map { [.integer(Int64($0 + 1)), .integer(0), .integer($1.key)] })
  }

  @Test(arguments: counts) func `decimals have the scale of their digits`(_ count: Int) throws {
    let texts = ["0", "-0.5", "12345678.9", "100000000", "0.00012", "-99999999.00001"]
    let store = try open()
    _ = try store.commit(
      batch(inserting: rows("Kinds", count) { ["amount": .decimal(Decimal(string: texts[$0 % texts.count]) ?? .nan)] }))
    let found = try server.connect(url).run("SELECT zamount::text FROM zkinds ORDER BY z_pk").rows
    #expect(found == (0..<count).map { [.text(texts[$0 % texts.count])] })
  }

  @Test(arguments: counts) func `references to new rows refer to the inserted rows`(_ count: Int) throws {
    let store = try open()
    let regions = try rows("Region", count) { ["name": .string("\($0)")] }
    let quakes = try rows("Quake", count) { ["region": .reference(regions[$0].id), "magnitude": .double(.nan)] }
    let receipt = try store.commit(batch(inserting: quakes + regions))
    let slot = try #require(try layout("Quake").slot(named: "region"))
    let found = try store.rows(with: Array(receipt.inserted[..<count])).rows
    #expect(found.map { $0[slot] } == receipt.inserted[count...].map { .reference($0) })
    // As in every store.
    let magnitude = try #require(try layout("Quake").slot(named: "magnitude"))
    #expect(found.allSatisfy { $0[magnitude] == .null })
  }

  @Test(arguments: counts) func `a commit with a value that the server cannot store changes nothing`(_ count: Int)
    throws
  {
    let store = try open()
    for (name, value) in [("small", Int64(Int16.max) + 1), ("medium", Int64(Int32.min) - 1)] {
      let rows = try rows("Kinds", count) { [name: .integer($0 == count - 1 ? value : 0)] }
      let error = #expect(throws: StoreError.self) { try store.commit(batch(inserting: rows)) }
      #expect((error?.cause as? ServerFailure)?.state == "22003", "\(String(describing: error))")
    }
    let texts = try rows("Kinds", count) { ["text": .string($0 == count - 1 ? "a\0b" : "a")] }
    #expect(throws: StoreError.self) { try store.commit(batch(inserting: texts)) }
    #expect(try store.count(for: FetchQuery(layout: try layout("Kinds"))) == 0)
    // The connection can still be used.
    #expect(try store.commit(batch(inserting: rows("Kinds", 1) { _ in [:] })).transaction == 1)
  }

  @Test(arguments: counts) func `conflicting unique values are reported and change nothing`(_ count: Int) throws {
    let store = try open()
    _ = try store.commit(batch(inserting: rows("Account", 1) { _ in ["email": .string("1")] }))
    let rows = try rows("Account", count) { ["email": .string("\(count - $0)")] }
    let error = #expect(throws: StoreError.self) { try store.commit(batch(inserting: rows)) }
    #expect(error?.code == .constraint && error?.conflicts.count == 1)
    #expect(try store.count(for: FetchQuery(layout: try layout("Account"))) == 1)
  }

  /// COPY converts nothing, and refuses tables with policies.
  @Test(arguments: [
    "ALTER TABLE zkinds ALTER zmedium TYPE bigint", "ALTER TABLE zkinds ALTER ztext TYPE varchar(99)",
    "ALTER TABLE zkinds ENABLE ROW LEVEL SECURITY", "ALTER TABLE zkinds ADD extra integer DEFAULT 7",
  ])
  func `rows are written to tables that foreign SQL has changed`(_ change: String) throws {
    try open().close()
    try server.connect(url).run(SQLStatement(change))
    let store = try open()
    for count in Self.counts {
      let receipt = try store.commit(batch(inserting: rows("Kinds", count, Self.values)))
      #expect(try store.rows(with: receipt.inserted).rows.count == count)
    }
  }

  @Test func `a table may change while the store is open`() throws {
    let store = try open()
    let connection = try server.connect(url)
    for type in ["integer", "bigint", "numeric"] {
      try connection.run(SQLStatement("ALTER TABLE zkinds ALTER zmedium TYPE \(type)"))
      for count in Self.counts {
        let receipt = try store.commit(batch(inserting: rows("Kinds", count) { ["medium": .integer(Int64($0))] }))
        #expect(receipt.inserted.count == count)
      }
    }
    let found = try connection.run("SELECT count(*), sum(zmedium)::bigint FROM zkinds")
    let sums = Self.counts.map { $0 * ($0 - 1) / 2 }.reduce(0, +)
    #expect(found.integer(0, 0) == 3 * Self.counts.reduce(0, +) && found.integer(0, 1) == 3 * sums)
  }

  private func update(_ id: RowID, version: Int64, name: String) throws -> RowUpdate {
    let layout = try layout("Region")
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(page: page, index: page.append(id: id, version: version))
    let slot = try #require(layout.slot(named: "name"))
    row.set(slot: slot, to: .string(name))
    var slots = layout.noSlots
    slots[slot >> 6] |= 1 << UInt64(slot & 63)
    return RowUpdate(row: row, slots: slots)
  }

  @Test func `a conflict prevents the insertion of new rows`() throws {
    let (store, other) = (try open(), try open())
    let region = try #require(try store.commit(batch(inserting: rows("Region", 1) { _ in [:] })).inserted.first)
    var theirs = ChangeBatch()
    theirs.updated = [try update(region, version: 1, name: "theirs")]
    #expect(try other.commit(theirs).updatedVersions == [2])
    var mine = batch(inserting: try rows("Quake", 1) { _ in ["region": .reference(region)] })
    mine.updated = [try update(region, version: 1, name: "mine")]
    let error = #expect(throws: StoreError.self) { try store.commit(mine) }
    #expect(error?.code == .conflict && error?.conflicts.map(\.id) == [region])
    #expect(try store.count(for: FetchQuery(layout: try layout("Quake"))) == 0)
    mine.updated = [try update(region, version: 2, name: "mine")]
    let receipt = try store.commit(mine)
    #expect(receipt.transaction == 3 && receipt.updatedVersions == [3])
    let history = try server.connect(url).run(
      """
      SELECT zchangetype, zproperties FROM achange JOIN atransaction USING (zbatch) \
      WHERE atransaction.z_pk = 3 ORDER BY zplace
      """)
    #expect(history.rows == [[.integer(0), .null], [.integer(1), .text("name")]])
  }

  /// Each commit waits for the locked counter, and then reads its transaction number and the version of its row.
  @Test func `concurrent small commits are numbered without gaps`() async throws {
    let (writers, saves) = (6, 25)
    let regions = try open().commit(batch(inserting: rows("Region", writers) { _ in [:] })).inserted
    let numbers = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for region in regions {
        group.addTask {
          let store = try open()
          return try (1...saves).map { version in
            var batch = batch(inserting: try rows("Quake", 1) { _ in [:] })
            batch.updated = [try update(region, version: Int64(version), name: "\(version)")]
            return try #require(try store.commit(batch).transaction)
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(numbers.sorted() == Array(2...Int64(writers * saves + 1)))
    let connection = try server.connect(url)
    #expect(try connection.run("SELECT DISTINCT z_opt FROM zregion").rows == [[.integer(Int64(saves + 1))]])
    #expect(try connection.run("SELECT count(*) FROM zquake").integer(0, 0) == writers * saves)
    #expect(try connection.run("SELECT count(*) FROM achange").integer(0, 0) == writers * (2 * saves + 1))
    #expect(try connection.run("SELECT last FROM strata_counter").integer(0, 0) == writers * saves + 1)
  }
}
