import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Damaged numbers in a store: every operation returns a result or an error, and never crashes.
@Suite struct DamagedNumberTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let odd = [
    "NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e300", "9e999", "'text'", "x'00'",
  ]

  /// The columns that the framework relies on.
  private static let columns = [
    "UPDATE ZQUAKE SET Z_OPT", "UPDATE ZQUAKE SET Z_ENT", "UPDATE OR IGNORE ZQUAKE SET Z_PK",
    "UPDATE ZQUAKE SET ZREGION",
    "UPDATE ZQUAKE SET ZMAGNITUDE", "UPDATE ZQUAKE SET ZTIME", "UPDATE ZQUAKE SET ZNAME", "UPDATE ZQUAKE SET ZPHOTO",
    "UPDATE Z_PRIMARYKEY SET Z_MAX", "UPDATE OR IGNORE Z_PRIMARYKEY SET Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_SUPER",
    "UPDATE OR IGNORE ATRANSACTION SET Z_PK", "UPDATE ATRANSACTION SET ZTIMESTAMP", "UPDATE ATRANSACTION SET ZAUTHORTS",
    "UPDATE OR IGNORE ACHANGE SET Z_PK", "UPDATE ACHANGE SET ZENTITY", "UPDATE ACHANGE SET ZENTITYPK",
    "UPDATE ACHANGE SET ZCHANGETYPE", "UPDATE ACHANGE SET ZTRANSACTIONID", "UPDATE ACHANGE SET ZCOLUMNS",
  ]

  /// Performs every kind of operation on a store; each failure must be a `StoreError`.
  /// - Returns: the number of operations that succeeded.
  private func runOperations(_ quakes: QuakeStore) -> Int {
    let store = quakes.store
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    var sorted = FetchQuery(layout: quakes.layout("Quake"), sort: [SortKey(["time"]), SortKey(["magnitude"])])
    sorted.limit = .max
    var succeeded = 0
    func attempt(_ operation: String, _ body: () throws -> Void) {
      do {
        try body()
        succeeded += 1
      } catch {
        #expect(error is StoreError || error is SQLiteFailure, "\(operation): \(error)")
      }
    }
    var found: [Row] = []
    attempt("rows") { found = try store.rows(for: plan).rows }
    attempt("rows again") { _ = try store.rows(for: plan).rows.map { row in row.layout.slots.indices.map { row[$0] } } }
    attempt("sorted") { _ = try store.rows(for: sorted) }
    attempt("ids") { _ = try store.ids(for: plan) }
    attempt("count") { _ = try store.count(for: sorted) }
    attempt("related") {
      _ = try store.related(to: store.ids(for: FetchQuery(layout: quakes.layout("Region")))[0], relationship: 0)
    }
    attempt("history") { _ = try store.history(HistoryQuery(after: 0)) }
    attempt("end of history") { _ = try store.history(HistoryQuery(after: .max)).lacksPart(after: .max) }
    attempt("first since") { _ = try store.firstTransaction(since: .infinity) }
    attempt("oldest") { _ = try store.oldestTransaction() }
    attempt("commits") {
      guard var count = try store.commitCount() else { return }
      _ = count.goOn(from: count)
    }
    attempt("insert") { try quakes.insert([quakes.row("Quake", ["magnitude": .double(1)])]) }
    if let row = found.first {
      attempt("update") {
        var batch = ChangeBatch()
        batch.updated = [quakes.update(row, "magnitude", .double(2))]
        _ = try store.commit(batch)
      }
      attempt("delete") {
        var batch = ChangeBatch()
        batch.deleted = [RowDeletion(id: row.id, version: row.version)]
        _ = try store.commit(batch)
      }
    }
    attempt("purge") { _ = try store.purgeHistory(before: .max) }
    attempt("facts") { _ = try StoreStatistics(of: store.url) }
    attempt("check") { _ = try IntegrityCheck(of: store.url) }
    return succeeded
  }

  private func filled(_ rows: Int) throws -> QuakeStore {
    var options = SQLStoreOptions.test
    options.keepsHistory = true
    let quakes = try QuakeStore(in: folder, UUID().uuidString, options: options)
    let region = try quakes.insert([quakes.row("Region", ["name": .string("Tonga")])]).inserted[0]
    try quakes.insert(
      (0..<rows).map { number in
        quakes.row(
          "Quake",
          ["magnitude": .double(Double(number)), "time": .date(0), "name": .string("a"), "region": .reference(region)])
      })
    return quakes
  }

  @Test(arguments: columns, [3, 700]) func `a damaged column causes at most an error`(column: String, rows: Int) throws
  {
    let number = Self.columns.firstIndex(of: column) ?? 0
    for value in Self.odd.sampled(every: 4, from: number) {
      let quakes = try filled(rows)
      let shell = try quakes.shell()
      // A value that the column's type rejects causes no damage.
      try? shell.run("\(column) = \(value)")
      #expect(runOperations(quakes) >= 3, "\(column) = \(value)")
      let url = quakes.store.url
      quakes.store.close()
      do {
        let again = try SQLStore(opening: url, model: QuakeStore.model(), number: 1, options: .test)
        #expect(runOperations(QuakeStore(again, in: folder)) >= 3, "\(column) = \(value)")
      } catch {
        #expect(error is StoreError, "\(column) = \(value): \(error)")
      }
    }
  }

  @Test func `an invalid key counter is refused`() throws {
    for (value, code) in [("-5", StoreError.Code.corrupt), ("9223372036854775807", .full), ("8796093022207", .full)] {
      let quakes = try filled(1)
      let url = quakes.store.url
      quakes.store.close()
      try Connection(path: url.path, mode: .readWrite, busyTimeout: 5).run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(value)")
      let again = QuakeStore(
        try SQLStore(opening: url, model: QuakeStore.model(), number: 1, options: .test), in: folder)
      let error = #expect(throws: StoreError.self) { try again.insert([again.row("Quake")]) }
      #expect(error?.code == code)
    }
  }

  @Test(arguments: [Int64.max, .max - 1_024, .min, -1]) func `ordered members can have any positions`(position: Int64)
    throws
  {
    let model = QuakeStore.model { _, region in region.relationshipsByName["quakes"]?.isOrdered = true }
    let store = try SQLStore(opening: folder.url("Ordered"), model: model, number: 1, options: .test)
    let quakes = QuakeStore(store, in: folder)
    let region = try quakes.insert([quakes.row("Region")]).inserted[0]
    let ids = try quakes.insert((0..<3).map { _ in quakes.row("Quake", ["region": .reference(region)]) }).inserted
    let column = try quakes.shell().rows("SELECT name FROM pragma_table_info('ZQUAKE') WHERE name LIKE 'Z_FOK%'")[0][0]
    guard case .text(let order) = column else {
      Issue.record("The column for the positions does not exist.")
      return
    }
    try quakes.shell().run("UPDATE ZQUAKE SET \(order) = \(position) WHERE Z_PK = \(ids[0].key)")
    let number = try #require(quakes.layout("Region").toMany(named: "quakes"))
    var batch = ChangeBatch()
    batch.links = [LinkChange(owner: region, relationship: number, removed: [], added: [ids[2], ids[1]])]
    _ = try store.commit(batch)
    #expect(try Set(store.related(to: region, relationship: number)) == Set(ids))
  }
}
