import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// A file as written by Apple's framework over several years: migrated, with a join table named after the other side,
/// added columns, an entity with an old name, and a trigger that calls functions of the framework.
@Suite struct AppleFileTests {
  private static let declarations = """
    CREATE TABLE ZQUAKE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZREGION INTEGER, ZTIME TIMESTAMP, \
    ZNAME VARCHAR, ZPHOTO BLOB );
    ALTER TABLE ZQUAKE ADD COLUMN ZMAGNITUDE FLOAT;
    CREATE TABLE ZREGION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER, ZNAME VARCHAR );
    CREATE TABLE Z_7EVENTS ( Z_2PLACES INTEGER, Z_1EVENTS INTEGER, Z_FOK_2PLACES INTEGER, \
    PRIMARY KEY (Z_2PLACES, Z_1EVENTS) );
    ALTER TABLE Z_7EVENTS RENAME TO Z_2EVENTS;
    CREATE INDEX Z_7EVENTS_Z_1EVENTS_INDEX ON Z_2EVENTS (Z_1EVENTS, Z_2PLACES);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Shock', 0, 2), (2, 'Region', 0, 2);
    INSERT INTO Z_MODELCACHE VALUES (NULL);
    INSERT INTO ZREGION VALUES (1, 2, 1, 1, 'Honshu'), (2, 2, 1, 0, 'Chile');
    INSERT INTO ZQUAKE VALUES (1, 1, 3, 1, 700000000, 'first', NULL, 6.5), (2, 1, 1, NULL, 1.5, NULL, X'0102', NULL);
    INSERT INTO Z_2EVENTS VALUES (1, 1, 3072), (2, 1, 2048);
    CREATE TRIGGER ZT_ZREGION_ZCOUNT_ZQUAKE_INSERT_INCREMENT AFTER INSERT ON ZQUAKE FOR EACH ROW BEGIN \
    UPDATE ZREGION SET ZCOUNT = IFNULL(ZCOUNT, 0) + 1 WHERE Z_PK = NEW.ZREGION; \
    SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZREGION', Z_ENT, Z_PK, 'count', ZCOUNT) FROM ZREGION \
    WHERE Z_PK = NEW.ZREGION; END;
    """

  let folder: TemporaryFolder
  let quakes: QuakeStore

  init() throws {
    folder = try TemporaryFolder()
    let model = Self.model()
    let shell = try Connection(path: folder.url().path, mode: .create, busyTimeout: 5)
    for statement in Self.declarations.components(separatedBy: ";\n") { try shell.run(statement.trimmed) }
    let metadata = try StoreMetadata.bytes(
      of: StoreMetadata.dictionary(for: StoreSchema(model: model, dialect: .sqlite)))
    try shell.run(StoreMetadata.insert, bindings: [.text("DE6F2D85-ADCE-4F12-9ADE-1A9CB74EDD84"), .blob(metadata)])
    shell.close()
    quakes = QuakeStore(try SQLStore(opening: folder.url(), model: model, number: 1, options: .test), in: folder)
  }

  private static func model() -> NSManagedObjectModel {
    QuakeStore.model { quake, region in
      region.properties.append(attribute("count", .integer64))
      quake.renamingIdentifier = "Shock"
    }.relate("Quake", "places", .ordered, "Region", "events", .many)
  }

  private func id(_ entity: String, _ key: Int64) -> RowID {
    RowID(store: 1, entity: quakes.layout(entity).number, key: key)
  }

  private func places(of quake: RowID) throws -> [Int64] {
    let number = try #require(quakes.layout("Quake").toMany(named: "places"))
    return try quakes.store.related(to: quake, relationship: number).map(\.key)
  }

  @Test func `every value of Apple's file is read`() throws {
    #expect(quakes.store.identifier == "DE6F2D85-ADCE-4F12-9ADE-1A9CB74EDD84")
    let first = try #require(try quakes.stored(id("Quake", 1)))
    #expect(first.version == 3)
    #expect(try quakes.value(first.id, "name") == .string("first"))
    #expect(
      try quakes.value(first.id, "time") == .date(700_000_000), "SQLite stores whole seconds as an integer.")
    #expect(try quakes.value(first.id, "magnitude") == .double(6.5))
    #expect(try quakes.value(first.id, "region") == .reference(id("Region", 1)))
    #expect(try quakes.value(id("Quake", 2), "photo") == .data([2]))
    #expect(try quakes.value(id("Quake", 2), "magnitude") == .some(.null))
    #expect(try places(of: first.id) == [2, 1], "The order is by position, not by key.")
  }

  @Test func `rows are written in the layout of Apple's file`() throws {
    let before = try quakes.shell().rows("SELECT name, sql FROM sqlite_master")
    let new = quakes.row("Quake", ["name": .string("new"), "region": .reference(id("Region", 2))])
    var batch = ChangeBatch()
    batch.inserted = [new]
    batch.updated = [quakes.update(try #require(try quakes.stored(id("Quake", 1))), "magnitude", .double(7))]
    batch.links = [
      LinkChange(
        owner: new.id, relationship: try #require(quakes.layout("Quake").toMany(named: "places")),
        added: [id("Region", 2), id("Region", 1)])
    ]
    let inserted = try quakes.store.commit(batch).inserted[0]
    #expect(inserted.key == 3)
    #expect(try places(of: inserted) == [2, 1])
    let shell = try quakes.shell()
    #expect(
      try shell.rows("SELECT Z_2PLACES, Z_FOK_2PLACES FROM Z_2EVENTS WHERE Z_1EVENTS = 3 ORDER BY Z_FOK_2PLACES")
        == [[.integer(2), .integer(2_048)], [.integer(1), .integer(3_072)]])
    #expect(try shell.value("SELECT Z_OPT FROM ZQUAKE WHERE Z_PK = 1") == .integer(4))
    #expect(
      try shell.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT")
        == [[.text("Shock"), .integer(3)], [.text("Region"), .integer(2)]])
    #expect(try quakes.value(id("Region", 2), "count") == .integer(1), "The file's trigger ran.")
    batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: id("Quake", 1), version: nil)]
    _ = try quakes.store.commit(batch)
    #expect(try shell.value("SELECT count(*) FROM Z_2EVENTS") == .integer(2), "The row's links were deleted too.")
    #expect(try shell.rows("SELECT name, sql FROM sqlite_master") == before)
    #expect(try shell.value("PRAGMA integrity_check") == .text("ok"))
  }
}

extension String {
  /// Without the trailing semicolon.
  fileprivate var trimmed: String { hasSuffix(";") ? String(dropLast()) : self }
}
