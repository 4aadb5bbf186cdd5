import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText
import Testing

/// Aggregate queries as SQL.
@Suite struct AggregateQueryTests {
  let model: NSManagedObjectModel
  let writer: SelectWriter
  /// Writes each query in another dialect, too.
  let otherWriter: SelectWriter

  init() throws {
    model = quakeModel()
    otherWriter = SelectWriter(schema: try StoreSchema(model: model, dialect: OtherDialect()), store: 1)
    writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite), store: 1)
  }

  private func plan(_ expressions: ExpressionNode..., change: (inout AggregateQuery) -> Void = { _ in })
    -> AggregateQuery
  {
    var plan = AggregateQuery(
      rows: FetchQuery(layout: model.layout("Quake")), columns: expressions.map { ValueColumn($0) })
    change(&plan)
    if let statement = try? otherWriter.values(plan).statement {
      expectOther(statement.text, bindings: statement.bindings.count)
    }
    return plan
  }

  private func isGreater(_ left: ExpressionNode, than number: Double) -> PredicateNode {
    .comparison(ComparisonNode(left, .greater, .value(.real(number))))
  }

  @Test func `columns are the requested key paths`() throws {
    let plan = plan(.keyPath(["place"]), .keyPath(["region", "name"]), .keyPath(["region"])) {
      $0.rows.filter = isGreater(.keyPath(["magnitude"]), than: 5)
      $0.sort = [.key(SortKey(["time"], ascending: false)), .column(1, isAscending: true)]
      ($0.rows.limit, $0.rows.offset) = (5, 10)
    }
    #expect(
      try writer.values(plan).statement
        == SQLStatement(
          """
          SELECT t0.ZPLACE, t1.ZNAME, t0.ZREGION FROM ZQUAKE t0 LEFT JOIN ZREGION t1 ON t1.Z_PK = t0.ZREGION \
          WHERE t0.ZMAGNITUDE > ? ORDER BY t0.ZTIME DESC, 2, t0.Z_PK LIMIT ? OFFSET ?
          """, [.real(5), .integer(5), .integer(10)]))
  }

  @Test func `groups are written with aggregate functions`() throws {
    let maximum = ExpressionNode.function(.max, [.keyPath(["magnitude"])])
    let plan = plan(.keyPath(["place"]), maximum, .keyPath(["@count"])) {
      $0.groups = [.keyPath(["place"])]
      $0.having = isGreater(maximum, than: 6)
      $0.sort = [.column(2, isAscending: false)]
    }
    #expect(
      try writer.values(plan).statement
        == SQLStatement(
          """
          SELECT t0.ZPLACE, MAX(t0.ZMAGNITUDE), COUNT(*) FROM ZQUAKE t0 GROUP BY t0.ZPLACE \
          HAVING MAX(t0.ZMAGNITUDE) > ? ORDER BY 3 DESC, t0.ZPLACE
          """, [.real(6)]))
  }

  @Test func `distinct rows have no default order`() throws {
    let plan = plan(.keyPath(["place"])) { $0.isDistinct = true }
    #expect(try writer.values(plan).statement == "SELECT DISTINCT t0.ZPLACE FROM ZQUAKE t0")
  }

  @Test func `an aggregate over members is a value of its row`() throws {
    let plan = AggregateQuery(
      rows: FetchQuery(layout: model.layout("Region")), columns: [ValueColumn(.keyPath(["quakes", "@count"]))])
    #expect(!plan.gathersRows)
    let text = try writer.values(plan).statement.text
    #expect(text.contains("(SELECT COUNT(*) FROM ZQUAKE") && text.hasSuffix(" FROM ZREGION t0 ORDER BY t0.Z_PK"))
  }

  @Test func `the shape contains the kind of each column`() throws {
    let shape = try writer.values(plan(.keyPath(["time"]), .keyPath(["image"]), .keyPath(["region"]))).shape
    #expect(shape.sources.map(\.kind) == [.date, .data, .toOne])
    #expect(shape.sources.map(\.isExternal) == [false, true, false])
    #expect(shape.sources[2].destination == model.layout("Region").number)
  }

  @Test func `transient properties are refused`() {
    #expect(throws: StoreError.self) { try writer.values(plan(.keyPath(["title"]))) }
  }
}
