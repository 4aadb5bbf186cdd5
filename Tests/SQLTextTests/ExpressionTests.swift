import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText
import Testing

/// Predicate expressions in SQL. The differential tests verify their results.
@Suite struct ExpressionTests {
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
    let node = try PredicateParser.tree(format, arguments: arguments)
    let plan = FetchQuery(layout: model.layout("Quake"), filter: node)
    expectOther(plan, otherWriter)
    var statement = try writer.count(plan)
    let start = "SELECT COUNT(*) FROM ZQUAKE t0 "
    try #require(statement.text.hasPrefix(start))
    statement.text.removeFirst(start.count)
    if statement.text.hasPrefix("WHERE ") { statement.text.removeFirst(6) }
    return statement
  }

  private func refusal(_ format: String) -> String {
    let error = #expect(throws: StoreError.self) { try condition(format) }
    #expect(error?.code == .unsupported)
    return error?.message ?? ""
  }

  @Test func `arithmetic uses the operators of SQL`() throws {
    #expect(
      try condition("felt * 2 + 1 > 7")
        == SQLStatement("((t0.ZFELT * ?) + ?) > ?", [.integer(2), .integer(1), .integer(7)]))
    #expect(
      try condition("cost / 2 == 1")
        == SQLStatement("(CAST(t0.ZCOST AS REAL) / ?) = ?", [.integer(2), .integer(1)]))
    #expect(try condition("time + 60 > time") == SQLStatement("(t0.ZTIME + ?) > t0.ZTIME", [.integer(60)]))
    #expect(try condition("place + 1 == nil") == "1")
  }

  @Test func `text functions and casts call functions implemented in Swift`() throws {
    #expect(
      try condition("uppercase(place) == 'CHILE'")
        == SQLStatement("STRATA_UPPERCASE(t0.ZPLACE, 7) = ?", [.text("CHILE")]))
    #expect(
      try condition("CAST(felt, 'NSString') BEGINSWITH '1'").text
        == "(STRATA_CAST(t0.ZFELT, 1, 'NSString') >= ? AND STRATA_CAST(t0.ZFELT, 1, 'NSString') < ?)")
    #expect(try condition("length(felt) == nil") == "1")
    #expect(try condition("sqrt(16) == 4") == "1")
  }

  @Test func `a ternary expression becomes a CASE`() throws {
    #expect(
      try condition("TERNARY(reviewed == YES, felt, 0) > 3")
        == SQLStatement(
          "CASE WHEN t0.ZREVIEWED = ? THEN t0.ZFELT ELSE ? END > ?", [.integer(1), .integer(0), .integer(3)]))
    #expect(refusal("TERNARY(reviewed == YES, felt, place) > 3").contains("not of one kind"))
  }

  @Test func `subqueries can be counted and quantified`() throws {
    #expect(
      try condition("SUBQUERY(tags, $t, $t.weight > felt).@count > 1")
        == SQLStatement(
          """
          (SELECT COUNT(*) FROM Z_1TAGS t1 JOIN ZTAG t2 ON t2.Z_PK = t1.Z_3TAGS WHERE t1.Z_1TAGGED = t0.Z_PK AND \
          t2.ZWEIGHT > t0.ZFELT) > ?
          """, [.integer(1)]))
    #expect(
      try condition("ANY SUBQUERY(region.quakes, $q, $q != SELF).place == 'Chile'")
        == SQLStatement(
          """
          EXISTS (SELECT 1 FROM ZQUAKE t1 WHERE t1.ZREGION = t0.ZREGION AND t1.Z_PK IS NOT t0.Z_PK AND t1.ZPLACE = ?)
          """, [.text("Chile")]))
    #expect(
      try condition("SUBQUERY(tags, $t, SUBQUERY($t.tagged, $q, $q.region == region).@count > 2).@count == 0").text
        == """
        (SELECT COUNT(*) FROM Z_1TAGS t1 WHERE t1.Z_1TAGGED = t0.Z_PK AND (SELECT COUNT(*) FROM Z_1TAGS t2 JOIN \
        ZQUAKE t3 ON t3.Z_PK = t2.Z_1TAGGED WHERE t2.Z_3TAGS = t1.Z_3TAGS AND t3.ZREGION IS t0.ZREGION) > ?) = ?
        """)
  }

  @Test func `the error names the expression that SQL cannot express`() {
    #expect(refusal("ANY (tags UNION tags) == nil").contains("tags UNION tags"))
    #expect(refusal("tags[FIRST] == nil").contains("'tags' has no order"))
    #expect(refusal("uppercase(tags.name) == 'A'").contains("has an argument with many values"))
    #expect(refusal("1 IN mode(tags.weight)").contains("mode: gives a list"))
    #expect(refusal("title == 'a'").contains("'Quake.title' is transient"))
    #expect(refusal("$x == 1").contains("the variable $x has no value"))
  }

  /// The engine prepares a statement once for all predicates of the same shape.
  @Test func `constants are bound and not part of the text`() throws {
    let pairs: [(String, String)] = [
      ("felt * 2 > 7", "felt * 3 > 8"),
      ("uppercase(place) == 'A'", "uppercase(place) == 'B'"),
      ("TERNARY(felt > 1, place, 'a') == 'b'", "TERNARY(felt > 2, place, 'c') == 'd'"),
      ("SUBQUERY(tags, $t, $t.weight > 1).@count > 1", "SUBQUERY(tags, $t, $t.weight > 2).@count > 3"),
      ("ANY tags.name == 'a'", "ANY tags.name == 'b'"), ("ALL tags.weight > 1", "ALL tags.weight > 2"),
      ("place CONTAINS[cd] 'Á'", "place CONTAINS[cd] 'É'"), ("place LIKE[c] 'A*'", "place LIKE[c] 'B?'"),
      ("place ==[c] 'A'", "place ==[c] 'B'"), ("place MATCHES 'a.'", "place MATCHES 'b.'"),
    ]
    for (first, second) in pairs {
      let fresh = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite), store: 1)
      let plan = FetchQuery(layout: model.layout("Quake"), filter: try PredicateParser.tree(second))
      let (one, other) = (try condition(first), try condition(second))
      #expect(one.text == other.text)
      #expect(one.bindings != other.bindings)
      #expect(try writer.ids(plan) == fresh.ids(plan), "\(second) from the cache")
      #expect(try writer.count(plan) == fresh.count(plan), "\(second) from the cache")
    }
  }
}
