import CoreData
import Foundation
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Damaged stores, which must cause errors and never crash the program.
@Suite struct DamagedStoreTests {
  private let store: DamagedStore
  private var url: URL { store.url }

  init() throws { store = try DamagedStore() }

  @Test func `damaged bytes cause errors`() throws {
    try store.fill()
    let bytes = [UInt8](try Data(contentsOf: url))
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    var failures = 0
    let numbers = (0..<60).sampled(every: 3)
    for number in numbers {
      var copy = bytes
      if number < 12 { copy = Array(bytes.prefix(bytes.count * number / 12)) }
      // Most copies keep the header intact, because otherwise SQLite would stop there.
      for _ in 0..<(number < 12 ? 0 : 1 << (number % 8)) { copy[100 + next(copy.count - 100)] = UInt8(next(256)) }
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
      try Data(copy).write(to: url)
      do { try store.useAll() } catch { failures += 1 }
      _ = try? IntegrityCheck(of: url)
      _ = try? StoreStatistics(of: url)
    }
    #expect(failures > numbers.count / 6)
  }

  /// Damages the pages of rows while the store is open, so that objects are registered but their rows cannot be read.
  @Test func `faults of damaged pages stay faults, and nothing is saved`() throws {
    try store.fill()
    let intact = [UInt8](try Data(contentsOf: url))
    try store.open(listens: false) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      request.includesPropertyValues = false
      let quakes = try context.fetch(request)
      #expect(quakes.count == 25)
      var damaged = intact
      // Damages all pages except the first, which identifies the file.
      for index in 4096..<damaged.count { damaged[index] = 0xFF }
      try overwrite(with: damaged)
      #expect(quakes.allSatisfy { $0.value(forKey: "code") == nil && $0.isFault && !$0.isDeleted })
      #expect(quakes.allSatisfy { ($0.value(forKey: "near") as? NSOrderedSet)?.count == 0 })
      quakes[0].setValue("overwritten", forKey: "code")
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.userInfo[NSSQLiteErrorDomain] != nil, "\(error)")
      context.refreshAllObjects()
      #expect(throws: CocoaError.self) { try context.save() }
      try overwrite(with: intact)
      context.refreshAllObjects()
      try context.save()
      #expect(quakes.allSatisfy { ($0.value(forKey: "code") as? String)?.hasPrefix("quake") == true })
      #expect(quakes.allSatisfy { ($0.value(forKey: "near") as? NSOrderedSet)?.count == 2 })
    }
  }

  /// Overwrites the file in place, because the store has it open or mapped.
  private func overwrite(with bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: url)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  private static let values = [
    "UPDATE Z_PRIMARYKEY SET Z_ENT = -5 WHERE Z_NAME = 'Quake'",
    "UPDATE Z_PRIMARYKEY SET Z_ENT = 15000 WHERE Z_ENT = 1",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL", "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807",
    "DELETE FROM Z_PRIMARYKEY",
    "UPDATE ZQUAKE SET ZREGION = -1", "UPDATE ZQUAKE SET ZREGION = 9223372036854775807",
    "UPDATE ZQUAKE SET ZREGION = 'x'",
    "UPDATE ZQUAKE SET Z_PK = Z_PK + 9000000000000000000", "UPDATE ZQUAKE SET Z_PK = -Z_PK",
    "UPDATE ZQUAKE SET Z_ENT = 99",
    "UPDATE ZQUAKE SET Z_ENT = NULL, Z_OPT = NULL", "UPDATE ZQUAKE SET Z_OPT = -9223372036854775808",
    "UPDATE ZQUAKE SET ZFELT = 9223372036854775807, ZDEPTH = 'deep', ZCODE = X'FF00FE', ZTIME = 1e308",
    "UPDATE ZQUAKE SET ZTIME = 9e999, ZDEPTH = -9e999, ZAMOUNT = 'many', ZLINK = ''",
    "UPDATE ZQUAKE SET ZMARK = X'01', ZPHOTO = X''",
    "UPDATE ZQUAKE SET ZPHOTO = X'02FF00', ZMARK = NULL", "UPDATE Z_1NEAR SET Z_FOK_2NEAR = -9223372036854775808",
    "UPDATE OR IGNORE Z_1NEAR SET Z_2NEAR = -7", "UPDATE OR IGNORE Z_1NEAR SET Z_1AROUND = NULL",
    "UPDATE ACHANGE SET ZENTITY = -3, ZENTITYPK = -9", "UPDATE ACHANGE SET ZCHANGETYPE = 77, ZTRANSACTIONID = NULL",
    "UPDATE ACHANGE SET ZENTITYPK = 9223372036854775807, ZCOLUMNS = X'FFFFFFFFFFFF'",
    "UPDATE ACHANGE SET ZENTITY = 'x'",
    "UPDATE ATRANSACTION SET Z_PK = Z_PK + 9223372036854775800, ZTIMESTAMP = 'never'",
    "UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999",
    "UPDATE ATRANSACTION SET ZAUTHORTS = 99, ZCONTEXTNAMETS = -1", "DROP TABLE ACHANGE", "DROP TABLE ZREGION",
    "DROP TABLE Z_1NEAR",
    "UPDATE Z_METADATA SET Z_PLIST = X'62706C6973743030'", "UPDATE Z_METADATA SET Z_PLIST = NULL",
    "UPDATE Z_METADATA SET Z_UUID = NULL",
    "UPDATE Z_METADATA SET Z_UUID = 7", "DELETE FROM Z_METADATA", "UPDATE Z_MODELCACHE SET Z_CONTENT = X'00'",
  ]

  @Test(arguments: values.sampled(every: 2))
  func `using a store with invalid values does not corrupt its file`(_ statement: String) throws {
    try store.fill()
    let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    try connection.run("\(statement)")
    connection.close()
    try? store.useAll()
    // SQLite's integrity check has the same result as before: nothing was made worse.
    let check = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    #expect(try check.rows("PRAGMA integrity_check") == [[.text("ok")]])
  }

  private static let columns = "Z_PK, Z_ENT, Z_OPT"

  /// Schemas of hostile files: other objects instead of tables, and objects such as triggers.
  private static let schemas = [
    ["PRAGMA application_id = 1196444487"], ["PRAGMA user_version = -1"],
    ["INSERT INTO Z_METADATA SELECT Z_VERSION + 1, 'other', NULL FROM Z_METADATA"],
    ["DROP TABLE Z_METADATA", "CREATE VIEW Z_METADATA AS SELECT 1 Z_VERSION, 'a' Z_UUID, x'00' Z_PLIST"],
    ["DROP TABLE Z_PRIMARYKEY"],
    [
      "CREATE TABLE P AS SELECT * FROM Z_PRIMARYKEY", "DROP TABLE Z_PRIMARYKEY", "ALTER TABLE P RENAME TO Z_PRIMARYKEY",
      "UPDATE Z_PRIMARYKEY SET Z_ENT = 1, Z_SUPER = 1, Z_MAX = 'many'",
    ],
    ["UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT"], ["UPDATE Z_PRIMARYKEY SET Z_MAX = -9223372036854775808"],
    ["UPDATE Z_PRIMARYKEY SET Z_ENT = 15999 WHERE Z_NAME = 'Quake'"],
    ["INSERT INTO Z_PRIMARYKEY SELECT 7, '\"; DROP TABLE ZQUAKE; --', 0, 0"],
    ["ALTER TABLE ZQUAKE RENAME COLUMN ZCODE TO ZOTHER"],
    ["ALTER TABLE ZQUAKE RENAME COLUMN ZCODE TO \"ZCODE\"\"; DROP TABLE ZREGION; --\""],
    ["ALTER TABLE ZREGION ADD COLUMN ZSUM INTEGER AS (Z_PK * 1e300) VIRTUAL"],
    ["ALTER TABLE ZREGION ADD COLUMN ZNEED INTEGER CHECK (ZNEED IS NOT NULL AND ZNEED < 0 OR Z_PK < 4)"],
    ["DROP TABLE ZREGION", "CREATE TABLE ZREGION (Z_PK TEXT PRIMARY KEY, Z_ENT, Z_OPT) WITHOUT ROWID"],
    ["DROP TABLE ZREGION", "CREATE VIRTUAL TABLE ZREGION USING fts5(Z_PK, Z_ENT, Z_OPT)"],
    ["ALTER TABLE ZREGION RENAME TO R", "CREATE VIEW ZREGION AS SELECT \(columns) FROM R"],
    [
      "ALTER TABLE ZREGION RENAME TO R",
      """
      CREATE VIEW ZREGION AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
        SELECT x Z_PK, 1 Z_ENT, 1 Z_OPT FROM n
      """,
    ],
    [
      "ALTER TABLE Z_PRIMARYKEY RENAME TO P",
      "CREATE VIEW Z_PRIMARYKEY AS \(endless) Z_ENT, 'Quake' Z_NAME, 0 Z_SUPER, 0 Z_MAX FROM n",
    ],
    ["ALTER TABLE ACHANGE RENAME TO C", "CREATE VIEW ACHANGE AS \(endless) Z_PK, 1 ZTRANSACTIONID FROM n"],
    ["CREATE TRIGGER T AFTER INSERT ON ZREGION BEGIN SELECT STRATA_FILE(x'02612E', 0); END"],
    ["CREATE TRIGGER T BEFORE INSERT ON ZREGION BEGIN SELECT RAISE(ABORT, 'no'); END"],
    ["CREATE TRIGGER T AFTER INSERT ON ACHANGE BEGIN DELETE FROM ATRANSACTION; END"],
    ["CREATE TRIGGER T AFTER INSERT ON ZREGION BEGIN SELECT load_extension('/tmp/x'); END"],
    ["CREATE UNIQUE INDEX I ON ZREGION (Z_ENT + 0 * Z_PK + Z_PK % 3)"], ["CREATE INDEX I ON ZQUAKE (abs(ZFELT))"],
    ["UPDATE ZQUAKE SET ZTIME = 8.64e15, ZDEPTH = 1e308"], ["UPDATE ZQUAKE SET ZTIME = -1e18"],
    ["UPDATE ZQUAKE SET ZTIME = 'yesterday', ZFELT = x'00FF'"], ["UPDATE ZQUAKE SET ZAMOUNT = 1e400"],
    ["UPDATE ZQUAKE SET ZAMOUNT = printf('%.*c', 100000, '9')"], ["UPDATE ZQUAKE SET ZMARK = zeroblob(17)"],
    ["UPDATE ZQUAKE SET ZCODE = CAST(x'00C3FF' AS TEXT), ZLINK = 'http://[' || char(0)"],
    ["UPDATE ATRANSACTION SET ZTIMESTAMP = 8.64e15, ZBUNDLEIDTS = 1e99"],
  ]

  @Test(arguments: schemas.sampled(every: 2))
  func `using a store with a foreign schema keeps its tables`(_ statements: [String]) throws {
    try store.fill()
    let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    for statement in statements { try connection.run(statement) }
    let tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('ZQUAKE', 'ZREGION')"
    let before = try connection.rows(tables)
    connection.close()
    try? store.useAll()
    _ = try? IntegrityCheck(of: url)
    _ = try? StoreStatistics(of: url)
    if let model = try? StoreInspector.keptModel(at: url)?.model { _ = try? StoreTables(of: url, model: model) }
    _ = try? StoreRepair(of: url)
    let check = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    #expect(try check.rows(tables) == before)
  }

  private static let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x"

  /// A migration reads tables before the store is opened.
  @Test(arguments: [
    ["ALTER TABLE ZREGION RENAME TO R", "CREATE VIEW ZREGION AS \(endless) Z_PK, 2 Z_ENT, 1 Z_OPT FROM n"],
    [
      "ALTER TABLE Z_1NEAR RENAME TO N",
      "CREATE VIEW Z_1NEAR AS \(endless) Z_1AROUND, x Z_2NEAR, x Z_FOK_2NEAR FROM n",
    ],
    [
      "ALTER TABLE Z_PRIMARYKEY RENAME TO P",
      "CREATE VIEW Z_PRIMARYKEY AS \(endless) Z_ENT, 'Quake' Z_NAME, 0 Z_SUPER, 0 Z_MAX FROM n",
    ],
    ["DROP TABLE Z_MODELCACHE", "CREATE VIEW Z_MODELCACHE AS \(endless) Z_CONTENT FROM n WHERE x < 0"],
  ])
  func `a migration rejects a view instead of a table`(_ statements: [String]) throws {
    try store.fill()
    let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    for statement in statements { try connection.run(statement) }
    connection.close()
    let model = DamagedStore.model()
    let name = NSAttributeDescription()
    (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
    try #require(model.entitiesByName["Region"]).properties.append(name)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let error = #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [
          NSPersistentHistoryTrackingKey: true, NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ])
    }
    #expect(error?.localizedDescription.contains("is a view or a virtual table in it, not a table") == true)
  }
}
