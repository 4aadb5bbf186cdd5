import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText
import Testing

@Suite struct BulkTests {
  private let model = quakeModel()

  private func writer() throws -> BulkWriter {
    BulkWriter(selects: SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite), store: 1))
  }

  private func plan(_ entity: String, _ format: String?, limit: Int = 0) throws -> FetchQuery {
    FetchQuery(layout: model.layout(entity), filter: try format.map { try PredicateParser.tree($0) }, limit: limit)
  }

  @Test func `a batch update is one statement`() throws {
    let layout = model.layout("Quake")
    var update = BulkUpdate(
      layout: layout, includesSubentities: true, filter: try PredicateParser.tree("magnitude >= 5"))
    for name in ["place", "region"] {
      let slot = try #require(layout.slot(named: name))
      update.constants[slot >> 6] |= 1 << UInt64(slot & 63)
    }
    let statement = try writer().update(update)
    #expect(statement.text == "UPDATE ZQUAKE SET Z_OPT = Z_OPT + 1, ZPLACE = ?, ZREGION = ? WHERE ZMAGNITUDE >= ?")
    #expect(statement.parameters == [.slot(layout.slot(named: "place")!), .slot(layout.slot(named: "region")!)])
    #expect(statement.bindings == [.integer(5)])
  }

  @Test func `conditions and values from other tables use a subquery`() throws {
    let writer = try writer()
    #expect(
      try writer.remove(plan("Quake", "region.name == 'Alps'")).text == """
        DELETE FROM ZQUAKE WHERE Z_PK IN (SELECT t0.Z_PK FROM ZQUAKE t0 \
        LEFT JOIN ZREGION t1 ON t1.Z_PK = t0.ZREGION WHERE t1.ZNAME = ?)
        """)
    #expect(
      try writer.remove(plan("Quake", nil, limit: 3)).text
        == "DELETE FROM ZQUAKE WHERE Z_PK IN (SELECT t0.Z_PK FROM ZQUAKE t0 ORDER BY t0.Z_PK LIMIT ?)")
    var update = BulkUpdate(layout: model.layout("Quake"), includesSubentities: true, filter: nil)
    update.computed = [.init(slot: model.layout("Quake").slot(named: "place")!, value: .keyPath(["region", "name"]))]
    #expect(
      try writer.update(update).text == """
        UPDATE ZQUAKE SET Z_OPT = Z_OPT + 1, ZPLACE = (SELECT t1.ZNAME FROM ZQUAKE t0 \
        LEFT JOIN ZREGION t1 ON t1.Z_PK = t0.ZREGION WHERE t0.Z_PK = ZQUAKE.Z_PK)
        """)
  }

  @Test func `a condition on a destination becomes a subquery on its foreign key`() throws {
    let regions = "WHERE ZREGION IN (SELECT t0.Z_PK FROM ZREGION t0 WHERE"
    let writer = try writer()
    #expect(
      try writer.remove(plan("Quake", "region.name > 'Alps'")).text == "DELETE FROM ZQUAKE \(regions) t0.ZNAME > ?)")
    #expect(
      try writer.gather(plan("Quake", "region.name > 'Alps'")).text.hasSuffix("FROM ZQUAKE \(regions) t0.ZNAME > ?)"))
    let filter = try PredicateParser.tree("region.quakes.@count > 5 AND felt > 2")
    var update = BulkUpdate(layout: model.layout("Quake"), includesSubentities: true, filter: filter)
    let place = try #require(model.layout("Quake").slot(named: "place"))
    update.constants[place >> 6] |= 1 << UInt64(place & 63)
    let statement = try writer.update(update)
    #expect(
      statement.text == """
        UPDATE ZQUAKE SET Z_OPT = Z_OPT + 1, ZPLACE = ? WHERE (ZREGION IN (SELECT t0.Z_PK FROM ZREGION t0 \
        WHERE (SELECT COUNT(*) FROM ZQUAKE t1 WHERE t1.ZREGION = t0.Z_PK) > ?) AND ZFELT > ?)
        """)
    #expect(statement.bindings == [.integer(5), .integer(2)])
    // If another condition needs the row's other tables, all are joined.
    #expect(
      try writer.remove(plan("Quake", "region.name > 'Alps' AND region.name != 'Ural'")).text.hasPrefix(
        "DELETE FROM ZQUAKE WHERE Z_PK IN (SELECT t0.Z_PK FROM ZQUAKE t0 LEFT JOIN ZREGION"))
  }

  @Test func `the history of many rows is one statement`() throws {
    let statement = try writer().record(
      .delete, from: "ZQUAKE WHERE ZFELT = \(bind: .integer(1))", tombstones: ["ZPLACE"], transaction: 7, after: 40)
    #expect(
      statement.text == """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, ZTOMBSTONE0) \
        SELECT ? + row_number() OVER (ORDER BY Z_PK), 16001, 1, 2, Z_ENT, Z_PK, ?, NULL, ZPLACE FROM ZQUAKE \
        WHERE ZFELT = ?
        """)
    #expect(statement.bindings == [.integer(40), .integer(7), .integer(1)])
  }

  @Test func `conflicting inserts are ignored or update the stored row`() throws {
    let model = libraryModel()
    let writer = BulkWriter(selects: SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite), store: 1))
    let author = model.layout("Author")
    #expect(
      try writer.insertOrKeep(author).text == """
        INSERT INTO ZWRITER (Z_PK, Z_ENT, Z_OPT, ZAGE, ZALIAS, ZSITEURL) VALUES (?, ?, ?, ?, ?, ?) \
        ON CONFLICT DO NOTHING RETURNING Z_PK, Z_ENT
        """)
    let url = try #require(author.slot(named: "siteURL"))
    #expect(
      try writer.insertOrUpdate(author, slots: [1 << UInt64(url)]).text.hasSuffix(
        " ON CONFLICT DO UPDATE SET Z_OPT = Z_OPT + 1, ZSITEURL = excluded.ZSITEURL WHERE Z_ENT IN (\(author.number))"
          + " RETURNING Z_PK, Z_ENT"))
  }
}
