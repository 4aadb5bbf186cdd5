import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Writes queries: PLAN -> SQL.
package struct SelectWriter: Sendable {
  /// The tables that are read.
  package let schema: StoreSchema
  let conditions: PredicateCompiler
  private let selections = MemoCache<SelectionKey, Selection>()
  private let plans: PlanCache
  let relatedTexts = MemoCache<RelatedKey, String?>()
  private let lookUps = MemoCache<LookUpKey, (text: String, shape: RowShape)>()

  /// - Parameter store: the number of the store in row ids, so that rows of other stores in a predicate equal none of
  ///   this one's; 0 takes ids of any store.
  package init(schema: StoreSchema, dialect: SQLDialect = .sqlite, store: Int = 0) {
    self.schema = schema
    conditions = PredicateCompiler(schema: schema, dialect: dialect, store: store)
    plans = PlanCache(conditions: conditions)
  }

  /// The rows of a plan with all their stored values: in the plan's order if it has one of its own, else as they are found.
  /// What an index finds SQLite would sort with all columns, for a third of the time of the whole.
  /// - Parameter packing: whether the engine packs the rows with `SQLDialect.packing`, the one column of the result then, or
  ///   without an order with `SQLDialect.packingAll`; rows with too many columns for that come as they are.
  /// - Throws: `.unsupported` for what SQL cannot say, such as a transient property.
  package func rows(_ plan: FetchQuery, packing: Bool = false) throws -> (statement: SQLStatement, shape: RowShape) {
    let query = packing ? PlanCache.Query.packed : .rows
    if case (let statement, let shape?)? = try plans.statement(for: plan, query) { return (statement, shape) }
    let selection = selection(of: plan.layout, includesSubentities: plan.includesSubentities)
    let function = packing ? (plan.hasOwnOrder ? SQLDialect.packing : SQLDialect.packingAll) : nil
    let statement = try self.query(columns(selection, function), plan, isOrdered: plan.hasOwnOrder)
    try plans.keep(statement, selection.shape, for: plan, query)
    return (statement, selection.shape)
  }

  private func columns(_ selection: Selection, _ function: String?) -> String {
    guard let function, selection.shape.columnCount <= conditions.dialect.mostArguments else { return selection.text }
    return "\(function)(\(selection.text))"
  }

  /// The keys of the rows of a plan, and their Z_ENTs unless all are of one entity: in its order if it has one of its own,
  /// else as they are found.
  package func ids(_ plan: FetchQuery) throws -> SQLStatement {
    if let (statement, _) = try plans.statement(for: plan, .ids) { return statement }
    let statement = try query(keyColumns(of: plan), plan, isOrdered: plan.hasOwnOrder)
    try plans.keep(statement, nil, for: plan, .ids)
    return statement
  }

  /// The same in any order, as the smallest index of the table gives them for half of what reading the table costs, and
  /// gathered by `SQLDialect.gathering`.
  package func unorderedIDs(_ plan: FetchQuery) throws -> SQLStatement {
    if let (statement, _) = try plans.statement(for: plan, .unorderedIDs) { return statement }
    let statement = try query("\(SQLDialect.gathering)(\(keyColumns(of: plan)))", plan, isOrdered: false)
    try plans.keep(statement, nil, for: plan, .unorderedIDs)
    return statement
  }

  /// The number in the model of the entity that all rows of a plan are of; nil if each row says its own.
  package func entity(of plan: FetchQuery) -> Int? {
    // Others in the table are left out by the statement.
    !plan.includesSubentities || plan.layout.familyNumbers.count == 1 ? plan.layout.number : nil
  }

  /// The table whose rows are all of a plan's entities, so that without a filter the plan selects each of them; nil if it
  /// may hold others.
  package func ownTable(of plan: FetchQuery) -> String? {
    entityTest(plan) == nil ? schema.table(of: plan.layout).name : nil
  }

  private func keyColumns(of plan: FetchQuery) -> String { entity(of: plan) == nil ? "t0.Z_PK, t0.Z_ENT" : "t0.Z_PK" }

  /// How many rows a plan selects: one row of one column.
  package func count(_ plan: FetchQuery) throws -> SQLStatement {
    if let (statement, _) = try plans.statement(for: plan, .count) { return statement }
    let statement = try writtenCount(plan)
    try plans.keep(statement, nil, for: plan, .count)
    return statement
  }

  private func writtenCount(_ plan: FetchQuery) throws -> SQLStatement {
    var unordered = plan
    unordered.sort = []
    guard plan.hasWindow else { return try query("COUNT(*)", unordered, isOrdered: false) }
    return "SELECT COUNT(*) FROM (\(try query("1", unordered, isOrdered: false)))"
  }

  /// Rows by key; their order is not said. A row of another entity than the layout's family has no shape.
  /// - Parameter packing: see `rows(_:packing:)`.
  package func rows(
    of layout: EntityLayout, _ keys: KeyPredicate, packing: Bool = false
  ) -> (text: String, shape: RowShape) {
    lookUps.value(LookUpKey(entity: layout.number, keys: keys, packing: packing)) {
      let selection = selection(of: layout, includesSubentities: true)
      let function = packing ? (keys == .one ? SQLDialect.packing : SQLDialect.packingAll) : nil
      let (table, columns) = (schema.table(of: layout).name, columns(selection, function))
      return ("SELECT \(columns) FROM \(table) t0 WHERE t0.Z_PK \(keys.text)", selection.shape)
    }
  }

  private func selection(of layout: EntityLayout, includesSubentities: Bool) -> Selection {
    selections.value(SelectionKey(number: layout.number, includesSubentities: includesSubentities)) {
      let family = includesSubentities ? layout.familyNumbers : [layout.number]
      return Selection(of: family.map(schema.model.layout), in: schema)
    }
  }

  func query(_ columns: String, _ plan: FetchQuery, isOrdered: Bool = true) throws -> SQLStatement {
    let scope = QueryScope(of: plan.layout, table: schema.table(of: plan.layout).name)
    let list = try leadingList(of: plan, in: scope)
    var tests = try self.tests(list?.rest ?? plan, in: scope, areFound: list != nil)
    if let list { tests.insert(list.condition, at: 0) }
    let order = isOrdered ? try self.order(of: plan, in: scope) : ""
    var statement: SQLStatement = "SELECT \(columns) FROM \(list?.source ?? "")\(scope.from)"
    if !tests.isEmpty { statement.append(" WHERE \(tests.joined(separator: " AND "))") }
    statement.append(order)
    statement.append(window(plan))
    return statement
  }

  /// What the rows of a plan must satisfy.
  /// - Parameter areFound: whether something else that must hold finds them.
  func tests(_ plan: FetchQuery, in scope: QueryScope, areFound: Bool = false) throws -> [SQLStatement] {
    let alias = areFound || asksDestinations(plan) || usesIndex(plan) ? "+t0." : "t0."
    return [entityTest(plan, alias: alias).map { SQLStatement($0) }, try filter(of: plan, in: scope)].compactMap { $0 }
  }

  /// The filter of a plan; nil if it has none.
  func filter(of plan: FetchQuery, in scope: QueryScope) throws -> SQLStatement? {
    guard let filter = plan.filter else { return nil }
    return try asksDestinations(plan)
      ? conditions.conditionAskingDestinations(filter, in: scope) : conditions.condition(filter, in: scope)
  }

  /// What tells the plan's entities from others in the table; nil if there are no others.
  func entityTest(_ plan: FetchQuery, alias: String = "t0.") -> String? {
    let family = plan.includesSubentities ? plan.layout.familyNumbers : [plan.layout.number]
    guard schema.holdsOthers(than: family, inTableOf: plan.layout) else { return nil }
    let numbers = family.map(schema.storedNumber).sorted()
    return numbers.count == 1
      ? "\(alias)Z_ENT = \(numbers[0])" : "\(alias)Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  /// NULL comes first in ascending order and text goes by its bytes without a collation; both are SQLite's own ways.
  private func order(of plan: FetchQuery, in scope: QueryScope) throws -> SQLStatement {
    var order: SQLStatement = " ORDER BY "
    if usesOpenRange(plan) { order.append("+") }
    for key in plan.sort {
      guard let text = try conditions.operand(.keyPath(key.keyPath), in: scope).text else {
        throw conditions.unsupported("the sort key '\(key.keyPath.joined(separator: "."))' is to-many.")
      }
      order.append(text)
      if text.text == scope.key {
        order.append(key.isAscending ? "" : " DESC")
        return order
      }
      if let collation = conditions.dialect.collation(key.comparison) { order.append(" COLLATE \(collation)") }
      order.append(key.isAscending ? ", " : " DESC, ")
    }
    order.append(plan.reversesTies ? "\(scope.key) DESC" : "\(scope.key)")
    return order
  }
}

/// What a text of rows by key depends on.
private struct LookUpKey: Hashable {
  var entity: Int
  var keys: KeyPredicate
  var packing: Bool
}

/// What a selection of columns depends on.
private struct SelectionKey: Hashable {
  var number: Int
  var includesSubentities: Bool
}
