import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Synchronization
import Testing

@Suite struct CommitTests {
  let folder: TemporaryFolder
  let quakes: QuakeStore

  init() throws {
    folder = try TemporaryFolder()
    quakes = try QuakeStore(in: folder)
  }

  @Test func `references to new rows become permanent`() throws {
    let regions = (0..<100).map { quakes.row("Region", ["name": .string("\($0)")]) }
    let rows = regions.map { quakes.row("Quake", ["region": .reference($0.id)]) }
    let ids = try quakes.insert(rows + regions).inserted
    for index in 0..<100 { #expect(try quakes.value(ids[index], "region") == .reference(ids[100 + index])) }
    #expect(try quakes.store.related(to: ids[150], relationship: 0) == [ids[50]])
  }

  @Test func `a reference to a new row outside the batch is refused`() throws {
    let stranger = RowID.temporary(entity: quakes.layout("Region").number)
    let error = #expect(throws: StoreError.self) {
      try quakes.insert([quakes.row("Quake"), quakes.row("Quake", ["region": .reference(stranger)])])
    }
    #expect(error?.code == .unsupported)
    #expect(try quakes.count("Quake") == 0)
  }

  @Test func `all conflicts are reported and nothing is written`() throws {
    let ids = try quakes.insert((0..<3).map { _ in quakes.row("Quake", ["name": .string("a")]) }).inserted
    let read = try ids.map { try #require(try quakes.stored($0)) }
    var batch = ChangeBatch()
    batch.updated = [quakes.update(read[0], "name", .string("b"))]
    batch.deleted = [RowDeletion(id: ids[1], version: 1)]
    #expect(try quakes.store.commit(batch).updatedVersions == [2])
    batch.updated = read.map { quakes.update($0, "name", .string("c")) }
    batch.deleted = []
    let error = #expect(throws: StoreError.self) { try quakes.store.commit(batch) }
    #expect(error?.code == .conflict)
    #expect(error?.conflicts.map(\.id) == [ids[0], ids[1]])
    #expect(error?.conflicts.map { $0.stored?.version } == [2, nil])
    #expect(try quakes.value(ids[2], "name") == .string("a"))
    #expect(try quakes.store.newestTransaction() == 2)
  }

  @Test func `unique values may move between rows`() throws {
    let ids = try quakes.insert(["a", "b", "c"].map { quakes.row("Region", ["name": .string($0)]) }).inserted
    let read = try ids.map { try #require(try quakes.stored($0)) }
    var batch = ChangeBatch()
    // Each row gets the value of the next row.
    batch.updated = zip(read, ["b", "c", "d"]).map { quakes.update($0, "name", .string($1)) }
    batch.inserted = [quakes.row("Region", ["name": .string("a")])]
    _ = try quakes.store.commit(batch)
    #expect(try ids.map { try quakes.value($0, "name") } == [.string("b"), .string("c"), .string("d")])
  }

  @Test func `a commit to a full store changes nothing`() throws {
    var options = SQLStoreOptions.test
    options.pragmas = ["max_page_count": "60"]
    let small = try QuakeStore(in: folder, "Small.sqlite", options: options)
    try small.insert([small.row("Quake")])
    let error = #expect(throws: StoreError.self) {
      try small.insert((0..<300).map { _ in small.row("Quake", ["photo": .data(Array(repeating: 1, count: 3_000))]) })
    }
    #expect(error?.code == .full)
    #expect(try small.count("Quake") == 1)
    #expect(try small.store.history(after: 0, limit: 0).count == 1)
    try small.insert([small.row("Quake")])
  }

  @Test func `the observer gets the transaction number before the commit is visible`() throws {
    let observer = Observer(quakes)
    quakes.store.observer = observer
    try quakes.insert([quakes.row("Region", ["name": .string("a")])])
    #expect(throws: StoreError.self) { try quakes.insert([quakes.row("Region", ["name": .string("a")])]) }
    try quakes.insert([quakes.row("Quake")])
    #expect(observer.announced.withLock { $0 } == [1, 2])
    #expect(observer.newest.withLock { $0 } == [0, 1], "The newest transaction that others saw.")
  }

  @Test func `keys are never reused`() throws {
    let first = try quakes.insert([quakes.row("Quake")]).inserted[0]
    let reserved = try #require(try quakes.store.reserveIDs(for: [quakes.layout("Quake"), quakes.layout("Region")]))
    #expect(reserved.map(\.key) == [2, 1])
    var batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: first, version: nil)]
    batch.inserted = [quakes.row("Quake"), quakes.row("Quake", id: reserved[0])]
    #expect(try quakes.store.commit(batch).inserted.map(\.key) == [3, 2])
    quakes.store.close()
    let again = try QuakeStore(in: folder)
    #expect(try again.insert([again.row("Quake")]).inserted[0].key == 4)
  }

  @Test func `the history keeps values of deleted rows`() throws {
    let id = try quakes.insert([quakes.row("Quake", ["name": .string("gone")])]).inserted[0]
    var batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: id, version: 1)]
    _ = try quakes.store.commit(batch)
    let tombstone = try quakes.shell().value("SELECT ZTOMBSTONE0 FROM ACHANGE WHERE ZCHANGETYPE = 2")
    #expect(tombstone == .text("gone"))
  }

  @Test func `external data is read from the row or its file`() throws {
    let bytes: [UInt8] = [9, 8, 7]
    let id = try quakes.insert([quakes.row("Quake", ["photo": .data(bytes)])]).inserted[0]
    let shell = try quakes.shell()
    #expect(try shell.value("SELECT ZPHOTO FROM ZQUAKE") == .blob([1] + bytes))
    #expect(try quakes.value(id, "photo") == .data(bytes))
    let name = UUID().uuidString
    let files = folder.url(".Test_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data([1, 2]).write(to: files.appendingPathComponent(name))
    try shell.run("UPDATE ZQUAKE SET ZPHOTO = ?", bindings: [.blob([2] + Array(name.utf8) + [0])])
    #expect(try quakes.value(id, "photo") == .data([1, 2]))
    try FileManager.default.removeItem(at: files)
    #expect(try quakes.value(id, "photo") == .some(.null))
  }
}

