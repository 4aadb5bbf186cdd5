import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Files, triggers, indexes and deferred work in a migration.
@Suite struct MigrationLeftoverTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func migrated(
    deferring: Bool = false, _ change: @escaping (NSEntityDescription, NSEntityDescription) -> Void
  ) throws -> QuakeStore {
    var options = SQLStoreOptions.test
    options.migration = SQLStoreOptions.Migration()
    options.migration?.defers = deferring
    let model = QuakeStore.model(change)
    return QuakeStore(try SQLStore(opening: folder.url(), model: model, number: 1, options: options), in: folder)
  }

  private func drop(_ name: String, of entity: NSEntityDescription) {
    entity.properties = entity.properties.filter { $0.name != name }
  }

  private func fill(_ work: (QuakeStore) throws -> Void = { _ in }) throws {
    let quakes = try QuakeStore(in: folder)
    let photo = SlotValue.data(Array(repeating: 1, count: 200_000))
    _ = try quakes.insert([quakes.row("Quake", ["name": .string("a"), "magnitude": .double(6), "photo": photo])])
    try work(quakes)
    quakes.store.close()
  }

  private func shell(_ quakes: QuakeStore, _ statements: String...) throws {
    let connection = try quakes.shell()
    for statement in statements { try connection.run(statement) }
  }

  private func names(_ quakes: QuakeStore, _ type: String) throws -> Set<String> {
    Set(
      try quakes.shell().rows("SELECT name FROM sqlite_master WHERE type = ?", bindings: [.text(type)]).compactMap {
        if case .text(let name) = $0[0] { name } else { nil }
      })
  }

  private func columns(_ quakes: QuakeStore) throws -> Set<String> {
    Set(
      try quakes.shell().rows("SELECT name FROM pragma_table_info('ZQUAKE')").compactMap {
        if case .text(let name) = $0[0] { name } else { nil }
      })
  }

  @Test func `a known version may share no entity with the next one`() throws {
    try fill()
    let model = makeModel(makeEntity("City", [attribute("name")]))
    var options = SQLStoreOptions.test
    options.migration = SQLStoreOptions.Migration()
    let error = #expect(throws: StoreError.self) {
      try SQLStore(opening: folder.url(), model: model, number: 1, options: options)
    }
    #expect(error?.code == .incompatibleModel && error?.message.contains("Quake, Region") == true)
    options.migration = SQLStoreOptions.Migration(findModel: { _ in QuakeStore.model() })
    let store = try SQLStore(opening: folder.url(), model: model, number: 1, options: options)
    #expect(try store.count(for: FetchQuery(layout: model.layouts[0])) == 0)
  }

  @Test func `a store is not migrated back to an older model`() throws {
    try fill()
    func add(_ quake: NSEntityDescription, _ region: NSEntityDescription) {
      quake.properties.append(attribute("alert"))
    }
    func open(_ model: NSManagedObjectModel, knowing known: NSManagedObjectModel? = nil) throws {
      var options = SQLStoreOptions.test
      options.migration = SQLStoreOptions.Migration(findModel: { _ in known })
      try SQLStore(opening: folder.url(), model: model, number: 1, options: options).close()
    }
    try open(QuakeStore.model(add))
    let error = #expect(throws: StoreError.self) { try open(QuakeStore.model()) }
    #expect(error?.code == .missingSourceModel && error?.message.contains("newer version of the program") == true)
    try open(QuakeStore.model(add))
    // A program that knows both versions can go back, and forwards again.
    try open(QuakeStore.model(), knowing: QuakeStore.model(add))
    try open(QuakeStore.model())
    try open(QuakeStore.model(add))
    #expect(throws: StoreError.self) { try open(QuakeStore.model()) }
  }

  @Test func `a store whose model is not found stays unchanged`() throws {
    try fill { quakes in try shell(quakes, "DELETE FROM Z_MODELCACHE") }
    let error = #expect(throws: StoreError.self) { try migrated { quake, _ in drop("magnitude", of: quake) } }
    #expect(error?.code == .missingSourceModel && error?.message.contains("Quake, Region") == true)
    #expect(try QuakeStore(in: folder).shell().rows("SELECT ZMAGNITUDE FROM ZQUAKE") == [[.real(6)]])
  }

  @Test func `other programs' triggers and indexes are kept if their columns exist`() throws {
    try fill { quakes in
      try shell(
        quakes, "CREATE TABLE log (name TEXT)",
        """
        CREATE TRIGGER note_name AFTER UPDATE ON ZQUAKE BEGIN INSERT INTO log VALUES (NEW.ZNAME); END
        """,
        """
        CREATE TRIGGER note_magnitude AFTER UPDATE ON ZQUAKE BEGIN INSERT INTO log VALUES (NEW.ZMAGNITUDE); END
        """,
        "CREATE TRIGGER ZNOTE_OF_APPLE AFTER DELETE ON ZQUAKE BEGIN INSERT INTO log VALUES (OLD.ZNAME); END",
        "CREATE INDEX by_name ON ZQUAKE (ZNAME)", "CREATE INDEX by_magnitude ON ZQUAKE (ZMAGNITUDE)")
    }
    let quakes = try migrated { quake, _ in drop("magnitude", of: quake) }
    #expect(try columns(quakes).isDisjoint(with: ["ZMAGNITUDE"]))
    #expect(try names(quakes, "trigger") == ["note_name", "ZNOTE_OF_APPLE"])
    let indexes = try names(quakes, "index")
    #expect(indexes.contains("by_name") && !indexes.contains("by_magnitude"))
    try shell(quakes, "UPDATE ZQUAKE SET ZNAME = 'b'")
    #expect(try quakes.shell().rows("SELECT name FROM log") == [[.text("b")]])
  }

  @Test func `triggers of a renamed table are dropped`() throws {
    try fill { quakes in
      try shell(
        quakes, "CREATE TABLE log (name TEXT)",
        "CREATE TRIGGER note_name AFTER UPDATE ON ZQUAKE BEGIN INSERT INTO log VALUES (NEW.ZNAME); END")
    }
    let quakes = try migrated { quake, _ in
      quake.name = "Tremor"
      quake.renamingIdentifier = "Quake"
    }
    #expect(try names(quakes, "trigger").isEmpty)
    #expect(try quakes.shell().rows("SELECT ZNAME FROM ZTREMOR") == [[.text("a")]])
  }

  @Test func `data files of a dropped column are deleted`() throws {
    try fill()
    let files = folder.url(".Test_SUPPORT").appendingPathComponent("_EXTERNAL_DATA").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 1)
    let quakes = try migrated { quake, _ in drop("photo", of: quake) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: files).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.url(".Test_SUPPORT/unfinished").path))
    #expect(try quakes.shell().rows("SELECT ZNAME FROM ZQUAKE") == [[.text("a")]])
  }

  @Test func `a failed migration keeps data files`() throws {
    try fill { quakes in
      _ = try quakes.insert([quakes.row("Quake", ["name": .string("a")])])
    }
    let files = folder.url(".Test_SUPPORT").appendingPathComponent("_EXTERNAL_DATA").path
    #expect(throws: StoreError.self) {
      try migrated { quake, _ in
        drop("photo", of: quake)
        quake.uniquenessConstraints = [["name"]]
      }
    }
    let quakes = try QuakeStore(in: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 1)
    #expect(try quakes.shell().integer("SELECT count(*) FROM ZQUAKE") == 2)
  }

  @Test func `a store that the program migrates itself is left unchanged`() throws {
    try fill()
    var options = SQLStoreOptions.test
    options.migration = SQLStoreOptions.Migration(isLeft: { $0.entitiesByName["Quake"] != nil })
    let model = QuakeStore.model { quake, _ in drop("magnitude", of: quake) }
    let error = #expect(throws: StoreError.self) {
      try SQLStore(opening: folder.url(), model: model, number: 1, options: options)
    }
    #expect(error?.code == .incompatibleModel)
    #expect(try columns(QuakeStore(in: folder)).contains("ZMAGNITUDE"))
  }

  // MARK: Deferred work

  private func withoutMagnitude(_ quake: NSEntityDescription, _ region: NSEntityDescription) {
    drop("magnitude", of: quake)
    drop("time", of: quake)
    let name = quake.propertiesByName["name"]!
    quake.indexes = [
      NSFetchIndexDescription(
        name: "byName", elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
    ]
  }

  @Test func `a deferred migration postpones columns and indexes`() throws {
    try fill()
    let quakes = try migrated(deferring: true, withoutMagnitude)
    #expect(try columns(quakes).isSuperset(of: ["ZMAGNITUDE", "ZTIME"]))
    #expect(try !names(quakes, "index").contains("Z_Quake_byName"))
    #expect(try quakes.store.metadata[StoreMetadata.deferredKey] != nil)
    _ = try quakes.insert([quakes.row("Quake", ["name": .string("b")])])
    try quakes.store.finishMigration(all: false)
    #expect(try columns(quakes).intersection(["ZMAGNITUDE", "ZTIME"]).count == 1)
    try quakes.store.finishMigration(all: true)
    #expect(try columns(quakes).isDisjoint(with: ["ZMAGNITUDE", "ZTIME"]))
    #expect(try names(quakes, "index").contains("Z_Quake_byName"))
    #expect(try quakes.store.metadata[StoreMetadata.deferredKey] == nil)
    _ = try quakes.insert([quakes.row("Quake", ["name": .string("c")])])
    #expect(try quakes.shell().integer("SELECT count(*) FROM ZQUAKE") == 3)
    try quakes.store.finishMigration(all: true)
  }

  @Test func `the next migration completes deferred work`() throws {
    try fill()
    try migrated(deferring: true, withoutMagnitude).store.close()
    // The first model again, except for the column that still exists under the same name.
    let quakes = try migrated { quake, _ in drop("time", of: quake) }
    #expect(try quakes.shell().rows("SELECT ZNAME, ZMAGNITUDE FROM ZQUAKE") == [[.text("a"), .null]])
    #expect(try !columns(quakes).contains("ZTIME"))
    #expect(try quakes.store.metadata[StoreMetadata.deferredKey] == nil)
  }
}
