import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText
import StrataTestSupport
import Testing

@Suite struct SelectTests {
  let model: NSManagedObjectModel
  let writer: SelectWriter
  /// Writes each query in another dialect, too.
  let otherWriter: SelectWriter

  init() throws {
    model = quakeModel()
    otherWriter = SelectWriter(schema: try StoreSchema(model: model, dialect: OtherDialect()), store: 1)
    writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite), store: 1)
  }

  private func ids(_ plan: FetchQuery) throws -> SQLStatement {
    expectOther(plan, otherWriter)
    return try writer.ids(plan)
  }

  @Test func `rows have columns for all stored slots`() throws {
    let (statement, shape) = try writer.rows(FetchQuery(layout: model.layout("Quake")))
    #expect(
      statement == """
        SELECT t0.Z_PK, 1, t0.Z_OPT, t0.ZIMAGE, t0.ZBODY, t0.ZCOST, t0.ZFELT, t0.ZLINK, t0.ZMAGNITUDE, \
        t0.ZPLACE, t0.ZREGION, t0.ZREVIEWED, t0.ZTIME, t0.ZUID FROM ZQUAKE t0
        """)
    let entity = try #require(shape.shape(ofStored: 1))
    #expect(shape.columnCount == 14)
    #expect(entity.layout === model.layout("Quake"))
    #expect(entity.slots.map(\.column) == [4, 5, 6, 3, 7, 8, 9, 10, 11, 12, -1, 13])
    #expect(entity.slots[3].isExternal)
    #expect(shape.shape(ofStored: 2) == nil && shape.shape(ofStored: 99) == nil)
  }

  @Test func `only unordered rows are packed together`() throws {
    let layout = model.layout("Quake")
    func text(_ plan: FetchQuery) throws -> String { try writer.rows(plan, packing: true).statement.text }
    let all = try text(FetchQuery(layout: layout))
    #expect(all.hasPrefix("SELECT STRATA_ROWS(t0.Z_PK, 1, ") && all.hasSuffix("t0.ZUID) FROM ZQUAKE t0"))
    for plan in [
      FetchQuery(layout: layout, sort: [SortKey(["time"])]), FetchQuery(layout: layout, limit: 5),
      FetchQuery(layout: layout, offset: 5),
    ] {
      let text = try text(plan)
      #expect(text.hasPrefix("SELECT STRATA_ROW(") && text.contains(" ORDER BY "))
    }
    #expect(writer.rows(of: layout, .one, packing: true).text.hasPrefix("SELECT STRATA_ROW("))
    #expect(writer.rows(of: layout, .range, packing: true).text.hasPrefix("SELECT STRATA_ROWS("))
    #expect(writer.rows(of: layout, .anyOf(8), packing: true).text.hasPrefix("SELECT STRATA_ROWS("))
  }

  @Test func `queries are sorted, limited and offset`() throws {
    let layout = model.layout("Quake")
    let sort = [SortKey(["time"], ascending: false), SortKey(["region", "name"])]
    #expect(
      try ids(FetchQuery(layout: layout, sort: sort, limit: 50, offset: 100))
        == SQLStatement(
          """
          SELECT t0.Z_PK FROM ZQUAKE t0 LEFT JOIN ZREGION t1 ON t1.Z_PK = t0.ZREGION \
          ORDER BY t0.ZTIME DESC, t1.ZNAME, t0.Z_PK LIMIT ? OFFSET ?
          """, [.integer(50), .integer(100)]))
    #expect(
      try ids(FetchQuery(layout: layout, offset: 3))
        == SQLStatement(
          "SELECT t0.Z_PK FROM ZQUAKE t0 ORDER BY t0.Z_PK LIMIT ? OFFSET ?", [.integer(-1), .integer(3)]))
    #expect(
      try ids(FetchQuery(layout: layout, sort: [SortKey(["objectID"], ascending: false)])).text
        == "SELECT t0.Z_PK FROM ZQUAKE t0 ORDER BY t0.Z_PK DESC")
    #expect(throws: StoreError.self) { try ids(FetchQuery(layout: layout, sort: [SortKey(["tags", "name"])])) }
  }

  @Test func `IDs of a single entity are selected as keys only`() throws {
    let model = libraryModel()
    let writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let books = FetchQuery(layout: model.layout("Book"))
    #expect(writer.entity(of: books) == nil)
    #expect(try writer.ids(books).text == "SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0")
    #expect(try writer.unorderedIDs(books).text == "SELECT STRATA_IDS(t0.Z_PK, t0.Z_ENT) FROM ZBOOK t0")
    let only = FetchQuery(layout: model.layout("Book"), includesSubentities: false)
    #expect(writer.entity(of: only) == model.layout("Book").number)
    #expect(try writer.ids(only).text == "SELECT t0.Z_PK FROM ZBOOK t0 WHERE t0.Z_ENT = 1")
  }

  @Test func `counts ignore the order and apply the limit`() throws {
    let layout = model.layout("Quake")
    #expect(try writer.count(FetchQuery(layout: layout, sort: [SortKey(["time"])])) == "SELECT COUNT(*) FROM ZQUAKE t0")
    #expect(
      try writer.count(FetchQuery(layout: layout, limit: 5))
        == SQLStatement(
          "SELECT COUNT(*) FROM (SELECT 1 FROM ZQUAKE t0 LIMIT ?)", [.integer(5)]))
  }

  @Test func `entities of one table are distinguished`() throws {
    let model = libraryModel()
    let writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    func text(_ name: String, _ includesSubentities: Bool) throws -> String {
      try writer.count(FetchQuery(layout: model.layout(name), includesSubentities: includesSubentities)).text
    }
    #expect(try text("Book", true) == "SELECT COUNT(*) FROM ZBOOK t0")
    #expect(try text("Book", false) == "SELECT COUNT(*) FROM ZBOOK t0 WHERE t0.Z_ENT = 1")
    #expect(try text("GraphicNovel", true) == "SELECT COUNT(*) FROM ZBOOK t0 WHERE t0.Z_ENT = 2")
    #expect(try text("Feedback", false) == "SELECT COUNT(*) FROM ZFEEDBACK t0")
  }

  @Test func `an entity with subentities is filtered by a list of numbers`() throws {
    let car = makeEntity("Car")
    let sportCar = makeEntity("SportCar")
    let expensive = makeEntity("ExpensiveSportCar", [attribute("isLimitedEdition", .boolean)])
    car.subentities = [sportCar]
    sportCar.subentities = [expensive]
    let model = frozenModel([car, sportCar, expensive])
    let writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let (statement, shape) = try writer.rows(FetchQuery(layout: model.layout("SportCar")))
    #expect(
      statement == """
        SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZISLIMITEDEDITION FROM ZCAR t0 WHERE t0.Z_ENT IN (2, 3)
        """)
    #expect(shape.shape(ofStored: 1) == nil)
    #expect(shape.shape(ofStored: 2)?.slots.isEmpty == true)
    #expect(shape.shape(ofStored: 3)?.slots.first?.column == 3)
  }

  @Test func `rows are selected by key`() throws {
    let model = libraryModel()
    let writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let (text, shape) = writer.rows(of: model.layout("Page"), .one)
    #expect(
      text == """
        SELECT t0.Z_PK, 4, t0.Z_OPT, t0.ZCONTENT, t0.ZBOOK, t0.Z1_BOOK, t0.ZISBOOKMARKED, t0.ZNUMBER \
        FROM ZPAGE t0 WHERE t0.Z_PK = ?1
        """)
    let book = try #require(shape.shape(ofStored: 4)?.slots[0])
    #expect(book.column == 4 && book.entityColumn == 5 && book.destination == 1 && book.kind == .toOne)
    #expect(writer.rows(of: model.layout("Feedback"), .anyOf(3)).text.hasSuffix("WHERE t0.Z_PK IN (?, ?, ?)"))
    #expect(writer.rows(of: model.layout("Feedback"), .range).text.hasSuffix("WHERE t0.Z_PK BETWEEN ?1 AND ?2"))
  }

  @Test func `members are selected by their owner`() throws {
    let quake = model.layout("Quake")
    let region = model.layout("Region")
    #expect(
      writer.related(owner: region, relationship: 0)
        == "SELECT t0.Z_PK, 1 FROM ZQUAKE t0 WHERE t0.ZREGION = ?1 ORDER BY t0.Z_PK")
    #expect(
      writer.related(owner: quake, relationship: 0)
        == "SELECT t0.Z_3TAGS, 3 FROM Z_1TAGS t0 WHERE t0.Z_1TAGGED = ?1 ORDER BY t0.Z_3TAGS")
    #expect(
      writer.related(owner: quake, relationship: 0, of: .anyOf(2)) == """
        SELECT t0.Z_1TAGGED, t0.Z_3TAGS, 3 FROM Z_1TAGS t0 WHERE t0.Z_1TAGGED IN (?, ?) \
        ORDER BY t0.Z_1TAGGED, t0.Z_3TAGS
        """)
  }

  @Test func `members are collected in the order of their owners`() throws {
    #expect(
      writer.related(owner: model.layout("Quake"), relationship: 0, of: .from, isTaken: true) == """
        SELECT 1 FROM Z_1TAGS t0 WHERE t0.Z_1TAGGED >= ?1 AND STRATA_MEMBER(t0.Z_1TAGGED, t0.Z_3TAGS) \
        ORDER BY t0.Z_1TAGGED, t0.Z_3TAGS
        """)
    let library = libraryModel()
    #expect(
      try SelectWriter(schema: StoreSchema(model: library, dialect: .sqlite))
        .related(owner: library.layout("Author"), relationship: 0, of: .anyOf(2), isTaken: true) == """
          SELECT 1 FROM ZBOOK t0 WHERE t0.ZAUTHOR IN (?, ?) AND STRATA_MEMBER(t0.ZAUTHOR, t0.Z_PK, t0.Z_ENT) \
          ORDER BY t0.ZAUTHOR, t0.Z_PK
          """)
  }

  @Test func `members are selected in order and with their entities`() throws {
    let folder = makeEntity("Folder")
    let item = makeEntity("Item")
    let items = relationship("items", to: item, max: 0, ordered: true)
    let folders = relationship("folders", to: folder, max: 0)
    let twins = relationship("twins", to: folder, max: 0)
    join(items, folders)
    join(twins, twins)
    folder.properties = [items, twins]
    item.properties = [folders]
    item.subentities = [makeEntity("Link")]
    let model = frozenModel([folder, item] + item.subentities)
    let writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    #expect(
      writer.related(owner: model.layout("Folder"), relationship: 0) == """
        SELECT t0.Z_2ITEMS, t1.Z_ENT FROM Z_1ITEMS t0 JOIN ZITEM t1 ON t1.Z_PK = t0.Z_2ITEMS \
        WHERE t0.Z_1FOLDERS = ?1 ORDER BY t0.Z_FOK_2ITEMS IS NULL, t0.Z_FOK_2ITEMS, t0.Z_2ITEMS
        """)
    #expect(
      writer.related(owner: model.layout("Folder"), relationship: 1) == """
        SELECT t0.REFLEXIVE, 1 FROM (SELECT Z_1TWINS, REFLEXIVE FROM Z_1TWINS UNION \
        SELECT REFLEXIVE, Z_1TWINS FROM Z_1TWINS) t0 WHERE t0.Z_1TWINS = ?1 ORDER BY t0.REFLEXIVE
        """)
  }

  @Test func `queries of the same shape share a text`() throws {
    let layout = model.layout("Quake")
    func rows(_ format: String, _ arguments: Any?..., limit: Int = 0) throws -> SQLStatement {
      let filter = try PredicateParser.tree(format, arguments: arguments)
      return try writer.rows(FetchQuery(layout: layout, filter: filter, limit: limit)).statement
    }
    let first = try rows("place == %@ AND NOT felt < 3", "Chile", limit: 5)
    let second = try rows("place == %@ AND NOT felt < 3", "Peru", limit: 6)
    #expect(first.text == second.text)
    #expect(first.bindings == [.text("Chile"), .integer(3), .integer(5)])
    #expect(second.bindings == [.text("Peru"), .integer(3), .integer(6)])
    #expect(try rows("place == %@ AND NOT felt < 3", "Peru").text != first.text)
    #expect(try rows("place == %@ AND NOT felt < 3", nil, limit: 5).text.contains("t0.ZPLACE IS NULL"))
    #expect(try rows("place == %@ AND NOT felt < 3", 7, limit: 5).text.contains("(0 AND"))
    #expect(try rows("place == %@ OR NOT felt < 3", "Peru", limit: 5).text.contains("? OR"))
  }
}