private final class Observer: TransactionObserver {
  let quakes: QuakeStore
  let announced = Mutex<[Int64]>([])
  let newest = Mutex<[Int64]>([])

  init(_ quakes: QuakeStore) { self.quakes = quakes }

  func willCommit(transaction: Int64) {
    announced.withLock { $0.append(transaction) }
    let seen = (try? quakes.store.newestTransaction()) ?? -1
    newest.withLock { $0.append(seen) }
  }

  func didNotCommit(transaction: Int64) { announced.withLock { $0.removeAll { $0 == transaction } } }
}

@Suite struct BigCommitTests {
  @Test func `a big save into an empty table keeps all indexes`() throws {
    let quakes = try QuakeStore(in: TemporaryFolder())
    let indexes = "SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name"
    let before = try quakes.shell().rows(indexes)
    let home = quakes.row("Region", ["name": .string("r")])
    var rows = (0..<6_000).map { _ in quakes.row("Quake", ["region": .reference(home.id)]) } + [home]
    // A failed save keeps the indexes too.
    #expect(throws: StoreError.self) { try quakes.insert(rows + [quakes.row("Region", ["name": .string("r")])]) }
    #expect(try quakes.shell().rows(indexes) == before)
    rows = try quakes.insert(rows).inserted.compactMap { try quakes.stored($0) }
    #expect(rows.count == 6_001)
    #expect(try quakes.shell().rows(indexes) == before)
    #expect(try quakes.shell().value("PRAGMA integrity_check") == .text("ok"))
    #expect(try quakes.store.related(to: rows[6_000].id, relationship: 0).count == 6_000)
  }
}
