import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText
import StrataTestSupport
import Testing

@Suite struct PredicateTests {
  let model: NSManagedObjectModel
  let writer: SelectWriter
  /// Writes each query in another dialect, too.
  let otherWriter: SelectWriter

  init() throws {
    model = quakeModel()
    otherWriter = SelectWriter(schema: try StoreSchema(model: model, dialect: OtherDialect()), store: 1)
    writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite), store: 1)
  }

  /// The WHERE condition, preceded by the joined tables if any.
  private func condition(_ format: String, _ arguments: Any?...) throws -> SQLStatement {
    try condition(try PredicateParser.tree(format, arguments: arguments))
  }

  private func condition(_ node: PredicateNode) throws -> SQLStatement {
    let plan = FetchQuery(layout: model.layout("Quake"), filter: node)
    expectOther(plan, otherWriter)
    var statement = try writer.count(plan)
    let start = "SELECT COUNT(*) FROM ZQUAKE t0 "
    try #require(statement.text.hasPrefix(start))
    statement.text.removeFirst(start.count)
    if statement.text.hasPrefix("WHERE ") { statement.text.removeFirst(6) }
    return statement
  }

  private func row(_ entity: String, _ key: Int64, store: Int = 1) -> PredicateValue {
    .row(RowID(store: store, entity: model.layout(entity).number, key: key).bits)
  }

  @Test func `equality handles nil`() throws {
    #expect(try condition("place == %@", "Chile") == SQLStatement("t0.ZPLACE = ?", [.text("Chile")]))
    #expect(try condition("place != %@", "Chile") == SQLStatement("t0.ZPLACE IS NOT ?", [.text("Chile")]))
    #expect(try condition("NOT place == 'Chile'") == SQLStatement("t0.ZPLACE IS NOT ?", [.text("Chile")]))
    #expect(try condition("place == nil") == "t0.ZPLACE IS NULL")
    #expect(try condition("nil != place") == "t0.ZPLACE IS NOT NULL")
    #expect(try condition("place == link") == "t0.ZPLACE IS t0.ZLINK")
    #expect(try condition("place != link") == "t0.ZPLACE IS NOT t0.ZLINK")
  }

  @Test func `a condition on a destination becomes a subquery on its table`() throws {
    let chile = "t0.ZREGION IN (SELECT t1.Z_PK FROM ZREGION t1 WHERE t1.ZNAME > ?)"
    #expect(try condition("region.name > 'Chile'") == SQLStatement(chile, [.text("Chile")]))
    #expect(
      try condition("felt > 2 AND region.name > 'Chile' AND magnitude == nil")
        == SQLStatement("(t0.ZFELT > ? AND \(chile) AND t0.ZMAGNITUDE IS NULL)", [.integer(2), .text("Chile")]))
    #expect(
      try condition("region.name LIKE 'C*'")
        == SQLStatement(
          "t0.ZREGION IN (SELECT t1.Z_PK FROM ZREGION t1 WHERE STRATA_LIKE(t1.ZNAME, ?, 0))", [.text("C*")]))
    let names = (1...40).map { "Region \($0)" }
    #expect(
      try condition("region.name IN %@", names).text
        == "t0.ZREGION IN (SELECT t1.Z_PK FROM ZREGION t1 WHERE t1.ZNAME IN (SELECT value FROM STRATA_LIST(?)))")
    #expect(
      try condition("felt > 2 AND region.name IN %@", names).text
        .hasSuffix("t1 WHERE t1.ZNAME IN (SELECT value FROM STRATA_LIST(?))))"))
  }

  /// A region's members are counted once per region, not once for each of its quakes.
  @Test func `aggregates over members are computed once per destination`() throws {
    func of(_ value: String) -> String {
      "t0.ZREGION IN (SELECT t1.Z_PK FROM ZREGION t1 WHERE (SELECT \(value) FROM ZQUAKE t2 WHERE t2.ZREGION = t1.Z_PK)"
    }
    #expect(try condition("region.quakes.@count > 5") == SQLStatement("\(of("COUNT(*)")) > ?)", [.integer(5)]))
    #expect(try condition("region.quakes.@count == 5") == SQLStatement("\(of("COUNT(*)")) = ?)", [.integer(5)]))
    #expect(
      try condition("4.5 <= region.quakes.@max.magnitude")
        == SQLStatement(
          """
          t0.ZREGION IN (SELECT t1.Z_PK FROM ZREGION t1 WHERE ? <= \
          (SELECT MAX(t2.ZMAGNITUDE) FROM ZQUAKE t2 WHERE t2.ZREGION = t1.Z_PK))
          """, [.real(4.5)]))
    for format in [
      "region.quakes.@count != 5", "NOT region.quakes.@count > 5", "region.quakes.@max.magnitude == nil",
    ] {
      #expect(try condition(format).text.contains("CASE WHEN t0.ZREGION IS NULL THEN NULL ELSE (SELECT"))
    }
  }

  /// A condition that may hold for nil cannot be moved to the destination's table.
  @Test func `joins handle nil`() throws {
    let join = "LEFT JOIN ZREGION t1 ON t1.Z_PK = t0.ZREGION WHERE"
    #expect(
      try condition("NOT region.name > 'Chile'")
        == SQLStatement("\(join) (t1.ZNAME > ?) IS NOT TRUE", [.text("Chile")]))
    #expect(
      try condition("region.name != 'Chile'") == SQLStatement("\(join) t1.ZNAME IS NOT ?", [.text("Chile")]))
    #expect(try condition("region.name > place") == "\(join) t1.ZNAME > t0.ZPLACE")
    #expect(
      try condition("region.name IN %@", ["Chile", NSNull()] as [Any])
        == SQLStatement("\(join) (t1.ZNAME IN (?) OR t1.ZNAME IS NULL)", [.text("Chile")]))
    #expect(try condition("NOT region.name IN {'Chile'}").text.hasPrefix(join))
  }

  @Test func `a condition over two relationships nests two subqueries`() throws {
    let (quake, region, land) = (makeEntity("Quake"), makeEntity("Region"), makeEntity("Land"))
    quake.properties = [relationship("region", to: region, max: 1)]
    region.properties = [relationship("land", to: land, max: 1)]
    land.properties = [attribute("size", .double)]
    let model = frozenModel([quake, region, land])
    let filter = try PredicateParser.tree("region.land.size > 5", arguments: [])
    let statement = try SelectWriter(schema: StoreSchema(model: model, dialect: .sqlite)).count(
      FetchQuery(layout: model.layout("Quake"), filter: filter))
    #expect(
      statement.text == """
        SELECT COUNT(*) FROM ZQUAKE t0 WHERE t0.ZREGION IN (SELECT t1.Z_PK FROM ZREGION t1 \
        WHERE t1.ZLAND IN (SELECT t2.Z_PK FROM ZLAND t2 WHERE t2.ZSIZE > ?))
        """)
  }

  @Test func `ordering comparisons are false for nil`() throws {
    #expect(try condition("magnitude >= 5") == SQLStatement("t0.ZMAGNITUDE >= ?", [.integer(5)]))
    #expect(try condition("5.5 > magnitude") == SQLStatement("? > t0.ZMAGNITUDE", [.real(5.5)]))
    #expect(
      try condition("NOT magnitude < 5") == SQLStatement("(t0.ZMAGNITUDE < ?) IS NOT TRUE", [.integer(5)]))
    #expect(try condition("magnitude < nil") == "0")
    #expect(
      try condition("magnitude BETWEEN {4, 5.5}")
        == SQLStatement(
          "t0.ZMAGNITUDE BETWEEN ? AND ?", [.integer(4), .real(5.5)]))
    #expect(
      try condition("NOT felt BETWEEN %@", [1, 2])
        == SQLStatement(
          "(t0.ZFELT BETWEEN ? AND ?) IS NOT TRUE", [.integer(1), .integer(2)]))
  }

  @Test func `constants are bound in the format of their column`() throws {
    let uid = UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F")!
    let date = Date(timeIntervalSinceReferenceDate: 86_400)
    #expect(try condition("uid == %@", uid) == SQLStatement("t0.ZUID = ?", [.blob(Array(0...15))]))
    #expect(try condition("time < %@", date) == SQLStatement("t0.ZTIME < ?", [.real(86_400)]))
    #expect(try condition("reviewed == YES") == SQLStatement("t0.ZREVIEWED = ?", [.integer(1)]))
    #expect(
      try condition("cost > %@", Decimal(string: "10.11")!) == SQLStatement("t0.ZCOST > ?", [.text("10.11")]))
    #expect(
      try condition("felt > %@", Decimal(string: "10.5")!) == SQLStatement("t0.ZFELT > ?", [.real(10.5)]))
    #expect(
      try condition("link == %@", URL(string: "https://example.org")!)
        == SQLStatement(
          "t0.ZLINK = ?", [.text("https://example.org")]))
    #expect(try condition("body == %@", Data([1, 2])) == SQLStatement("t0.ZBODY = ?", [.blob([1, 2])]))
  }

  @Test func `values of different kinds are never equal`() throws {
    #expect(try condition("felt == 'many'") == "0")
    #expect(try condition("felt != 'many'") == "1")
    #expect(try condition("place < 5") == "0")
    #expect(try condition("felt == place") == "(t0.ZFELT IS NULL AND t0.ZPLACE IS NULL)")
  }

  @Test func `compound predicates are combined with AND, OR and NOT`() throws {
    #expect(
      try condition("felt == 1 AND felt == 2 OR felt == 3").text == "((t0.ZFELT = ? AND t0.ZFELT = ?) OR t0.ZFELT = ?)")
    #expect(
      try condition("NOT (felt == 1 OR NOT felt > 2)")
        == SQLStatement(
          "(t0.ZFELT IS NOT ? AND t0.ZFELT > ?)", [.integer(1), .integer(2)]))
    #expect(try condition(.and([])) == "1")
    #expect(try condition(.or([])) == "0")
    #expect(try condition("TRUEPREDICATE") == "1")
    #expect(try condition("NOT TRUEPREDICATE") == "0")
    #expect(try condition("1 == 1.0 AND 'a' IN {'b'}") == "(1 AND 0)")
  }

  @Test func `a disjunction of 3,000 terms binds every value`() throws {
    let tests = (0..<3_000).map {
      PredicateNode.comparison(ComparisonNode(.keyPath(["felt"]), .equal, .value(.integer($0))))
    }
    let statement = try condition(.or(tests))
    #expect(statement.bindings.count == 3_000)
    #expect(statement.text.hasPrefix("((((((("))
  }

  @Test func `text operators use SQL functions and ranges`() throws {
    #expect(try condition("place CONTAINS 'of'") == SQLStatement("instr(t0.ZPLACE, ?) > 0", [.text("of")]))
    #expect(
      try condition("place BEGINSWITH 'Pa'")
        == SQLStatement(
          "(t0.ZPLACE >= ? AND t0.ZPLACE < ?)", [.text("Pa"), .text("Pb")]))
    #expect(
      try condition("place BEGINSWITH %@", "P\u{D7FF}").bindings == [.text("P\u{D7FF}"), .text("P\u{E000}")])
    #expect(
      try condition("place BEGINSWITH %@", "P\u{10FFFF}").bindings == [.text("P\u{10FFFF}"), .text("Q")])
    #expect(try condition("place BEGINSWITH ''") == "t0.ZPLACE IS NOT NULL")
    #expect(
      try condition("place ENDSWITH 'ia'")
        == SQLStatement(
          "substr(CAST(t0.ZPLACE AS BLOB), -length(?)) = ?", [.blob(Array("ia".utf8)), .blob(Array("ia".utf8))]))
    #expect(
      try condition("place LIKE 'S* of ?'") == SQLStatement("STRATA_LIKE(t0.ZPLACE, ?, 0)", [.text("S* of ?")]))
    #expect(
      try condition("NOT place MATCHES[c] 'a.*'")
        == SQLStatement(
          "(STRATA_MATCHES(t0.ZPLACE, ?, 1)) IS NOT TRUE", [.text("a.*")]))
    #expect(try condition("place CONTAINS nil") == "0")
    #expect(try condition("felt CONTAINS 'a'") == "0")
    #expect(try condition("place BEGINSWITH link") == "instr(t0.ZPLACE, t0.ZLINK) = 1")
    #expect(try condition("'abc' CONTAINS place") == SQLStatement("instr(?, t0.ZPLACE) > 0", [.text("abc")]))
  }

  @Test func `comparison options fold both sides`() throws {
    #expect(
      try condition("place ==[c] 'CHILE'") == SQLStatement("STRATA_FOLD(t0.ZPLACE, 1) = ?", [.text("chile")]))
    #expect(
      try condition("place BEGINSWITH[cd] 'Ção'")
        == SQLStatement(
          "instr(STRATA_FOLD(t0.ZPLACE, 3), ?) = 1", [.text("cao")]))
    #expect(
      try condition("place IN[c] {'A', 'b'}")
        == SQLStatement(
          "STRATA_FOLD(t0.ZPLACE, 1) IN (?, ?)", [.text("a"), .text("b")]))
    #expect(try condition("felt ==[c] 1") == SQLStatement("t0.ZFELT = ?", [.integer(1)]))
  }

  @Test func `list membership handles nil and empty lists`() throws {
    #expect(
      try condition("felt IN %@", [1, 2, 3])
        == SQLStatement(
          "t0.ZFELT IN (?, ?, ?)", [.integer(1), .integer(2), .integer(3)]))
    #expect(
      try condition("NOT felt IN %@", [1]) == SQLStatement("(t0.ZFELT IN (?)) IS NOT TRUE", [.integer(1)]))
    #expect(
      try condition("place IN {'a', nil}")
        == SQLStatement(
          "(t0.ZPLACE IN (?) OR t0.ZPLACE IS NULL)", [.text("a")]))
    #expect(
      try condition("NOT place IN {'a', nil}")
        == SQLStatement(
          "(t0.ZPLACE NOT IN (?) AND t0.ZPLACE IS NOT NULL)", [.text("a")]))
    #expect(try condition("felt IN {}") == "0")
    #expect(try condition("NOT felt IN {}") == "1")
    #expect(
      try condition("felt IN {1, region.quakes.@count}").text.hasPrefix("(t0.ZFELT = ? OR t0.ZFELT IS CASE WHEN"))
  }

  @Test func `long lists share a statement text`() throws {
    #expect(try condition("felt IN %@", Array(1...9)).bindings.count == 16)
    #expect(try condition("felt IN %@", Array(1...9)).text == condition("felt IN %@", Array(1...15)).text)
    #expect(
      try condition("felt IN %@", Array(1...17))
        == SQLStatement(
          "t0.ZFELT IN (SELECT value FROM STRATA_LIST(?))", [.list(StoredList((1...17).map { Int64($0) }))]))
    let texts = try condition("place IN %@", ["b", "a\u{0}b", "b"] + (1...20).map(String.init))
    #expect(texts.text == "t0.ZPLACE IN (SELECT value FROM STRATA_LIST(?))")
    #expect(texts.bindings.first.map(SQLiteDialect.sqlite.literal)?.hasSuffix(", '8', '9', 'a\u{0}b', 'b'") == true)
    let uids = (0..<17).map { _ in UUID() }
    #expect(try condition("uid IN %@", uids).text == "t0.ZUID IN (SELECT value FROM STRATA_LIST(?))")
    #expect(throws: StoreError.self) { try condition("magnitude IN %@", (0..<40_000).map { Double($0) + 0.5 }) }
  }

  @Test func `objects are compared by key`() throws {
    let chile = row("Region", 7)
    let path = ExpressionNode.keyPath(["region"])
    func equal(_ left: ExpressionNode, _ value: PredicateValue) throws -> SQLStatement {
      try condition(.comparison(ComparisonNode(left, .equal, .value(value))))
    }
    #expect(try equal(path, chile) == SQLStatement("t0.ZREGION = ?", [.integer(7)]))
    #expect(try equal(path, row("Region", 7, store: 2)) == "0")
    #expect(try equal(path, row("Tag", 7)) == "0")
    #expect(try equal(.evaluatedObject, row("Quake", 3)) == SQLStatement("t0.Z_PK = ?", [.integer(3)]))
    #expect(
      try condition(.comparison(ComparisonNode(path, .in, .value(.list([chile, .null])))))
        == SQLStatement(
          "(t0.ZREGION IN (?) OR t0.ZREGION IS NULL)", [.integer(7)]))
  }

  @Test func `each relationship of key paths is joined once`() throws {
    #expect(
      try condition("region.name == 'Chile' OR region.name BEGINSWITH 'P'")
        == SQLStatement(
          """
          LEFT JOIN ZREGION t1 ON t1.Z_PK = t0.ZREGION WHERE (t1.ZNAME = ? OR (t1.ZNAME >= ? AND t1.ZNAME < ?))
          """, [.text("Chile"), .text("P"), .text("Q")]))
  }

  @Test func `quantifiers test members with EXISTS`() throws {
    let any = "(SELECT 1 FROM Z_1TAGS t1 JOIN ZTAG t2 ON t2.Z_PK = t1.Z_3TAGS WHERE t1.Z_1TAGGED = t0.Z_PK AND "
    let sea: [StoredValue] = [.text("sea")]
    #expect(try condition("ANY tags.name == 'sea'") == SQLStatement("EXISTS \(any)t2.ZNAME = ?)", sea))
    #expect(try condition("NONE tags.name == 'sea'") == SQLStatement("NOT EXISTS \(any)t2.ZNAME = ?)", sea))
    #expect(try condition("ALL tags.name == 'sea'") == SQLStatement("NOT EXISTS \(any)t2.ZNAME IS NOT ?)", sea))
    #expect(try condition("NOT ALL tags.name == 'sea'") == SQLStatement("EXISTS \(any)t2.ZNAME IS NOT ?)", sea))
    #expect(try condition("'sea' IN tags.name") == SQLStatement("EXISTS \(any)t2.ZNAME = ?)", sea))
    #expect(try condition("tags.name CONTAINS 'sea'") == SQLStatement("EXISTS \(any)t2.ZNAME = ?)", sea))
    #expect(try condition("ANY tags.name == place") == SQLStatement("EXISTS \(any)t2.ZNAME IS t0.ZPLACE)"))
  }

  @Test func `comparing a member itself needs no join`() throws {
    let tag = row("Tag", 4)
    let expected = SQLStatement(
      "EXISTS (SELECT 1 FROM Z_1TAGS t1 WHERE t1.Z_1TAGGED = t0.Z_PK AND t1.Z_3TAGS = ?)", [.integer(4)])
    #expect(
      try condition(.comparison(ComparisonNode(.keyPath(["tags"]), .equal, .value(tag), quantifier: .any))) == expected)
    #expect(try condition(.comparison(ComparisonNode(.keyPath(["tags"]), .contains, .value(tag)))) == expected)
    #expect(try condition(.comparison(ComparisonNode(.value(tag), .in, .keyPath(["tags"])))) == expected)
  }

  @Test func `a quantifier can follow several relationships`() throws {
    #expect(
      try condition("ANY region.quakes.tags.weight > 2")
        == SQLStatement(
          """
          EXISTS (SELECT 1 FROM ZQUAKE t1 JOIN Z_1TAGS t2 ON t2.Z_1TAGGED = t1.Z_PK LEFT JOIN ZTAG t3 ON \
          t3.Z_PK = t2.Z_3TAGS WHERE t1.ZREGION = t0.ZREGION AND t3.ZWEIGHT > ?)
          """, [.integer(2)]))
  }

  @Test func `collection operators become aggregate subqueries`() throws {
    #expect(
      try condition("tags.@count > 1")
        == SQLStatement(
          "(SELECT COUNT(*) FROM Z_1TAGS t1 WHERE t1.Z_1TAGGED = t0.Z_PK) > ?", [.integer(1)]))
    #expect(
      try condition("tags.@sum.weight == 0").text == """
        (SELECT IFNULL(SUM(t2.ZWEIGHT), 0) FROM Z_1TAGS t1 JOIN ZTAG t2 ON t2.Z_PK = t1.Z_3TAGS \
        WHERE t1.Z_1TAGGED = t0.Z_PK) = ?
        """)
    #expect(
      try condition("NOT region.quakes.@max.time < %@", Date(timeIntervalSinceReferenceDate: 5))
        == SQLStatement(
          """
          (CASE WHEN t0.ZREGION IS NULL THEN NULL ELSE (SELECT MAX(t1.ZTIME) FROM ZQUAKE t1 \
          WHERE t1.ZREGION = t0.ZREGION) END < ?) IS NOT TRUE
          """, [.real(5)]))
  }

  @Test func `a filter that SQL cannot express is refused by name`() throws {
    for (format, name) in [
      ("title == 'x'", "Quake.title"), ("nothing == 1", "nothing"), ("place.size == 1", "Quake.place"),
      ("image == reviewed", "Quake.image"), ("felt == $limit", "$limit"), ("tags.name == 'x'", "ANY"),
      ("felt IN 5", "IN"),
    ] {
      let error = #expect(throws: StoreError.self) { try condition(format) }
      #expect(error?.message.contains(name) == true, "\(format): \(error?.message ?? "")")
    }
  }
}
