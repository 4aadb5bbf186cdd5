import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText
import StrataTestSupport
import Testing

/// The SQL that all engines share, in a dialect that differs from SQLite's.
@Suite struct DialectTests {
  private let model = quakeModel()

  private func schema(_ model: NSManagedObjectModel? = nil) throws -> StoreSchema {
    try StoreSchema(model: model ?? self.model, dialect: OtherDialect())
  }

  private func writer() throws -> SelectWriter { SelectWriter(schema: try schema(), store: 1) }

  private func plan(_ format: String?, sort: [SortKey] = [], limit: Int = 0, offset: Int = 0) throws -> FetchQuery {
    FetchQuery(
      layout: model.layout("Quake"), filter: try format.map { try PredicateParser.tree($0) }, sort: sort, limit: limit,
      offset: offset)
  }

  private func folders(
    _ first: String, _ second: String, ordered: Bool = false, many: Bool = true
  ) -> NSManagedObjectModel {
    makeModel(makeEntity("Folder"), makeEntity("Item"))
      .relate("Folder", first, ordered ? .ordered : .many, "Item", second, many ? .many : .one).frozen()
  }

  @Test(arguments: [
    ("place == 'Chile'", #"t0."zplace" = $1"#),
    ("place != 'Chile'", #"t0."zplace" IS DISTINCT FROM $1"#),
    ("place == link", #"t0."zplace" IS NOT DISTINCT FROM t0."zlink""#),
    ("place == nil", #"t0."zplace" IS NULL"#),
    ("felt == 'many'", "FALSE"),
    ("NOT felt < 5", #"(t0."zfelt" < $1) IS NOT TRUE"#),
    ("cost > 10", #"t0."zcost" > CAST($1 AS numeric)"#),
    ("felt == 1 AND felt == 2 OR felt == 3", #"((t0."zfelt" = $1 AND t0."zfelt" = $2) OR t0."zfelt" = $3)"#),
    ("felt IN {1, 2, 3}", #"t0."zfelt" = ANY($1)"#),
    ("NOT place IN {'a', nil}", #"(t0."zplace" <> ALL($1) AND t0."zplace" IS NOT NULL)"#),
    ("magnitude IN {1.5, 2}", #"t0."zmagnitude" IN ($1, $2)"#),
    ("place CONTAINS 'of'", #"strpos(t0."zplace", $1) > 0"#),
    ("place BEGINSWITH 'Pa'", #"(t0."zplace" >= $1 AND t0."zplace" < $2)"#),
    ("place BEGINSWITH[c] 'Pa'", #"starts_with(lower(t0."zplace"), $1)"#),
    ("place ENDSWITH 'ia'", #"right(t0."zplace", length($1)) = $2"#),
    ("place ENDSWITH link", #"right(t0."zplace", length(t0."zlink")) = t0."zlink""#),
    ("felt / 2 == 1", #"(t0."zfelt" / NULLIF($1, 0)) = $2"#),
    ("cost * 2 > 1", #"(CAST(t0."zcost" AS double precision) * $1) > $2"#),
    ("uppercase(place) == 'A'", #"upper(t0."zplace") = $1"#),
    ("random() > 5", "floor(random() * 2147483648) > $1"),
    ("noindex(felt) == 1", #"t0."zfelt" = $1"#),
    (
      "region.name > 'C'",
      #"t0."zregion" IN (SELECT t1."z_pk" FROM "zregion" t1 WHERE t1."zname" > $1)"#
    ),
    (
      "ANY tags.name == 'sea'",
      #"EXISTS (SELECT 1 FROM "z_1tags" t1 JOIN "ztag" t2 ON t2."z_pk" = t1."z_3tags" "#
        + #"WHERE t1."z_1tagged" = t0."z_pk" AND t2."zname" = $1)"#
    ),
    (
      "tags.@sum.weight == 0",
      #"(SELECT COALESCE(SUM(t2."zweight"), 0) FROM "z_1tags" t1 JOIN "ztag" t2 ON t2."z_pk" = t1."z_3tags" "#
        + #"WHERE t1."z_1tagged" = t0."z_pk") = $1"#
    ),
    (
      "TERNARY(reviewed == YES, felt, 0) > 3",
      #"CASE WHEN t0."zreviewed" = $1 THEN t0."zfelt" ELSE $2 END > $3"#
    ),
    ("entity.name == 'Quake'", #"CASE t0."z_ent" WHEN 1 THEN 'Quake' END = $1"#),
  ])
  func `predicates are written in the dialect of the engine`(_ format: String, _ text: String) throws {
    let statement = try writer().count(plan(format))
    #expect(statement.text == #"SELECT COUNT(*) FROM "zquake" t0 WHERE "# + text)
    expectOther(statement.text, bindings: statement.bindings.count)
  }

  @Test(arguments: [
    "place LIKE 'a*'", "place MATCHES 'a.'", "place ==[cd] 'a'", "CAST(felt, 'NSString') == '1'",
    "lowercase(place) == 'a'",
    "tags.@avg.weight > 1 AND place LIKE 'a*'", "median(tags.weight) > 1",
  ])
  func `a function that the engine lacks is refused`(_ format: String) throws {
    let writer = try writer()
    let error = #expect(throws: StoreError.self) { try writer.count(plan(format)) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("filter in memory") == true)
  }

  @Test func `lists with too many values are refused`() throws {
    let writer = try writer()
    let values = (0..<101).map { PredicateValue.real(Double($0) + 0.5) }
    let filter = PredicateNode.comparison(ComparisonNode(.keyPath(["magnitude"]), .in, .value(.list(values))))
    #expect(throws: StoreError.self) { try writer.count(FetchQuery(layout: model.layout("Quake"), filter: filter)) }
  }

  @Test func `rows are selected as columns without packing functions`() throws {
    let writer = try writer()
    let statement = try writer.rows(
      plan("felt > 2", sort: [SortKey(["time"], ascending: false)], limit: 5), packing: true
    )
    .statement
    #expect(
      statement.text == #"""
        SELECT t0."z_pk", 1, t0."z_opt", t0."zimage", t0."zbody", t0."zcost", t0."zfelt", t0."zlink", t0."zmagnitude", \#
        t0."zplace", t0."zregion", t0."zreviewed", t0."ztime", t0."zuid" FROM "zquake" t0 WHERE t0."zfelt" > $1 \#
        ORDER BY t0."ztime" DESC NULLS LAST, t0."z_pk" LIMIT $2
        """#)
    #expect(try writer.unorderedIDs(plan(nil)).text == #"SELECT t0."z_pk" FROM "zquake" t0"#)
    #expect(
      try writer.ids(plan(nil, offset: 3))
        == SQLStatement(
          #"SELECT t0."z_pk" FROM "zquake" t0 ORDER BY t0."z_pk" LIMIT $1 OFFSET $2"#, [.null, .integer(3)]))
    #expect(
      try writer.count(plan(nil, limit: 5)).text
        == #"SELECT COUNT(*) FROM (SELECT 1 FROM "zquake" t0 LIMIT $1) AS counted"#)
    #expect(throws: StoreError.self) {
      try writer.ids(plan(nil, sort: [SortKey(["place"], ascending: true, comparison: .localized)]))
    }
  }

  @Test func `queries of the same shape share a text with numbered placeholders`() throws {
    let writer = try writer()
    let first = try writer.ids(plan("place == 'a' AND felt > 3", limit: 5))
    let second = try writer.ids(plan("place == 'b' AND felt > 4", limit: 6))
    #expect(first.text == second.text && first.text.hasSuffix("LIMIT $3"))
    #expect(second.bindings == [.text("b"), .integer(4), .integer(6)])
  }

  @Test func `rows and members are selected by key`() throws {
    let writer = try writer()
    let (quake, region) = (model.layout("Quake"), model.layout("Region"))
    #expect(writer.rows(of: region, .one, packing: true).text.hasSuffix(#"FROM "zregion" t0 WHERE t0."z_pk" = $1"#))
    #expect(writer.rows(of: region, .anyOf(8)).text.hasSuffix(#"WHERE t0."z_pk" = ANY($1)"#))
    #expect(writer.rows(of: region, .range).text.hasSuffix(#"WHERE t0."z_pk" BETWEEN $1 AND $2"#))
    for isTaken in [false, true] {
      #expect(
        writer.related(owner: quake, relationship: 0, of: .anyOf(2), isTaken: isTaken) == #"""
          SELECT t0."z_1tagged", t0."z_3tags", 3 FROM "z_1tags" t0 WHERE t0."z_1tagged" = ANY($1) \#
          ORDER BY t0."z_1tagged", t0."z_3tags"
          """#)
    }
    #expect(
      writer.related(owner: region, relationship: 0)
        == #"SELECT t0."z_pk", 1 FROM "zquake" t0 WHERE t0."zregion" = $1 ORDER BY t0."z_pk""#)
  }

  @Test func `aggregates are written with groups and conditions`() throws {
    let maximum = ExpressionNode.function(.max, [.keyPath(["magnitude"])])
    var plan = AggregateQuery(
      rows: FetchQuery(layout: model.layout("Quake")),
      columns: [ValueColumn(.keyPath(["place"])), ValueColumn(maximum)])
    plan.groups = [.keyPath(["place"])]
    plan.having = .comparison(ComparisonNode(maximum, .greater, .value(.real(6))))
    plan.sort = [.column(1, isAscending: false)]
    #expect(
      try writer().values(plan).statement.text == #"""
        SELECT t0."zplace", MAX(t0."zmagnitude") FROM "zquake" t0 GROUP BY t0."zplace" \#
        HAVING MAX(t0."zmagnitude") > $1 ORDER BY 2 DESC NULLS LAST, t0."zplace" ASC NULLS FIRST
        """#)
  }

  @Test func `rows are inserted, updated and deleted`() throws {
    let library = libraryModel()
    let writer = ChangeWriter(schema: try schema(library))
    let page = library.layout("Page")
    #expect(
      writer.insert(page).text == #"""
        INSERT INTO "zpage" ("z_pk", "z_ent", "z_opt", "zbook", "z1_book", "zcontent", "zisbookmarked", "znumber") \#
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """#)
    #expect(
      writer.update(page, slots: [0b1001]).text == #"""
        UPDATE "zpage" SET "z_opt" = $1, "zbook" = $2, "z1_book" = $3, "znumber" = $4 WHERE "z_pk" = $5 AND "z_opt" = $6
        """#)
    #expect(writer.delete(page, checksVersion: true).text == #"DELETE FROM "zpage" WHERE "z_pk" = $1 AND "z_opt" = $2"#)
    #expect(
      writer.deleteMany(page, checksVersion: true)
        == #"DELETE FROM "zpage" WHERE "z_pk" = ANY($1) AND "z_opt" = $2"#)
  }

  @Test func `members are linked, unlinked and moved`() throws {
    let pairs = folders("items", "folders", ordered: true)
    var writer = ChangeWriter(schema: try schema(pairs))
    let last = #"(SELECT COALESCE(MAX("z_fok_2items"), 1024) + 1024 FROM "z_1items" WHERE "z_1folders" = $1)"#
    #expect(
      writer.links(of: pairs.layout("Folder"), relationship: 0)?.add == #"""
        INSERT INTO "z_1items" ("z_1folders", "z_2items", "z_fok_2items") VALUES ($1, $2, \#(last)) \#
        ON CONFLICT DO NOTHING
        """#)
    #expect(writer.unlinkMany(pairs.layout("Item")) == [#"DELETE FROM "z_1items" WHERE "z_2items" = ANY($1)"#])
    let placed = folders("items", "folder", ordered: true, many: false)
    writer = ChangeWriter(schema: try schema(placed))
    #expect(
      writer.moveToPosition(placed.layout("Folder"), relationship: 0)
        == #"UPDATE "zitem" SET "z_fok_folder" = $3 WHERE "zfolder" = $1 AND "z_pk" = $2"#)
    let album = makeEntity("Album")
    let sticker = makeEntity("Sticker")
    album.properties = [relationship("stickers", to: sticker, max: 0)]
    let stickers = frozenModel([album, sticker])
    writer = ChangeWriter(schema: try schema(stickers))
    #expect(
      writer.links(of: stickers.layout("Album"), relationship: 0)?.add == #"""
        UPDATE "zsticker" SET "z1stickers" = $1 WHERE "z_pk" = $2 AND "z1stickers" IS DISTINCT FROM $1
        """#)
  }

  @Test func `no statement of any model contains the syntax of SQLite`() throws {
    let twins = makeEntity("Twin")
    let same = relationship("twins", to: twins, max: 0)
    join(same, same)
    twins.properties = [same]
    for model in [
      quakeModel(), libraryModel(), folders("items", "folders", ordered: true),
      folders("items", "folder", ordered: true, many: false), frozenModel([twins]),
    ] {
      let schema = try schema(model)
      let (selects, changes) = (SelectWriter(schema: schema), ChangeWriter(schema: schema))
      let bulk = BulkWriter(selects: selects)
      for layout in model.layouts {
        let words = [UInt64](repeating: .max, count: layout.nullWords)
        var rows = [
          changes.insert(layout), changes.update(layout, slots: words), changes.delete(layout, checksVersion: true),
          changes.delete(layout, checksVersion: false), try bulk.insertOrKeep(layout),
        ]
        var update = BulkUpdate(layout: layout, includesSubentities: false, filter: nil)
        update.constants = words
        let statement = try bulk.update(update)
        rows.append(RowStatement(text: statement.text, parameters: statement.parameters))
        for row in rows { expectOther(row.text, bindings: row.parameters.count) }
        var texts = changes.unlink(layout) + changes.unlinkMany(layout)
        texts += [changes.deleteMany(layout, checksVersion: false), changes.updateVersions(layout)]
        texts += [KeyPredicate.one, .anyOf(8), .range, .from].map { selects.rows(of: layout, $0, packing: true).text }
        for number in layout.toMany.indices {
          if let links = changes.links(of: layout, relationship: number) {
            texts += [links.add, links.remove, links.removeAll, links.addInverse ?? "", links.removeInverse ?? ""]
          }
          texts += [
            changes.moveToPosition(layout, relationship: number), changes.moveToEnd(layout, relationship: number),
          ]
          .compactMap { $0 }
          texts += [selects.related(owner: layout, relationship: number)].compactMap { $0 }
          for keys in [KeyPredicate.one, .anyOf(2), .range, .from] {
            texts += [selects.related(owner: layout, relationship: number, of: keys)].compactMap { $0 }
          }
        }
        for text in texts { expectOther(text) }
        for includesSubentities in [true, false] {
          expectOther(FetchQuery(layout: layout, includesSubentities: includesSubentities), selects)
        }
      }
    }
  }

  @Test func `batch updates and deletes are single statements`() throws {
    let writer = BulkWriter(selects: try writer())
    var update = BulkUpdate(
      layout: model.layout("Quake"), includesSubentities: true,
      filter: try PredicateParser.tree("magnitude >= 5 AND region.name > 'C'"))
    let place = try #require(model.layout("Quake").slot(named: "place"))
    update.constants[place >> 6] |= 1 << UInt64(place & 63)
    update.computed = [
      .init(
        slot: try #require(model.layout("Quake").slot(named: "felt")), value: try PredicateParser.expression("felt / 2")
      )
    ]
    let statement = try writer.update(update)
    #expect(
      statement.text == #"""
        UPDATE "zquake" SET "z_opt" = "z_opt" + 1, "zplace" = $1, "zfelt" = CAST(trunc(("zfelt" / NULLIF($2, 0))) AS bigint) \#
        WHERE ("zmagnitude" >= $3 AND "zregion" IN (SELECT t0."z_pk" FROM "zregion" t0 WHERE t0."zname" > $4))
        """#)
    #expect(
      try writer.remove(plan("region.name == 'Alps'")).text == #"""
        DELETE FROM "zquake" WHERE "z_pk" IN (SELECT t0."z_pk" FROM "zquake" t0 LEFT JOIN "zregion" t1 \#
        ON t1."z_pk" = t0."zregion" WHERE t1."zname" = $1)
        """#)
    let error = #expect(throws: StoreError.self) { try writer.insertOrUpdate(model.layout("Quake"), slots: [1]) }
    #expect(error?.code == .unsupported)
  }

  @Test func `history is selected with the available columns`() {
    let layout = HistoryLayout(columns: [
      "ACHANGE": ["ZCOLUMNS"], "ATRANSACTION": ["ZAUTHORTS", "ZAUTHOR", "ZPROCESSIDTS"],
      "ATRANSACTIONSTRING": ["ZNAME"],
    ])
    let selects = HistorySelects(layout: layout, dialect: OtherDialect())
    #expect(
      selects.laterTransactions == #"""
        SELECT t0."z_pk", t0."ztimestamp", COALESCE(t1."zname", t0."zauthor"), NULL, NULL, t4."zname" \#
        FROM "atransaction" t0 LEFT JOIN "atransactionstring" t1 ON t1."z_pk" = t0."zauthorts" \#
        LEFT JOIN "atransactionstring" t4 ON t4."z_pk" = t0."zprocessidts" \#
        WHERE t0."z_pk" > $1 AND t0."z_pk" <= $2 AND t0."ztimestamp" > $4 ORDER BY t0."z_pk" LIMIT $3
        """#)
    #expect(
      selects.changes(tombstones: 1, hasBits: true) == #"""
        SELECT "ztransactionid", "z_pk", "zchangetype", "zentity", "zentitypk", "zcolumns", \#
        "z_opt" IS NOT DISTINCT FROM 1, "ztombstone0" FROM "achange" \#
        WHERE "ztransactionid" > $1 AND "ztransactionid" <= $2 ORDER BY "ztransactionid", "z_pk"
        """#)
    for text in [selects.transactions, selects.changedRows, selects.firstSince] { expectOther(text) }
  }

  @Test func `long names are truncated and stay unique`() throws {
    let long = String(repeating: "a", count: 70)
    let wide = makeEntity(
      "Wide", [attribute(long + "b"), attribute(long + "c")])
    let model = frozenModel([wide])
    let schema = try schema(model)
    let names = schema.table(of: model.layout("Wide")).columns.compactMap { $0?.name }
    #expect(Set(names).count == 2)
    #expect(names.allSatisfy { $0.hasPrefix("\"zaaaa") && $0.utf8.count <= 63 + 2 })
  }

  @Test func `columns have the types of the engine`() throws {
    let table = try schema().table(of: model.layout("Quake"))
    let types = Dictionary(uniqueKeysWithValues: table.columns.compactMap { $0 }.map { ($0.name, $0.type) })
    #expect(types[#""zcost""#] == "numeric" && types[#""zregion""#] == "bigint" && types[#""zfelt""#] == "integer")
  }

  /// Swift treats a quote with an accent as a different character, but an engine reads it as a quote.
  @Test func `quotes with accents are doubled`() {
    #expect(SQLiteDialect.sqlite.literal(.text("'\u{301}")).utf8.elementsEqual("'\'\'\u{301}'".utf8))
    #expect(SQLiteDialect.sqlite.identifier("a\"\u{301}").utf8.elementsEqual("\"a\"\"\u{301}\"".utf8))
  }

  @Test func `only placeholders are numbered`() {
    #expect(OtherDialect().finished(#"'it''s ?' = ? AND "a?" = ?"#) == #"'it''s ?' = $1 AND "a?" = $2"#)
    #expect(OtherDialect().finished("'it''\u{301}s ?' = ?") == "'it''\u{301}s ?' = $1")
    #expect(OtherDialect().inlined("a = \(bind: .text("?")) OR a = \(bind: .integer(1))") == "a = '?' OR a = 1")
  }
}
