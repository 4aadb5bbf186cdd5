import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

@Suite struct OpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ url: URL, model: NSManagedObjectModel = QuakeStore.model(), _ change: (inout SQLStoreOptions) -> Void = { _ in }
  ) throws -> SQLStore {
    var options = SQLStoreOptions.test
    change(&options)
    return try SQLStore(opening: url, model: model, number: 1, options: options)
  }

  @Test func `a new store has Apple's tables`() throws {
    let store = try QuakeStore(in: folder)
    let shell = try store.shell()
    let tables = try shell.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").map { $0[0] }
    #expect(
      tables
        == [
          "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "ZQUAKE", "ZREGION", "Z_METADATA", "Z_MODELCACHE",
          "Z_PRIMARYKEY",
        ].map { .text($0) })
    #expect(
      try shell.value("SELECT sql FROM sqlite_master WHERE name = 'ZQUAKE'")
        == .text(
          "CREATE TABLE ZQUAKE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZREGION INTEGER, "
            + "ZMAGNITUDE FLOAT, ZTIME TIMESTAMP, ZNAME VARCHAR, ZPHOTO BLOB )"))
    #expect(try shell.value("PRAGMA journal_mode") == .text("wal"))
    #expect(try shell.value("PRAGMA auto_vacuum") == .integer(2))
    #expect(try shell.value("PRAGMA page_size") == .integer(4_096))
    #expect(try shell.value("PRAGMA encoding") == .text("UTF-8"))
    #expect(try shell.value("SELECT Z_UUID FROM Z_METADATA") == .text(store.store.identifier))
  }

  /// The store's owner could not open such files.
  @Test(arguments: [true, false]) func `reading without write permission leaves no files next to the store`(
    isReadOnly: Bool
  ) throws {
    let folder = try TemporaryFolder(in: URL(fileURLWithPath: "/tmp"))
    let url = folder.url()
    try QuakeStore(in: folder).store.close()
    try #require(chmod(url.path, 0o644) == 0 && chmod(folder.path, 0o777) == 0)
    @Sendable func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).sorted()
    }
    let before = try names()
    let newest = asStranger {
      Result {
        var options = SQLStoreOptions.test
        options.isReadOnly = isReadOnly
        let store = try SQLStore(opening: url, model: QuakeStore.model(), number: 1, options: options)
        defer { store.close() }
        return (try store.newestTransaction(), try names())
      }
    }
    switch newest {
    case .success(let (_, during)): #expect(isReadOnly && during == before)
    case .failure(let error as StoreError): #expect(!isReadOnly && error.code == .permission, "\(error)")
    case let other: Issue.record("\(String(describing: other))")
    }
    #expect(try names() == before)
  }

  @Test func `a new store contains its model`() throws {
    let store = try QuakeStore(in: folder)
    guard case .blob(let cache) = try store.shell().value("SELECT Z_CONTENT FROM Z_MODELCACHE") else {
      Issue.record("The store does not contain a model.")
      return
    }
    let (model, warnings) = try NSManagedObjectModel.model(cache: Array(cache), file: store.store.url.path)
    #expect(warnings.isEmpty)
    #expect(model.entityVersionHashesByName == QuakeStore.model().entityVersionHashesByName)
  }

  @Test func `a reopened store has the saved rows`() throws {
    let first = try QuakeStore(in: folder)
    let id = try first.insert([first.row("Quake", ["name": .string("Tōhoku"), "time": .date(100)])]).inserted[0]
    let identifier = first.store.identifier
    first.store.close()
    #expect(!FileManager.default.fileExists(atPath: first.store.url.path + "-wal"), "Closing checkpoints the WAL.")
    let second = try QuakeStore(in: folder)
    #expect(second.store.identifier == identifier)
    #expect(try second.value(id, "name") == .string("Tōhoku"))
    #expect(try second.value(id, "time") == .date(100))
  }

  @Test func `concurrent openers create a store once`() throws {
    let folder = folder
    let stores = Collected<SQLStore>()
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      stores.add { try QuakeStore(in: folder, number: number + 1).store }
    }
    #expect(stores.errors.isEmpty, "\(stores.errors)")
    #expect(Set(stores.values.map(\.identifier)).count == 1)
    #expect(try stores.values.first.map { try $0.metadata.count } ?? 0 > 5)
  }

  @Test func `a different model is refused, and the error names the difference`() throws {
    try QuakeStore(in: folder).store.close()
    let other = QuakeStore.model { quake, _ in quake.properties.append(attribute("depth", .double)) }
    let error = #expect(throws: StoreError.self) { try open(folder.url(), model: other) }
    #expect(error?.code == .incompatibleModel)
    #expect(error?.message.contains("different: Quake") == true, "\(error?.message ?? "")")
    let extra = QuakeStore.model { _, region in region.name = "Area" }
    let second = #expect(throws: StoreError.self) { try open(folder.url(), model: extra) }
    #expect(second?.message.contains("only in the model: Area; only in the store: Region") == true)
  }

  @Test func `an entity stored under its old name keeps its rows`() throws {
    let store = try QuakeStore(in: folder)
    let region = try store.insert([store.row("Region", ["name": .string("Honshu")])]).inserted[0]
    let id = try store.insert([store.row("Quake", ["region": .reference(region)])]).inserted[0]
    store.store.close()
    // As Apple's framework leaves it: metadata and model have the new name, Z_PRIMARYKEY the old one.
    try store.shell().run("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Shock' WHERE Z_NAME = 'Quake'")
    let model = QuakeStore.model { quake, _ in quake.renamingIdentifier = "Shock" }
    let again = try open(folder.url(), model: model)
    #expect(try again.rows(with: [id]).count == 1)
    #expect(try again.related(to: region, relationship: 0) == [id])
    again.close()
    #expect(try store.shell().value("SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = 1") == .text("Shock"))
  }

  @Test func `history starts when it is first requested`() throws {
    let plain = try open(folder.url()) { $0.keepsHistory = false }
    #expect(!plain.keepsHistory)
    plain.close()
    let kept = try open(folder.url())
    #expect(kept.keepsHistory)
    kept.close()
    let again = try open(folder.url()) { $0.keepsHistory = false }
    #expect(!again.keepsHistory && !again.isReadOnly, "An empty history cannot miss a commit.")
  }

  @Test func `a store with transactions is read-only without history tracking`() throws {
    let kept = QuakeStore(try open(folder.url()), in: folder)
    try kept.insert([kept.row("Quake")])
    let plain = QuakeStore(try open(folder.url()) { $0.keepsHistory = false }, in: folder)
    #expect(plain.store.isReadOnly && plain.store.keepsHistory)
    #expect(try plain.count("Quake") == 1)
    let error = #expect(throws: StoreError.self) { try plain.insert([plain.row("Quake")]) }
    #expect(error?.code == .readOnly && error?.message.contains("NSPersistentHistoryTrackingKey") == true)
    #expect(try kept.store.purgeHistory(before: .max) == 1)
    #expect(try !open(folder.url()) { $0.keepsHistory = false }.isReadOnly)
  }

  @Test func `a read-only store reads others' saves and refuses to write`() throws {
    let writer = try QuakeStore(in: folder)
    try writer.insert([writer.row("Quake")])
    var options = SQLStoreOptions.test
    options.isReadOnly = true
    let reader = try QuakeStore(in: folder, options: options)
    #expect(try reader.count("Quake") == 1)
    try writer.insert([writer.row("Quake")])
    #expect(try reader.count("Quake") == 2, "The reader sees others' saves.")
    let error = #expect(throws: StoreError.self) { try reader.insert([reader.row("Quake")]) }
    #expect(error?.code == .readOnly)
  }

  @Test func `a missing read-only store is not created`() throws {
    let error = #expect(throws: StoreError.self) { try open(folder.url()) { $0.isReadOnly = true } }
    #expect(error?.code == .notOpen)
    #expect(error?.message.contains("the file does not exist") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.url().path))
  }

  @Test func `a damaged file is refused and not changed`() throws {
    let bytes = Data(repeating: 42, count: 10_000)
    try bytes.write(to: folder.url())
    let error = #expect(throws: StoreError.self) { try open(folder.url()) }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains(folder.url().path) == true)
    #expect(try Data(contentsOf: folder.url()) == bytes)
  }

  @Test func `another program's database is refused and not changed`() throws {
    let shell = try Connection(path: folder.url().path, mode: .create, busyTimeout: 1)
    try shell.run("CREATE TABLE notes (text)")
    let error = #expect(throws: StoreError.self) { try open(folder.url()) }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("without the tables of a store") == true)
    #expect(try shell.integer("SELECT count(*) FROM sqlite_master") == 1)
  }

  @Test func `a file instead of a folder is reported`() throws {
    try Data().write(to: folder.url("plain"))
    let error = #expect(throws: StoreError.self) { try open(folder.url("plain/Test.sqlite")) }
    #expect(error?.code == .notOpen)
    #expect(error?.message.contains("is a file, not a folder") == true)
  }

  @Test func `pragmas are set, and invalid ones are refused`() throws {
    let store = try open(folder.url()) { $0.pragmas = ["synchronous": "FULL", "cache_size": "-4000"] }
    store.close()
    let error = #expect(throws: StoreError.self) { try open(folder.url()) { $0.pragmas = ["x; DROP TABLE y": "1"] } }
    #expect(error?.code == .unsupported)
  }

  @Test func `a store with a rollback journal is changed to WAL`() throws {
    let store = try QuakeStore(in: folder)
    store.store.close()
    try store.shell().run("PRAGMA journal_mode = DELETE")
    _ = try open(folder.url())
    #expect(try store.shell().value("PRAGMA journal_mode") == .text("wal"))
  }

  @Test func `the journal mode changes after other connections close`() throws {
    let first = try open(folder.url())
    let error = #expect(throws: StoreError.self) {
      try open(folder.url()) { ($0.pragmas, $0.timeout) = (["journal_mode": "DELETE"], 0.1) }
    }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("another coordinator or connection of this process") == true)
    Thread.detachNewThread {
      usleep(100_000)
      first.close()
    }
    let second = try open(folder.url()) { ($0.pragmas, $0.timeout) = (["journal_mode": "DELETE"], .infinity) }
    second.close()
    let shell = try Connection(path: folder.url().path, mode: .readWrite, busyTimeout: 1)
    #expect(try shell.value("PRAGMA journal_mode") == .text("delete"))
  }

  @Test func `warns of a long wait to change the journal mode`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let test = try OpeningTests()
      let first = try test.open(test.folder.url())
      #expect(throws: StoreError.self) {
        try test.open(test.folder.url()) { ($0.pragmas, $0.timeout) = (["journal_mode": "DELETE"], 5) }
      }
      first.close()
    }
    #expect(result.errorText.contains("waiting up to 5.0 s to change the journal mode of the store"))
  }

  /// The fetch does not wait for a connection, and succeeds when no more files can be opened.
  @Test func `the first fetch opens no file`() throws {
    let quakes = try QuakeStore(in: folder)
    let opened = try openFiles()
    #expect(!opened.isEmpty)
    #expect(try quakes.count("Quake") == 0)
    #expect(try openFiles() == opened)
  }

  /// This process's open files in the test's folder.
  private func openFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix(folder.path) }.sorted()
  }

  @Test func `metadata can be read without a model`() throws {
    let quakes = try QuakeStore(in: folder)
    try quakes.store.setMetadata(["note": "seen", "NSStoreType": "XML"])
    let metadata = try SQLStore.metadata(at: folder.url())
    #expect(metadata["NSStoreUUID"] as? String == quakes.store.identifier)
    #expect(metadata["NSStoreType"] as? String == "SQLite")
    #expect(metadata["note"] as? String == "seen")
    #expect(throws: StoreError.self) { try SQLStore.metadata(at: folder.url("Missing.sqlite")) }
  }

  @Test func `a destroyed store can be recreated`() throws {
    let quakes = try QuakeStore(in: folder)
    try quakes.insert([quakes.row("Quake")])
    try SQLStore.destroy(at: folder.url())
    #expect(throws: StoreError.self) { try quakes.count("Quake") }
    let again = try QuakeStore(in: folder)
    #expect(again.store.identifier != quakes.store.identifier)
    #expect(try again.count("Quake") == 0)
    #expect(try again.shell().value("PRAGMA auto_vacuum") == .integer(2))
    #expect(try again.shell().value("PRAGMA journal_mode") == .text("wal"))
    try SQLStore.destroy(at: folder.url("Missing.sqlite"))
  }
}
