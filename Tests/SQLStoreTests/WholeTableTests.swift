import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataTestSupport
import Testing

/// Tables that are large enough to be read directly from their pages.
@Suite struct WholeTableTests {
  private let quakes: QuakeStore
  private let all: FetchQuery
  /// The same rows by a statement that SQLite runs, because it sorts them.
  private let sorted: FetchQuery

  init() throws {
    quakes = try QuakeStore(in: TemporaryFolder())
    all = FetchQuery(layout: quakes.layout("Quake"))
    sorted = FetchQuery(layout: quakes.layout("Quake"), sort: [SortKey(["name"])])
  }

  private func insert(_ count: Int, from first: Int) throws {
    try quakes.insert((first..<first + count).map(row))
  }

  private func row(_ number: Int) -> Row {
    let name = "\(number) " + String(repeating: "é", count: number % 200)
    var values: [String: SlotValue] = ["name": .string(name), "time": .date(Double(number) * 1_000)]
    if number % 7 != 0 { values["magnitude"] = .double(Double(number % 90) / 10) }
    if number % 500 == 0 { values["photo"] = .data(Array(repeating: 7, count: 200_000)) }
    return quakes.row("Quake", values)
  }

  private func texts(_ plan: FetchQuery) throws -> [String] {
    try quakes.store.rows(for: plan).rows.map { row in
      "\(row.id.key) \(row.version) " + row.layout.slots.indices.map { "\(row[$0])" }.joined(separator: " ")
    }
  }

  @Test func `scanned tables equal what SQLite returns`() throws {
    let count = Thoroughness.repetitions(3_000, all: 6_000)
    try insert(count, from: 0)
    #expect(try texts(all).count == count)
    #expect(try Set(texts(all)) == Set(texts(sorted)))
    #expect(try quakes.store.rows(for: all).rows.map(\.id.key) == Array(1...Int64(count)))
    // The WAL contains rows that another connection changed.
    let shell = try quakes.shell()
    try shell.run("UPDATE ZQUAKE SET ZMAGNITUDE = 9.9, Z_OPT = Z_OPT + 1 WHERE Z_PK % 5 = 0")
    try shell.run("DELETE FROM ZQUAKE WHERE Z_PK % 3 = 0")
    let rows = try texts(all)
    #expect(rows.count == count / 3 * 2)
    #expect(Set(rows) == Set(try texts(sorted)))
  }

  @Test func `a snapshot of a whole table does not see later rows`() throws {
    try insert(3_000, from: 0)
    let snapshot = try #require(try quakes.store.pinned())
    let before = try snapshot.rows(for: all).rows.map(\.id)
    try insert(2_000, from: 3_000)
    #expect(try snapshot.rows(for: all).rows.map(\.id) == before && before.count == 3_000)
    #expect(try quakes.store.rows(for: all).rows.count == 5_000)
  }
}
