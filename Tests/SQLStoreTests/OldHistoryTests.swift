import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// A history as Apple's framework wrote it before 2019: the strings are in the transactions, and other columns are
/// missing.
@Suite struct OldHistoryTests {
  let folder: TemporaryFolder
  private static let old = [
    "DROP TABLE ACHANGE", "DROP TABLE ATRANSACTION", "DROP TABLE ATRANSACTIONSTRING",
    """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
    ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER )
    """,
    """
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, \
    ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR )
    """,
    "CREATE INDEX ACHANGE_OF_TRANSACTION ON ACHANGE (ZTRANSACTIONID)",
    "INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 500000000.5, 'old', 'org.example', NULL, 'example')",
    "INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 1, 1)",
    "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003",
  ]

  init() throws {
    folder = try TemporaryFolder()
    let quakes = try QuakeStore(in: folder)
    _ = try quakes.insert([quakes.row("Quake", ["name": .string("a"), "magnitude": .double(6)])])
    quakes.store.close()
    let shell = try Connection(path: folder.url().path, mode: .readWrite, busyTimeout: 5)
    for statement in Self.old { try shell.run(statement) }
    shell.close()
  }

  private func transactions(_ store: SQLStore) throws -> [HistoryTransaction] {
    try store.history(HistoryQuery(after: 0)).transactions
  }

  @Test func `an old history is read without changing it`() throws {
    var options = SQLStoreOptions.test
    options.isReadOnly = true
    let before = try Data(contentsOf: folder.url())
    let quakes = try QuakeStore(in: folder, options: options)
    let found = try transactions(quakes.store)
    #expect(found.count == 1 && found[0].author == "old" && found[0].bundleID == "org.example")
    #expect(found[0].contextName == nil && found[0].processID == "example" && found[0].timestamp == 500_000_000.5)
    #expect(found[0].changes.map(\.kind) == [.insert])
    #expect(try IntegrityCheck(of: folder.url()).flaws == [])
    #expect(try StoreStatistics(of: folder.url()).history?.authors == ["old"])
    #expect(try Data(contentsOf: folder.url()) == before)
  }

  @Test func `new transactions are added to an old history`() throws {
    let quakes = try QuakeStore(in: folder)
    _ = try quakes.insert([quakes.row("Quake", ["name": .string("b")])], author: "new")
    var batch = ChangeBatch()
    let first = RowID(store: 1, entity: quakes.layout("Quake").number, key: 1)
    batch.updated = [quakes.update(try #require(try quakes.stored(first)), "magnitude", .double(7))]
    _ = try quakes.store.commit(batch)
    batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: first, version: nil)]
    _ = try quakes.store.commit(batch)
    let found = try transactions(quakes.store)
    #expect(found.map(\.author) == ["old", "new", nil, nil])
    #expect(found.map(\.number) == [1, 2, 3, 4])
    #expect(found[2].changes.first?.updatedProperties == ["magnitude"])
    #expect(found[3].changes.first?.tombstone.values.first == .string("a"))
    quakes.store.close()
    #expect(try IntegrityCheck(of: folder.url()).flaws == [])
    #expect(try StoreStatistics(of: folder.url()).history?.authors == ["new", "old"])
    let again = try QuakeStore(in: folder)
    let version = try again.shell().value("PRAGMA schema_version")
    again.store.close()
    #expect(try QuakeStore(in: folder).shell().value("PRAGMA schema_version") == version, "The schema is complete.")
    #expect(try again.shell().value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16003") != .integer(0))
  }

  @Test func `an old history can be purged`() throws {
    let quakes = try QuakeStore(in: folder)
    _ = try quakes.insert([quakes.row("Quake", ["name": .string("b")])])
    #expect(try quakes.store.purgeHistory(before: 2) == 1)
    #expect(try transactions(quakes.store).map(\.number) == [2])
  }

  @Test func `a store with an old history can be migrated`() throws {
    var options = SQLStoreOptions.test
    options.migration = SQLStoreOptions.Migration()
    let model = QuakeStore.model { quake, _ in
      quake.properties = quake.properties.filter { $0.name != "name" } + [attribute("code")]
    }
    let quakes = QuakeStore(
      try SQLStore(opening: folder.url(), model: model, number: 1, options: options), in: folder)
    #expect(try transactions(quakes.store).map(\.author) == ["old"])
    _ = try quakes.insert([quakes.row("Quake", ["code": .string("b")])], author: "new")
    #expect(try transactions(quakes.store).map(\.author) == ["old", "new"])
  }

  /// A store created by a model without preserved values.
  @Test func `missing columns of preserved values are added`() throws {
    let quakes = try QuakeStore(in: folder, "Other.sqlite")
    try quakes.shell().run("ALTER TABLE ACHANGE DROP COLUMN ZTOMBSTONE0")
    quakes.store.close()
    let again = try QuakeStore(in: folder, "Other.sqlite")
    let id = try again.insert([again.row("Quake", ["name": .string("a")])]).inserted[0]
    var batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: id, version: nil)]
    _ = try again.store.commit(batch)
    #expect(try transactions(again.store).last?.changes.first?.tombstone.values.first == .string("a"))
  }

  /// The order in which Apple's framework assigns bits to several to-many relationships is unknown.
  @Test func `column bits of Apple's framework are distinguished from own ones`() throws {
    let quakes = try QuakeStore(in: folder, "Other.sqlite")
    let id = try quakes.insert([quakes.row("Quake", ["name": .string("a")])]).inserted[0]
    for name in ["b", "c"] {
      var batch = ChangeBatch()
      batch.updated = [quakes.update(try #require(try quakes.stored(id)), "name", .string(name))]
      _ = try quakes.store.commit(batch)
    }
    #expect(try quakes.shell().rows("SELECT Z_PK FROM ACHANGE WHERE Z_OPT IS NOT 1") == [])
    // To-one relationships, then attributes: region, magnitude, name, photo, time.
    try quakes.shell().run("UPDATE ACHANGE SET Z_OPT = NULL, ZCOLUMNS = x'20' WHERE ZCHANGETYPE = 1")
    #expect(try transactions(quakes.store).dropFirst().map(\.changes[0].updatedProperties) == [["name"], ["name"]])
    quakes.store.close()
    // Apple's framework does not rewrite the bits when it migrates a store: here the model had a sixth property.
    try quakes.shell().run("UPDATE ACHANGE SET ZCOLUMNS = x'04' WHERE ZTRANSACTIONID = 2")
    let again = try QuakeStore(in: folder, "Other.sqlite")
    #expect(try transactions(again.store).dropFirst().map(\.changes[0].updatedProperties) == [[], []])
    var batch = ChangeBatch()
    batch.updated = [again.update(try #require(try again.stored(id)), "name", .string("d"))]
    _ = try again.store.commit(batch)
    #expect(try transactions(again.store).last?.changes[0].updatedProperties == ["name"])
  }
}
