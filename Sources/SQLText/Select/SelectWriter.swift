import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Writes SELECT statements: query -> SQL.
package struct SelectWriter: Sendable {
  package let schema: StoreSchema
  var dialect: any SQLDialect { schema.dialect }
  let conditions: PredicateCompiler
  private let selections = MemoCache<Int, Selection>()
  private let cache: SelectCache
  let relatedTexts = MemoCache<Int, String?>()
  private let lookUps = MemoCache<Int, (text: String, shape: RowShape)>()

  /// - Parameter store: the number of the store in row IDs, so that rows of other stores in a predicate equal nothing;
  ///   0 accepts IDs of any store.
  package init(schema: StoreSchema, store: Int = 0) {
    self.schema = schema
    conditions = PredicateCompiler(schema: schema, dialect: schema.dialect, store: store)
    cache = SelectCache(conditions: conditions)
  }

  /// The rows of a query with all their stored values. Ordered only if the query has its own order: to sort what an index
  /// found, with all columns, would take SQLite a third of the total time.
  /// - Parameter packing: whether the dialect packs the rows into a single column, one by one or, without an order, all
  ///   together. Rows that it cannot pack are returned as columns.
  /// - Throws: `.unsupported` for what SQL cannot say, such as a transient property.
  package func rows(_ query: FetchQuery, packing: Bool = false) throws -> (statement: SQLStatement, shape: RowShape) {
    let kind = packing ? SelectCache.Kind.packed : .rows
    if case (let statement, let shape?)? = try cache.statement(for: query, kind) { return (statement, shape) }
    let selection = selection(of: query.layout, includesSubentities: query.includesSubentities)
    let columns = columns(of: selection, packedBy: packing ? (query.hasOwnOrder ? .row : .rows) : nil)
    let statement = dialect.finished(try select(columns, of: query, isOrdered: query.hasOwnOrder))
    try cache.keep(statement, shape: selection.shape, for: query, kind: kind)
    return (statement, selection.shape)
  }

  private func columns(of selection: Selection, packedBy packing: RowPacking?) -> String {
    packing.flatMap { dialect.packed(selection.columns, by: $0) } ?? selection.columns.commaSeparated
  }

  /// The keys of a query's rows, and their Z_ENTs unless all are of one entity. Ordered only if the query has its own
  /// order.
  package func ids(_ query: FetchQuery) throws -> SQLStatement {
    if let (statement, _) = try cache.statement(for: query, .ids) { return statement }
    let columns = keyColumns(of: query).joined(separator: ", ")
    let statement = dialect.finished(try select(columns, of: query, isOrdered: query.hasOwnOrder))
    try cache.keep(statement, shape: nil, for: query, kind: .ids)
    return statement
  }

  /// The same in any order, so that the smallest index of the table serves, for half the cost of reading the table;
  /// gathered by the dialect if it can.
  package func unorderedIDs(_ query: FetchQuery) throws -> SQLStatement {
    if let (statement, _) = try cache.statement(for: query, .unorderedIDs) { return statement }
    let names = keyColumns(of: query)
    let columns = dialect.packed(names, by: .rowIDs) ?? names.joined(separator: ", ")
    let statement = dialect.finished(try select(columns, of: query, isOrdered: false))
    try cache.keep(statement, shape: nil, for: query, kind: .unorderedIDs)
    return statement
  }

  /// The number in the model of the entity of all of a query's rows; nil if they may be of several.
  package func entity(of query: FetchQuery) -> Int? {
    // The statement excludes other entities in the table.
    !query.includesSubentities || query.layout.subtreeNumbers.count == 1 ? query.layout.number : nil
  }

  /// The table of a query's entities if it holds no others, so that without a filter the query selects all of its rows.
  package func ownTable(of query: FetchQuery) -> String? {
    entityTest(query, on: "") == nil ? schema.table(of: query.layout).name : nil
  }

  private func keyColumns(of query: FetchQuery) -> [String] {
    let names = schema.rowColumns
    return (entity(of: query) == nil ? [names.key, names.entity] : [names.key]).map { "t0.\($0)" }
  }

  /// The number of rows that a query selects.
  package func count(_ query: FetchQuery) throws -> SQLStatement {
    if let (statement, _) = try cache.statement(for: query, .count) { return statement }
    let statement = dialect.finished(try writtenCount(query))
    try cache.keep(statement, shape: nil, for: query, kind: .count)
    return statement
  }

  private func writtenCount(_ query: FetchQuery) throws -> SQLStatement {
    var unordered = query
    unordered.sort = []
    guard query.hasWindow else { return try select("COUNT(*)", of: unordered, isOrdered: false) }
    let rows = try select("1", of: unordered, isOrdered: false)
    return "SELECT COUNT(*) FROM (\(rows))\(dialect.derivedTableAlias)"
  }

  /// Rows by key, in any order. A row of an entity outside the layout's family has no shape.
  /// - Parameter packing: see `rows(_:packing:)`.
  package func rows(
    of layout: EntityLayout, _ keys: KeyPredicate, packing: Bool = false
  ) -> (text: String, shape: RowShape) {
    lookUps.value(SelectKey.number(layout, keys, packing)) {
      let selection = selection(of: layout, includesSubentities: true)
      let columns = columns(of: selection, packedBy: packing ? (keys == .one ? .row : .rows) : nil)
      let condition = keys.condition(on: "t0.\(schema.rowColumns.key)", in: dialect)
      let text = "SELECT \(columns) FROM \(schema.table(of: layout).name) t0 WHERE \(condition)"
      return (dialect.finished(text), selection.shape)
    }
  }

  private func selection(of layout: EntityLayout, includesSubentities: Bool) -> Selection {
    selections.value(SelectKey.number(layout, nil, includesSubentities)) {
      let family = includesSubentities ? layout.subtreeNumbers : [layout.number]
      return Selection(of: family.map(schema.model.layout), in: schema)
    }
  }

  func select(_ columns: String, of query: FetchQuery, isOrdered: Bool) throws -> SQLStatement {
    let scope = QueryScope(of: query.layout, in: schema)
    let list = try leadingList(of: query, in: scope)
    var tests = try self.tests(list?.rest ?? query, in: scope, areFound: list != nil)
    if let list { tests.insert(list.condition, at: 0) }
    let order = isOrdered ? try self.order(of: query, in: scope) : ""
    var statement: SQLStatement = "SELECT \(columns) FROM \(list?.clause ?? "")\(scope.fromClause)"
    if !tests.isEmpty { statement.append(" WHERE \(tests.joined(separator: " AND "))") }
    statement.append(order)
    statement.append(window(query))
    return statement
  }

  /// The conditions on a query's rows.
  /// - Parameter areFound: whether another condition already finds them.
  func tests(_ query: FetchQuery, in scope: QueryScope, areFound: Bool = false) throws -> [SQLStatement] {
    let isFound = areFound || asksDestinations(query) || usesIndex(query)
    let column = "t0.\(schema.rowColumns.entity)"
    let test = entityTest(query, on: isFound ? dialect.unindexed(column) : column)
    var tests: [SQLStatement] = []
    if let test { tests.append(SQLStatement(test)) }
    if let condition = try filterCondition(of: query, in: scope) { tests.append(condition) }
    return tests
  }

  func filterCondition(of query: FetchQuery, in scope: QueryScope) throws -> SQLStatement? {
    guard let filter = query.filter else { return nil }
    return try asksDestinations(query)
      ? conditions.conditionAskingDestinations(filter, in: scope) : conditions.condition(filter, in: scope)
  }

  /// The condition that excludes other entities in the table; nil if the table has no other entities.
  /// - Parameter column: that of Z_ENT.
  func entityTest(_ query: FetchQuery, on column: String) -> String? {
    let family = query.includesSubentities ? query.layout.subtreeNumbers : [query.layout.number]
    guard schema.holdsOthers(than: family, inTableOf: query.layout) else { return nil }
    let numbers = family.map(schema.storedNumber).sorted()
    return numbers.count == 1
      ? "\(column) = \(numbers[0])" : "\(column) IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  private func order(of query: FetchQuery, in scope: QueryScope) throws -> SQLStatement {
    var order: SQLStatement = " ORDER BY "
    for key in query.sort {
      guard let text = try conditions.operand(.keyPath(key.keyPath), in: scope).text else {
        throw conditions.unsupported("the sort key '\(key.keyPath.joined(separator: "."))' is to-many.")
      }
      if text.text == scope.key {
        order.append(text)
        order.append(key.isAscending ? "" : " DESC")
        return order
      }
      order.append(try conditions.orderTerm(text, by: key.comparison, isAscending: key.isAscending))
      order.append(", ")
    }
    let key = usesOpenRange(query) ? dialect.unindexed(scope.key) : scope.key
    order.append(query.reversesTies ? "\(key) DESC" : "\(key)")
    return order
  }
}

/// The keys of the caches, each in one number: before the first dictionary of a type of our own as the key, Swift searches
/// all conformances of the program.
enum SelectKey {
  /// - Parameter keys: nil if the text is not about a list of keys.
  static func number(_ layout: EntityLayout, relationship: Int = 0, _ keys: KeyPredicate?, _ flag: Bool) -> Int {
    let (kind, count) = keys?.code ?? (0, 0)
    // A row's ID has room for 12 bits of the entity's number, and `KeyParts` makes lists of at most 512 keys.
    precondition(count < 1 << 10, "a list of keys that is too long")
    return count << 52 | relationship << 20 | layout.number << 4 | kind << 1 | (flag ? 1 : 0)
  }
}
