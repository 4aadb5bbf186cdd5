import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// Queries whose results in SQL would differ from those in memory: the server finds more rows, and they are tested,
/// ordered and summed up here, all as of one moment.
extension ServerReader {
  /// The rows of a query, in its order.
  /// - Throws: `.unsupported` for requests that no store supports.
  func rowsFilteredInMemory(for query: FetchQuery) throws -> [Row] {
    try QueryCheck.check(query)
    return try inOneMoment {
      let (asked, rest) = try split(query)
      let rows = try self.rows(for: asked).inOrderOfKeys.rows
      let reader = RowReader(ConnectionView(self))
      reader.keep(rows)
      var subjects = rows.map { (row: $0, subject: ViewedRow($0, reader)) }
      do {
        if let rest { subjects = try subjects.filter { try rest.evaluate(on: $0.subject) } }
        if !query.sort.isEmpty {
          let values = try subjects.map { subject in
            try query.sort.map { try PredicateResult.subject(subject.subject).sortValue(at: $0.keyPath) }
          }
          subjects = query.order(of: values).map { subjects[$0] }
        }
      } catch {
        throw reader.failure ?? refusal(of: query.layout, error)
      }
      if let failure = reader.failure { throw failure }
      return query.window(of: subjects).map(\.row)
    }
  }

  func valuesComputedInMemory(for query: AggregateQuery) throws -> ValueTable {
    try QueryCheck.check(query)
    var every = query.rows
    (every.sort, every.limit, every.offset) = ([], 0, 0)
    return try inOneMoment {
      let rows = try self.rows(for: every).rows
      let reader = RowReader(ConnectionView(self))
      reader.keep(rows)
      do {
        let table = try query.values(of: rows.map { ViewedRow($0, reader) })
        if let failure = reader.failure { throw failure }
        return table
      } catch {
        throw reader.failure ?? refusal(of: every.layout, error)
      }
    }
  }

  private func refusal(of layout: EntityLayout, _ error: any Error) -> any Error {
    if error is StoreError { return error }
    return StoreError(.unsupported, "A fetch of \(layout.name) was refused: \(error)", cause: error)
  }

  /// Runs `body` in a transaction that sees one moment, unless one is open.
  private func inOneMoment<T>(_ body: () throws -> T) throws -> T {
    connection.isInTransaction ? try body() : try connection.transaction(.reading, body)
  }

  /// Divides the conditions of a query between the server and this program.
  /// - Returns: a query for the server, without order and window, and the conditions that are left; nil if none is.
  private func split(_ query: FetchQuery) throws -> (asked: FetchQuery, rest: PredicateNode?) {
    var asked = query
    (asked.sort, asked.limit, asked.offset, asked.filter) = ([], 0, 0, nil)
    var (said, rest): ([PredicateNode], [PredicateNode]) = ([], [])
    for condition in query.filter?.conjuncts ?? [] {
      var single = asked
      single.filter = condition
      let isSaid = try supported { try selects.unorderedIDs(single) }?.bindings.areAccepted == true
      if isSaid { said.append(condition) } else { rest.append(condition) }
    }
    if !said.isEmpty { asked.filter = .and(said) }
    return (asked, rest.isEmpty ? nil : .and(rest))
  }
}

extension PredicateNode {
  /// The conditions that must all hold.
  fileprivate var conjuncts: [PredicateNode] {
    if case .and(let nodes) = self { nodes.flatMap(\.conjuncts) } else { [self] }
  }
}

extension AggregateQuery {
  /// Whether the server would reject the query or return another result: next to aggregates it takes only grouped
  /// columns, and it orders distinct rows only by selected columns.
  var needsMemory: Bool {
    let hasKeys = sort.contains { if case .key = $0 { true } else { false } }
    if isDistinct, hasKeys { return true }
    guard gathersRows else { return false }
    func isOfGroup(_ expression: ExpressionNode) -> Bool {
      if case .value = expression { return true }
      return groups.contains(expression) || expression.aggregate(over: rows.layout) != nil
    }
    let isOrderedByGroups = sort.allSatisfy { sort in
      if case .key(let key) = sort { groups.contains(.keyPath(key.keyPath)) } else { true }
    }
    let having = having?.mappingExpressions { isOfGroup($0) ? .value(.null) : $0 }
    return !columns.allSatisfy { isOfGroup($0.expression) } || !isOrderedByGroups || having?.keyPaths.isEmpty == false
  }
}

/// A connection as the view that relationships are read from. Used by the thread that has the connection.
final class ConnectionView: RowView, @unchecked Sendable {
  // Sendable: it does not outlive the question that made it, on the thread that has the connection.
  private let reader: ServerReader

  init(_ reader: ServerReader) { self.reader = reader }

  func rows(for query: FetchQuery) throws -> RowList { try reader.rows(for: query) }
  func ids(for query: FetchQuery) throws -> [RowID] { try reader.ids(for: query) }
  func count(for query: FetchQuery) throws -> Int { try reader.count(for: query) }
  func values(for query: AggregateQuery) throws -> ValueTable { try reader.values(for: query) }
  func rows(with ids: [RowID]) throws -> RowList { try reader.rows(with: ids) }
  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try reader.related(to: owner, relationship: relationship)
  }
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try reader.related(to: owners, relationship: relationship)
  }
}
