import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataTestSupport
import Testing

@testable import StrataSQLText

/// The statements that migrate the tables from one model to another.
@Suite struct MigrationTextTests {
  /// The statements, each followed by its bound values.
  private func statements(_ old: [NSEntityDescription], _ new: [NSEntityDescription]) throws -> [String] {
    let (before, after) = (frozenModel(old), frozenModel(new))
    let source = try StoreSchema(model: before, dialect: .sqlite)
    let declarations = SchemaWriter(schema: source).tables.map {
      MigrationWriter.Declaration(
        type: "table", name: String($0.text.split(separator: " ")[2]), table: "", text: $0.text)
    }
    let writer = MigrationWriter(
      from: source, to: try StoreSchema(model: after, dialect: .sqlite),
      try ModelDifference(from: before.entities, to: after.entities), declarations: declarations)
    return try writer.statements().map { $0.bindings.isEmpty ? $0.text : "\($0.text) \($0.bindings)" }
  }

  @Test func `attributes are added, renamed and dropped in place`() throws {
    let size = attribute("size", .integer32)
    size.renamingIdentifier = "length"
    let rank = attribute("rank", .integer16)
    rank.isOptional = false
    rank.defaultValue = 7
    let found = try statements(
      [makeEntity("Quake", [attribute("gone"), attribute("length", .integer32)])],
      [makeEntity("Quake", [rank, size])])
    #expect(
      found == [
        "ALTER TABLE ZQUAKE ADD COLUMN ZRANK INTEGER",
        "ALTER TABLE ZQUAKE RENAME COLUMN ZLENGTH TO ZSIZE",
        "UPDATE ZQUAKE SET ZRANK = CASE Z_ENT WHEN 1 THEN ? ELSE ZRANK END [StrataSQLText.StoredValue.integer(7)]",
        "ALTER TABLE ZQUAKE DROP COLUMN ZGONE",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT WHERE Z_ENT < 16000",
        """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (1, ?, 0, IFNULL((SELECT Z_MAX FROM \
        Z_PRIMARYKEY WHERE Z_ENT = -1), 0)) [StrataSQLText.StoredValue.text("Quake")]
        """,
        "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 0",
        "CREATE TABLE Z_MIGRATION (Z_PK INTEGER PRIMARY KEY)",
        "DROP TABLE Z_MIGRATION",
      ])
  }

  /// Returns what a migration drops if each of the counted values exists twice.
  private func losses(_ before: NSManagedObjectModel, _ after: NSManagedObjectModel) throws -> [String] {
    let migration = RowMigration(
      from: try StoreSchema(model: before.frozen(), dialect: .sqlite),
      to: try StoreSchema(model: after.frozen(), dialect: .sqlite),
      try ModelDifference(from: before.entities, to: after.entities))
    return try migration.losses { _ in 2 }
  }

  @Test func `links are dropped with both ends of a relationship, not with one`() throws {
    func people(_ name: String, _ arity: Arity, _ inverse: String?) -> NSManagedObjectModel {
      makeModel(makeEntity("Person"), makeEntity("Team")).relate("Person", name, arity, "Team", inverse, .many)
    }
    #expect(try losses(people("old", .one, "members"), people("new", .one, "members")).isEmpty)
    let dropped = try losses(people("old", .one, "members"), people("new", .one, "others"))
    #expect(dropped == ["'old' of 2 'Person' objects"])
    #expect(try losses(people("old", .one, "members"), people("old", .one, "others")).isEmpty)
    #expect(try losses(people("old", .many, "members"), people("new", .many, "members")).isEmpty)
    for arity in [Arity.many, .ordered] {
      let found = try losses(people("old", arity, "members"), people("new", arity, "others"))
      #expect(found == ["'old' of 'Person' objects (2 links)"])
    }
    #expect(try losses(people("old", .many, nil), people("new", .many, nil)) == ["'old' of 'Person' objects (2 links)"])
  }

  @Test func `elements of composite attributes are dropped one by one`() throws {
    func people(_ element: NSAttributeDescription) -> NSManagedObjectModel {
      let address = NSCompositeAttributeDescription()
      (address.name, address.elements) = ("address", [attribute("city"), element])
      return makeModel(makeEntity("Person", [address]))
    }
    #expect(
      try losses(people(attribute("street")), people(attribute("road"))) == ["'address.street' of 2 'Person' objects"])
    #expect(try losses(people(attribute("street")), people(attribute("road", was: "street"))).isEmpty)
  }

  @Test func `a new entity changes the numbers of the entities after it`() throws {
    let found = try statements(
      [makeEntity("Quake", [attribute("name")])],
      [
        makeEntity("Alarm", [attribute("name")]),
        makeEntity("Quake", [attribute("name")]),
      ])
    #expect(
      Array(found.prefix(2)) == [
        "CREATE TABLE ZALARM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        "UPDATE ZQUAKE SET Z_ENT = CASE Z_ENT WHEN 1 THEN 2 ELSE Z_ENT END",
      ])
  }

  @Test func `a child entity that leaves its hierarchy keeps its rows`() throws {
    let child = makeEntity("Swarm", [attribute("count", .integer32)])
    let parent = makeEntity("Quake", [attribute("name")])
    parent.subentities = [child]
    let found = try statements(
      [parent, child],
      [
        makeEntity("Quake", [attribute("name")]),
        makeEntity("Swarm", [attribute("count", .integer32), attribute("name")]),
      ])
    #expect(
      Array(found.prefix(6)) == [
        "ALTER TABLE ZQUAKE RENAME TO OLD_ZQUAKE",
        "CREATE TABLE ZQUAKE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        """
        INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT Z_PK, 1, Z_OPT, ZNAME FROM OLD_ZQUAKE WHERE Z_ENT = 1
        """,
        """
        CREATE TABLE ZSWARM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER, ZNAME VARCHAR )
        """,
        """
        INSERT INTO ZSWARM (Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZNAME) SELECT Z_PK, 2, Z_OPT, ZCOUNT, ZNAME FROM OLD_ZQUAKE \
        WHERE Z_ENT = 2
        """,
        "DROP TABLE OLD_ZQUAKE",
      ])
  }

  @Test func `a to-one relationship becomes to-many`() throws {
    func model(_ arity: Arity) -> [NSEntityDescription] {
      makeModel(makeEntity("Quake"), makeEntity("Region"))
        .relate("Quake", "regions", arity, "Region", "quakes", .many).entities
    }
    let found = try statements(model(.one), model(.many))
    #expect(
      Array(found.prefix(3)) == [
        """
        CREATE TABLE Z_1REGIONS ( Z_1QUAKES INTEGER, Z_2REGIONS INTEGER, PRIMARY KEY (Z_1QUAKES, Z_2REGIONS) )
        """,
        """
        INSERT OR IGNORE INTO Z_1REGIONS (Z_1QUAKES, Z_2REGIONS) SELECT Z_PK, ZREGIONS FROM ZQUAKE WHERE Z_PK IS NOT \
        NULL AND ZREGIONS IS NOT NULL
        """,
        "ALTER TABLE ZQUAKE DROP COLUMN ZREGIONS",
      ])
  }
}
