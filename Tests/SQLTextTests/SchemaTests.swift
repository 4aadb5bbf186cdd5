import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText
import StrataTestSupport
import Testing

@Suite struct SchemaTests {
  private func texts(_ model: NSManagedObjectModel) throws -> [String] {
    let writer = SchemaWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    return (writer.tables + (try writer.indexes())).map(\.text)
  }

  @Test func `hierarchies are declared as Apple declares them`() throws {
    #expect(
      try texts(libraryModel()) == [
        """
        CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAGESCOUNT INTEGER, \
        ZAUTHOR INTEGER, ZISBLACKANDWHITE INTEGER, ZPUBLISHEDAT TIMESTAMP, ZPRICE DECIMAL, ZTITLE VARCHAR, \
        ZUNIQUEID BLOB, ZCOVER BLOB )
        """,
        """
        CREATE TABLE ZFEEDBACK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRATING FLOAT, \
        ZAUTHORALIAS VARCHAR, ZCOMMENT VARCHAR, ZBOOKID BLOB )
        """,
        """
        CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISBOOKMARKED INTEGER, \
        ZNUMBER INTEGER, ZBOOK INTEGER, Z1_BOOK INTEGER, ZCONTENT BLOB )
        """,
        """
        CREATE TABLE ZWRITER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, \
        ZALIAS VARCHAR, ZSITEURL VARCHAR )
        """,
        "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
        "CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Book_UNIQUE_uniqueID ON ZBOOK (ZUNIQUEID COLLATE BINARY ASC)",
        "CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)",
        "CREATE INDEX ZWRITER_Z_ENT_INDEX ON ZWRITER (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Author_UNIQUE_alias ON ZWRITER (ZALIAS COLLATE BINARY ASC)",
      ])
  }

  /// The columns of composite attributes' elements are named as in stores of Apple's framework.
  @Test func `elements of composite attributes have columns`() throws {
    func composite(_ name: String, _ elements: [NSAttributeDescription]) -> NSCompositeAttributeDescription {
      let composite = NSCompositeAttributeDescription()
      (composite.name, composite.elements) = (name, elements)
      return composite
    }
    // Two attributes may have identical elements.
    let point = [attribute("latitude", .double), attribute("longitude", .double)]
    let kind = attribute("kind")
    let quake = makeEntity(
      "Quake",
      [
        composite(
          "magnitude",
          [
            attribute("richter", .double), kind,
            composite("felt", [attribute("by", .integer32)]),
          ]),
        composite("end", point), composite("start", point), attribute("code"),
      ])
    quake.indexes = [
      NSFetchIndexDescription(
        name: "kind",
        elements: [
          NSFetchIndexElementDescription(property: kind, collationType: .binary),
          NSFetchIndexElementDescription(property: quake.propertiesByName["code"]!, collationType: .binary),
        ])
    ]
    quake.uniquenessConstraints = [["magnitude.felt.by", "code"]]
    let model = frozenModel([quake])
    #expect(
      try texts(model) == [
        """
        CREATE TABLE ZQUAKE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBY INTEGER, ZLATITUDE FLOAT, \
        ZLONGITUDE FLOAT, ZRICHTER FLOAT, ZLATITUDE1 FLOAT, ZLONGITUDE1 FLOAT, ZCODE VARCHAR, ZKIND VARCHAR )
        """,
        "CREATE INDEX Z_Quake_kind ON ZQUAKE (ZKIND COLLATE BINARY ASC, ZCODE COLLATE BINARY ASC)",
        """
        CREATE UNIQUE INDEX "Z_Quake_UNIQUE_magnitude.felt.by_code" ON ZQUAKE (ZBY COLLATE BINARY ASC, \
        ZCODE COLLATE BINARY ASC)
        """,
      ])
    let plan = FetchQuery(layout: model.layout("Quake"), filter: try PredicateParser.tree("start.latitude > 1"))
    #expect(
      try SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite), store: 1).ids(plan).text.contains(
        "t0.ZLATITUDE1 > ?"))
  }

  /// The expected SQL is from a public sample's store, written by Apple's framework.
  @Test func `derived counts use the same triggers as Apple`() throws {
    let model = makeModel(
      makeEntity("Book", [derivedAttribute("pagesCount", .integer64, "pages.@count")]), makeEntity("Page")
    ).relate("Book", "pages", .many, "Page", "book", .one).frozen()
    let schema = try StoreSchema(model: model, dialect: .sqlite)
    let notification = "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT)"
    #expect(
      try SchemaWriter(schema: schema).derivations().map(\.text) == [
        """
        CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW \
        WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 \
        WHERE Z_PK = NEW.ZBOOK; SELECT \(notification) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END
        """,
        """
        CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF ZBOOK ON ZPAGE \
        FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT + 1 \
        WHERE Z_PK = NEW.ZBOOK; SELECT \(notification) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END
        """,
        """
        CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZBOOK ON ZPAGE \
        FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 \
        WHERE Z_PK = OLD.ZBOOK; SELECT \(notification) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END
        """,
        """
        CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW \
        WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 \
        WHERE Z_PK = OLD.ZBOOK; SELECT \(notification) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END
        """,
        """
        CREATE TRIGGER Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN \
        UPDATE ZBOOK SET ZPAGESCOUNT = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) \
        WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, \
        'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END
        """,
      ])
  }

  @Test func `an ordered relationship has an order column`() throws {
    let bookmark = makeEntity(
      "BookmarkEntity",
      [
        attribute("title"), attribute("url"), attribute("uuid"), attribute("isFolder", .boolean),
        attribute("isPendingDeletion", .boolean), attribute("modifiedAt", .date),
      ])
    let index = NSFetchIndexDescription(
      name: "byUUID",
      elements: ["uuid", "isPendingDeletion"].map {
        NSFetchIndexElementDescription(property: bookmark.propertiesByName[$0]!, collationType: .binary)
      })
    bookmark.indexes = [index]
    let model = makeModel(bookmark)
      .relate("BookmarkEntity", "parent", .one, "BookmarkEntity", "childrens", .ordered)
      .relate("BookmarkEntity", "favoriteFolder", .one, "BookmarkEntity", "favorites", .ordered)
    #expect(
      try texts(model.frozen()) == [
        """
        CREATE TABLE ZBOOKMARKENTITY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISFOLDER INTEGER, \
        ZISPENDINGDELETION INTEGER, ZFAVORITEFOLDER INTEGER, ZPARENT INTEGER, Z_FOK_FAVORITEFOLDER INTEGER, \
        Z_FOK_PARENT INTEGER, ZMODIFIEDAT TIMESTAMP, ZTITLE VARCHAR, ZURL VARCHAR, ZUUID VARCHAR )
        """,
        "CREATE INDEX ZBOOKMARKENTITY_ZFAVORITEFOLDER_INDEX ON ZBOOKMARKENTITY (ZFAVORITEFOLDER)",
        "CREATE INDEX ZBOOKMARKENTITY_ZPARENT_INDEX ON ZBOOKMARKENTITY (ZPARENT)",
        """
        CREATE INDEX Z_BookmarkEntity_byUUID ON ZBOOKMARKENTITY (ZUUID COLLATE BINARY ASC, \
        ZISPENDINGDELETION COLLATE BINARY ASC)
        """,
      ])
  }

  @Test func `every kind of attribute has its column type and position`() throws {
    #expect(
      try texts(quakeModel())[0] == """
        CREATE TABLE ZQUAKE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFELT INTEGER, \
        ZREVIEWED INTEGER, ZREGION INTEGER, ZMAGNITUDE FLOAT, ZTIME TIMESTAMP, ZCOST DECIMAL, ZPLACE VARCHAR, \
        ZLINK VARCHAR, ZUID BLOB, ZBODY BLOB, ZIMAGE BLOB )
        """)
  }

  @Test func `a join table is named for the entity with the lower number`() throws {
    let model = makeModel(makeEntity("Task"), makeEntity("Note"))
      .relate("Note", "task", .many, "Task", "notes", .ordered)
    let made = try texts(model.frozen())
    #expect(
      made[2...] == [
        """
        CREATE TABLE Z_1TASK ( Z_1NOTES INTEGER, Z_2TASK INTEGER, Z_FOK_1NOTES INTEGER, \
        PRIMARY KEY (Z_1NOTES, Z_2TASK) )
        """,
        "CREATE INDEX Z_1TASK_Z_2TASK_INDEX ON Z_1TASK (Z_2TASK, Z_1NOTES)",
      ])
  }

  @Test func `a file may name a join table for the other entity`() throws {
    let model = quakeModel()
    let schema = try StoreSchema(
      model: model,
      declared: DeclaredTables([
        "Z_3TAGGED": "CREATE TABLE Z_3TAGGED ( Z_3TAGS INTEGER, Z_1TAGGED INTEGER, PRIMARY KEY (Z_3TAGS, Z_1TAGGED) )"
      ]), dialect: .sqlite)
    let storage = schema.table(of: model.layout("Quake")).toMany[0]
    #expect(storage == .join(table: "Z_3TAGGED", own: "Z_1TAGGED", other: "Z_3TAGS", order: nil))
  }

  @Test func `reflexive many-to-many relationships have join tables`() throws {
    let model = makeModel(makeEntity("Item"))
      .relate("Item", "favorites", .ordered, "Item", "favoriteFolders", .many)
      .relate("Item", "mergeCandidates", .many, "Item", "mergeCandidates", .many)
    let made = try texts(model.frozen())
    #expect(
      made[1...] == [
        """
        CREATE TABLE Z_1FAVORITES ( Z_1FAVORITEFOLDERS INTEGER, Z_1FAVORITES INTEGER, Z_FOK_1FAVORITES INTEGER, \
        PRIMARY KEY (Z_1FAVORITEFOLDERS, Z_1FAVORITES) )
        """,
        """
        CREATE TABLE Z_1MERGECANDIDATES ( Z_1MERGECANDIDATES INTEGER, REFLEXIVE INTEGER, \
        PRIMARY KEY (Z_1MERGECANDIDATES, REFLEXIVE) )
        """,
        "CREATE INDEX Z_1FAVORITES_Z_1FAVORITES_INDEX ON Z_1FAVORITES (Z_1FAVORITES, Z_1FAVORITEFOLDERS)",
        "CREATE INDEX Z_1MERGECANDIDATES_REFLEXIVE_INDEX ON Z_1MERGECANDIDATES (REFLEXIVE, Z_1MERGECANDIDATES)",
      ])
  }

  @Test func `a to-many relationship without inverse is a column of its destination`() throws {
    let album = makeEntity("Album")
    let sticker = makeEntity("Sticker", [attribute("name")])
    album.properties = [relationship("stickers", to: sticker, max: 0, ordered: true)]
    #expect(
      try texts(frozenModel([album, sticker]))[1...] == [
        """
        CREATE TABLE ZSTICKER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1STICKERS INTEGER, \
        Z_FOK_1STICKERS INTEGER, ZNAME VARCHAR )
        """,
        "CREATE INDEX ZSTICKER_Z1STICKERS_INDEX ON ZSTICKER (Z1STICKERS)",
      ])
  }

  @Test func `properties of the same name in sibling entities have separate columns`() throws {
    let root = makeEntity("Message")
    root.subentities = [
      makeEntity("TextMessage", [attribute("text")]),
      makeEntity("SystemMessage", [attribute("text")]),
    ]
    let model = frozenModel([root] + root.subentities)
    let schema = try StoreSchema(model: model, dialect: .sqlite)
    #expect(schema.table(of: model.layout("SystemMessage")).columns[0]?.name == "ZTEXT")
    #expect(schema.table(of: model.layout("TextMessage")).columns[0]?.name == "ZTEXT1")
  }

  @Test func `indexes can be partial`() throws {
    let quake = makeEntity("Quake", [attribute("place"), attribute("hidden", .boolean)])
    let element = NSFetchIndexElementDescription(property: quake.properties[0], collationType: .binary)
    element.isAscending = false
    let index = NSFetchIndexDescription(name: "byPlace", elements: [element])
    index.partialIndexPredicate = .predicate(
      with: try PredicateParser.tree("hidden == YES AND place != 'it''s'".replacing("''", with: "\\'")))
    quake.indexes = [index]
    #expect(
      try texts(frozenModel([quake]))[1] == """
        CREATE INDEX Z_Quake_byPlace ON ZQUAKE (ZPLACE COLLATE BINARY DESC) \
        WHERE (ZHIDDEN = 1 AND ZPLACE IS NOT 'it''s')
        """)
  }

  @Test func `an index on a to-one relationship is not duplicated`() throws {
    let quake = makeEntity("Quake")
    let region = makeEntity("Region")
    quake.properties = [relationship("region", to: region, max: 1)]
    quake.indexes = [
      NSFetchIndexDescription(
        name: "byRegion",
        elements: [NSFetchIndexElementDescription(property: quake.properties[0], collationType: .binary)])
    ]
    #expect(try texts(frozenModel([quake, region]))[2...] == ["CREATE INDEX ZQUAKE_ZREGION_INDEX ON ZQUAKE (ZREGION)"])
  }

  @Test func `each entity is numbered before its subentities`() throws {
    let rows = SchemaWriter(schema: try StoreSchema(model: libraryModel(), dialect: .sqlite)).bookkeeping.dropFirst(3)
    #expect(
      rows.map(\.bindings) == [
        [.integer(1), .text("Book"), .integer(0)], [.integer(2), .text("GraphicNovel"), .integer(1)],
        [.integer(3), .text("Feedback"), .integer(0)], [.integer(4), .text("Page"), .integer(0)],
        [.integer(5), .text("Writer"), .integer(0)], [.integer(6), .text("Author"), .integer(5)],
      ])
    #expect(rows.first?.text == "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)")
  }

  @Test func `a file may have other entity numbers`() throws {
    let model = libraryModel()
    let numbers = ["Book": 7, "GraphicNovel": 8, "Feedback": 1, "Page": 2, "Writer": 3, "Author": 4]
    let schema = try StoreSchema(model: model, numbers: numbers, dialect: .sqlite)
    #expect(schema.storedNumber(of: 1) == 7)
    #expect(schema.number(ofStored: 8) == 2)
    #expect(schema.number(ofStored: 5) == nil)
    #expect(schema.table(of: model.layout("Page")).columns.compactMap { $0?.entityColumn } == ["Z7_BOOK"])
  }

  @Test func `a configuration has only the tables of its entities`() throws {
    let first = makeEntity("First")
    let second = makeEntity("Second")
    let model = NSManagedObjectModel()
    model.entities = [first, second]
    model.setEntities([second], forConfigurationName: "Session")
    let schema = try StoreSchema(model: model, configuration: "Session", dialect: .sqlite)
    #expect(schema.layouts.map(\.name) == ["Second"])
    #expect(SchemaWriter(schema: schema).tables.count == 1)
    #expect(throws: StoreError.self) { try StoreSchema(model: model, configuration: "None", dialect: .sqlite) }
  }

  @Test func `a new store with history has the history tables`() throws {
    let writer = SchemaWriter(schema: try StoreSchema(model: libraryModel(), dialect: .sqlite))
    let texts = try writer.create(history: true).map(\.text)
    #expect(texts.contains("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"))
    #expect(
      texts.contains(
        """
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )
        """))
    #expect(try writer.create(history: false).count == texts.count - 14)
  }
}
