import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// SQLite's query plans for the statements: https://www.sqlite.org/eqp.html
@Suite struct IndexTests {
  private let folder: TemporaryFolder
  private let connection: Connection
  private let writer: SelectWriter
  private let model: NSManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = Self.quakeModel()
    let url = folder.url("indexed.sqlite")
    let store = try SQLStore(opening: url, model: model, number: 1, options: SQLStoreOptions())
    store.close()
    connection = try Connection(path: url.path, mode: .readOnly, busyTimeout: 1)
    connection.define("STRATA_FOLD", argumentCount: 2) { _ in .null }
    connection.define("STRATA_LIKE", argumentCount: 3) { _ in .null }
    connection.defineCollations()
    connection.defineLists()
    writer = SelectWriter(schema: try StoreSchema(model: model, dialect: .sqlite), store: 1)
  }

  /// Quakes, some with felt reports, in regions; code is unique, magnitude and place have an index each, region and
  /// time a compound one.
  private static func quakeModel() -> NSManagedObjectModel {
    let attributes = [
      attribute("code"), attribute("place"), attribute("magnitude", .double), attribute("time", .date),
      attribute("depth", .double),
    ]
    let quake = makeEntity("Quake", unique: [["code"]], attributes, subentities: [makeEntity("FeltQuake")])
    let model = makeModel(quake, makeEntity("Region", [attribute("number", .integer32)]))
      .relate("Region", "quakes", .many, "Quake", "region", .one)
    func index(_ name: String, _ properties: NSPropertyDescription...) -> NSFetchIndexDescription {
      NSFetchIndexDescription(
        name: name, elements: properties.map { NSFetchIndexElementDescription(property: $0, collationType: .binary) })
    }
    quake.indexes = [
      index("byMagnitude", attributes[2]), index("byPlace", attributes[1]),
      index("byRegionAndTime", quake.propertiesByName["region"]!, attributes[3]), index("byTime", attributes[3]),
    ]
    model.freeze()
    return model
  }

  /// The first line of a fetch's query plan.
  private func plan(
    _ format: String?, _ arguments: Any?..., of entity: String = "Quake", sort: [SortKey] = [], limit: Int = 0
  ) throws -> String {
    try wholePlan(format, arguments, of: entity, sort: sort, limit: limit).first ?? ""
  }

  private func wholePlan(
    _ format: String?, _ arguments: [Any?] = [], of entity: String = "Quake", sort: [SortKey] = [], limit: Int = 0
  ) throws -> [String] {
    let region = PredicateValue.row(RowID(store: 1, entity: 3, key: 1).bits)
    let filter = try format.map {
      try PredicateParser.tree($0, arguments: arguments).substituting(variables: ["REGION": region])
    }
    return try wholePlan(filter, of: entity, sort: sort, limit: limit)
  }

  private func wholePlan(
    _ filter: PredicateNode?, of entity: String, sort: [SortKey] = [], limit: Int = 0
  ) throws -> [String] {
    let layout = try #require(model.entitiesByName[entity]?.layout)
    let statement = try writer.rows(FetchQuery(layout: layout, filter: filter, sort: sort, limit: limit)).statement
    let prepared = try connection.statement("EXPLAIN QUERY PLAN " + statement.text)
    try prepared.bind(statement.bindings)
    defer { prepared.reset() }
    var lines: [String] = []
    while try prepared.step() { lines.append(prepared.text(3) ?? "") }
    return lines
  }

  @Test func `comparisons with constants use the index`() throws {
    let index = "SEARCH t0 USING INDEX Z_Quake_byMagnitude"
    #expect(try plan("magnitude == 5") == "\(index) (ZMAGNITUDE=?)")
    #expect(try plan("magnitude == nil") == "\(index) (ZMAGNITUDE=?)")
    #expect(try plan("magnitude > 5") == "\(index) (ZMAGNITUDE>?)")
    #expect(try plan("5 >= magnitude") == "\(index) (ZMAGNITUDE<?)")
    #expect(try plan("magnitude BETWEEN {4, 5}") == "\(index) (ZMAGNITUDE>? AND ZMAGNITUDE<?)")
    #expect(try plan("magnitude IN {4, 5, 6}") == "\(index) (ZMAGNITUDE=?)")
    #expect(try plan("magnitude == 5 AND depth > 3") == "\(index) (ZMAGNITUDE=?)")
    #expect(try plan("place BEGINSWITH 'Chi'") == "SEARCH t0 USING INDEX Z_Quake_byPlace (ZPLACE>? AND ZPLACE<?)")
    #expect(try plan("code == 'a'") == "SEARCH t0 USING INDEX Z_Quake_UNIQUE_code (ZCODE=?)")
    #expect(try plan("region == $REGION") == "SEARCH t0 USING INDEX ZQUAKE_ZREGION_INDEX (ZREGION=?)")
    #expect(
      try plan("region == $REGION AND time > %@", Date())
        == "SEARCH t0 USING INDEX Z_Quake_byRegionAndTime (ZREGION=? AND ZTIME>?)")
  }

  /// A partial index's condition must contain neither parameters nor subqueries.
  @Test func `a partial index lists every member of a long list`() throws {
    let place = attribute("place")
    let quake = makeEntity("Quake", [place])
    let index = NSFetchIndexDescription(
      name: "known", elements: [NSFetchIndexElementDescription(property: place, collationType: .binary)])
    let places = (1...600).map { "place \($0)?" }
    index.partialIndexPredicate = NSPredicate(format: "place IN %@", places)
    quake.indexes = [index]
    let model = makeModel(quake)
    model.freeze()
    let url = folder.url("partial.sqlite")
    try SQLStore(opening: url, model: model, number: 1, options: SQLStoreOptions()).close()
    let connection = try Connection(path: url.path, mode: .readOnly, busyTimeout: 1)
    let text = try connection.value("SELECT sql FROM sqlite_master WHERE name = 'Z_Quake_known'")
    guard case .text(let text)? = text else { throw StoreError(.unsupported, "the index does not exist") }
    #expect(text.contains("WHERE ZPLACE IN ('place 1?', 'place 2?', "))
    #expect(text.contains("'place 599?', 'place 600?'"))
  }

  /// SQLite would materialize a list in brackets as a separate index first.
  @Test func `long lists use the index`() throws {
    let list = "SCAN list VIRTUAL TABLE INDEX 0:"
    let codes = (0..<600).map { "c\($0)" }
    let byCode = "SEARCH t0 USING INDEX Z_Quake_UNIQUE_code (ZCODE=?)"
    let regions = PredicateValue.list((1...600).map { .row(RowID(store: 1, entity: 3, key: $0).bits) })
    func isIn(_ path: [String], _ value: PredicateValue) -> PredicateNode {
      .comparison(ComparisonNode(.keyPath(path), .in, .value(value)))
    }
    #expect(try wholePlan("code IN %@", [codes]) == [list, byCode])
    #expect(try wholePlan("time > %@ AND code IN %@", [Date(), codes]) == [list, byCode])
    #expect(try wholePlan("code IN %@", [codes], of: "FeltQuake") == [list, byCode])
    #expect(
      try wholePlan("magnitude IN %@", [Array(0..<600)], of: "FeltQuake") == [
        list, "SEARCH t0 USING INDEX Z_Quake_byMagnitude (ZMAGNITUDE=?)",
      ])
    #expect(
      try wholePlan(isIn(["region"], regions), of: "FeltQuake") == [
        list, "SEARCH t0 USING INDEX ZQUAKE_ZREGION_INDEX (ZREGION=?)",
      ])
    #expect(
      try wholePlan(isIn(["self"], regions), of: "Region") == [list, "SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"])
    // Without an index the rows are scanned once, not once per member.
    #expect(try wholePlan("depth IN %@", [Array(0..<600)]).first == "SCAN t0")
  }

  /// If the entity must be tested too, the index on the entity would match nearly all rows.
  @Test func `subentities use the attribute's index`() throws {
    let index = "SEARCH t0 USING INDEX Z_Quake_byMagnitude"
    #expect(try plan("magnitude > 5", of: "FeltQuake") == "\(index) (ZMAGNITUDE>?)")
    #expect(try plan("magnitude == 5", of: "FeltQuake") == "\(index) (ZMAGNITUDE=?)")
    #expect(
      try plan(nil, of: "FeltQuake", sort: [SortKey(["time"], ascending: false)], limit: 10)
        == "SCAN t0 USING INDEX Z_Quake_byTime")
    #expect(try plan("depth > 5", of: "FeltQuake") == "SEARCH t0 USING INDEX ZQUAKE_Z_ENT_INDEX (Z_ENT=?)")
  }

  @Test func `a sorted fetch with a limit reads the index`() throws {
    let byTime = [SortKey(["time"], ascending: false)]
    #expect(try plan(nil, sort: byTime, limit: 50) == "SCAN t0 USING INDEX Z_Quake_byTime")
    #expect(try plan("depth > 100", sort: byTime, limit: 50) == "SCAN t0 USING INDEX Z_Quake_byTime")
    #expect(try plan(nil) == "SCAN t0")
  }

  @Test func `ranges on related rows use the relationship's index`() throws {
    let index = "SEARCH t0 USING INDEX ZQUAKE_ZREGION_INDEX (ZREGION=?)"
    #expect(try plan("region.number < 5") == index)
    #expect(try plan("depth > 3 AND region.number BETWEEN {5, 6}") == index)
    #expect(try plan("5 >= region.number", sort: [SortKey(["depth"])], limit: 10) == index)
    #expect(try plan("region.number < 5", of: "FeltQuake") == index)
    #expect(try plan("region.number IN %@", Array(1...600)) == index)
    #expect(try plan("depth > 3 AND region.number IN %@", Array(1...600)) == index)
  }

  @Test func `members of related rows are counted once for each destination`() throws {
    for format in ["region.quakes.@count > 5", "region.quakes.@count == 5"] {
      #expect(
        try wholePlan(format).filter { !$0.contains("SUBQUERY") } == [
          "SEARCH t0 USING INDEX ZQUAKE_ZREGION_INDEX (ZREGION=?)", "SCAN t1",
          "SEARCH t2 USING COVERING INDEX ZQUAKE_ZREGION_INDEX (ZREGION=?)",
        ])
    }
  }

  /// If an index on the rows themselves finds or orders them, conditions on related rows are evaluated last.
  @Test func `other indexes take precedence over ranges on related rows`() throws {
    let index = "SEARCH t0 USING INDEX Z_Quake_byMagnitude"
    let number = "region.number < 5"
    #expect(try plan("\(number) AND magnitude == 5") == "\(index) (ZMAGNITUDE=?)")
    #expect(try plan("\(number) AND magnitude > 5") == "\(index) (ZMAGNITUDE>?)")
    #expect(try plan(number, sort: [SortKey(["time"])], limit: 10) == "SCAN t0 USING INDEX Z_Quake_byTime")
    #expect(try plan(number, limit: 10) == "SCAN t0")
  }

  @Test func `noindex prevents the use of an index`() throws {
    #expect(try plan("noindex(magnitude) == 5") == "SCAN t0")
    #expect(try plan("noindex(code) == 'a' AND magnitude == 5").contains("byMagnitude"))
  }

  /// An index on folded text would need a function of this framework, so other programs could not write to the table.
  @Test func `folded comparisons do not use an index`() throws {
    #expect(try plan("place ==[c] 'chile'") == "SCAN t0")
    #expect(try plan("place BEGINSWITH[cd] 'chi'") == "SCAN t0")
    #expect(try plan("place CONTAINS 'hil'") == "SCAN t0")
  }
}
