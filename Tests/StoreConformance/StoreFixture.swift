import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// A store under test, addressed by names.
struct StoreFixture {
  let store: any BackEnd
  let model = StoreConformance.model

  init(_ factory: any StoreFactory, name: String = "store", number: Int = 1, keepsHistory: Bool = true) throws {
    store = try factory.open(name, model: StoreConformance.model, number: number, keepsHistory: keepsHistory)
  }

  /// Commits the batch that `write` builds.
  /// - Returns: the permanent IDs of the inserted rows.
  @discardableResult
  func save(
    author: String? = nil, contextName: String? = nil, _ write: (inout BatchDraft) throws -> Void
  ) throws -> [RowID] {
    var draft = BatchDraft(model: model, author: author, contextName: contextName)
    try write(&draft)
    return try store.commit(draft.batch).inserted
  }

  /// Commits rows of one entity that differ only in their names.
  @discardableResult
  func saveNamed(_ entity: String, _ names: [String]) throws -> [RowID] {
    try save { draft in for name in names { try draft.insert(entity, ["name": .string(name)]) } }
  }

  /// The error that committing a batch throws.
  func refusal(
    of batch: ChangeBatch, file: StaticString = #fileID, line: UInt = #line
  ) throws -> StoreError {
    do { _ = try store.commit(batch) } catch let error as StoreError { return error }
    throw ConformanceFailure("the batch was accepted", file, line)
  }

  /// The error that `operation` throws.
  func refusal(
    file: StaticString = #fileID, line: UInt = #line, _ operation: () throws -> Void
  ) throws -> StoreError {
    do { try operation() } catch let error as StoreError { return error }
    throw ConformanceFailure("the operation did not throw", file, line)
  }

  func row(_ id: RowID) throws -> Row {
    try expectSome(try store.rows(with: [id]).rows.first, "row \(id.key) of \(model.layout(number: id.entity).name)")
  }

  /// The stored value of a row's property.
  func value(_ id: RowID, _ name: String) throws -> SlotValue {
    let row = try row(id)
    return row[try expectSome(row.layout.slot(named: name), "the slot \(name)")]
  }

  /// The member IDs of a to-many relationship.
  func related(_ owner: RowID, _ name: String) throws -> [RowID] {
    let layout = model.layout(number: owner.entity)
    return try store.related(
      to: owner, relationship: try expectSome(layout.toMany(named: name), "\(layout.name).\(name)"))
  }
}

/// Fetches.
extension StoreFixture {
  func plan(
    _ entity: String, _ filter: PredicateNode? = nil, sort: [SortKey] = [], limit: Int = 0, offset: Int = 0,
    subentities: Bool = true
  ) throws -> FetchQuery {
    FetchQuery(
      layout: try expectSome(model.entitiesByName[entity]?.layout, "the layout of \(entity)"),
      includesSubentities: subentities, filter: filter, sort: sort, limit: limit, offset: offset)
  }

  /// The names of the rows that a query selects, in its order.
  func names(_ plan: FetchQuery, of property: String = "name") throws -> [String] {
    try store.rows(for: plan).rows.map { row in
      guard let slot = row.layout.slot(named: property), case .string(let name) = row[slot] else { return "nil" }
      return name
    }
  }

  /// Checks which rows each format string selects, by name and in key order.
  func expectNames(
    _ entity: String, of property: String = "name", _ cases: [(format: String, expected: [String])],
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    for (format, expected) in cases {
      let found = try names(try plan(entity, try PredicateParser.tree(format)), of: property)
      try expectEqual(found, expected, "\(entity) where \(format)", file: file, line: line)
    }
  }
}

extension PredicateNode {
  /// Compares a key path with a constant that a format string cannot express.
  static func compare(
    _ path: [String], _ comparison: ComparisonNode.Operator, _ value: PredicateValue,
    quantifier: ComparisonNode.Quantifier = .one
  ) -> PredicateNode {
    .comparison(ComparisonNode(.keyPath(path), comparison, .value(value), quantifier: quantifier))
  }
}
