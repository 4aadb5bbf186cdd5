import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// Asks one connection: each question is one statement, hence one snapshot.
struct ServerReader {
  let connection: ServerConnection
  let selects: SelectWriter
  /// The store's number in its rows' IDs.
  let store: Int

  var schema: StoreSchema { selects.schema }

  func rows(for query: FetchQuery) throws -> RowList {
    guard let (statement, shape) = try supported({ try selects.rows(query) }), statement.bindings.areAccepted else {
      return RowList(rows: try rowsFilteredInMemory(for: query))
    }
    let isWhole = query.limit == 0 && statement.bindings.isEmpty
    let found =
      try isWhole
      ? copiedRows(of: statement.text, shape)
      : rows(of: ServerStatement(statement), shape, expected: query.limit > 0 ? query.limit : nil)
    return query.hasOwnOrder ? found : found.inOrderOfKeys
  }

  func ids(for query: FetchQuery) throws -> [RowID] {
    let statement = try supported { try query.hasOwnOrder ? selects.ids(query) : selects.unorderedIDs(query) }
    guard let statement, statement.bindings.areAccepted else { return try rowsFilteredInMemory(for: query).map(\.id) }
    let found = try ids(of: connection.run(statement), entity: selects.entity(of: query))
    return query.hasOwnOrder ? found : found.sorted { $0.key < $1.key }
  }

  func count(for query: FetchQuery) throws -> Int {
    guard let statement = try supported({ try selects.count(query) }), statement.bindings.areAccepted else {
      return try rowsFilteredInMemory(for: query).count
    }
    return Int(try connection.run(statement).integer(0, 0))
  }

  /// The result of `make`; nil if the query cannot be expressed in SQL.
  func supported<T>(_ make: () throws -> T) throws -> T? {
    do {
      return try make()
    } catch let error as StoreError where error.code == .unsupported {
      return nil
    }
  }

  /// Rows by ID, in any order.
  func rows(with ids: [RowID]) throws -> RowList {
    if ids.count == 1, isKnown(ids[0]) {
      let layout = schema.model.layout(number: ids[0].entity)
      let (text, shape) = selects.rows(of: schema.model.layout(number: layout.rootNumber), .one)
      return try rows(of: ServerStatement(text, [.value(.integer(ids[0].key))]), shape, expected: 1)
    }
    var list = RowList()
    for (root, keys) in keysByRoot(ids) {
      let layout = schema.model.layout(number: root)
      let (text, shape) = selects.rows(of: layout, .anyOf(1))
      let statement = ServerStatement(text, [.value(.list(StoredList(keys)))])
      let found = try rows(of: statement, shape, expected: keys.count)
      list = list.pages.isEmpty ? found : RowList(rows: list.rows + found.rows)
    }
    return list
  }

  private func keysByRoot(_ ids: [RowID]) -> [(root: Int, keys: [Int64])] {
    var keys: [Int: [Int64]] = [:]
    for id in ids where isKnown(id) {
      keys[schema.model.layout(number: id.entity).rootNumber, default: []].append(id.key)
    }
    return keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether a row of the store may have the ID.
  private func isKnown(_ id: RowID) -> Bool {
    id.store == store && !id.isTemporary && schema.model.layouts.indices.contains(id.entity - 1)
  }

  private func rows(of statement: ServerStatement, _ shape: RowShape, expected: Int?) throws -> RowList {
    let result = try connection.run(statement)
    let decoder = RowDecoder(shape, self, expected: min(expected ?? .max, result.rowCount))
    try result.forEachRow(decoder.append)
    return decoder.finish()
  }

  /// Rows that may be all of a table: packed as they arrive. A result would hold all rows in memory, which alone takes
  /// libpq 55 ms for 100,000 quakes; a copy takes 15 ms.
  private func copiedRows(of text: String, _ shape: RowShape) throws -> RowList {
    let decoder = RowDecoder(shape, self, expected: nil)
    _ = try connection.copyOut(of: text, decoder.append)
    return decoder.finish()
  }

  /// The IDs in a result whose columns are key and Z_ENT.
  /// - Parameter entity: the number in the model of the entity of all rows; nil if the result contains it.
  func ids(of result: ServerResult, entity: Int? = nil, from column: Int = 0) throws -> [RowID] {
    try (0..<result.rowCount).map { row in
      let key = result.integer(row, column)
      if let entity { return RowID(store: store, entity: entity, key: key) }
      guard let entity = schema.number(ofStored: Int(result.integer(row, column + 1))) else {
        throw StoreError(
          .corrupt,
          "The store '\(connection.address)' has a row of an entity that the model lacks. Open it with the model that "
            + "wrote it.")
      }
      return RowID(store: store, entity: entity, key: key)
    }
  }

  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    let layout = schema.model.layout(number: owner.entity)
    guard let text = selects.related(owner: layout, relationship: relationship) else { return [] }
    return try ids(of: connection.run(SQLStatement(text, [.integer(owner.key)])))
  }

  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    let lists = MemberLists(of: owners)
    guard let first = lists.owners.first else { return lists }
    let layout = schema.model.layout(number: first.entity)
    guard let text = selects.related(owner: layout, relationship: relationship, of: .anyOf(1)) else { return lists }
    let keys = StoredList(lists.owners.map(\.key))
    let result = try connection.run(SQLStatement(text, [.list(keys)]))
    let members = try ids(of: result, from: 1)
    var next = 0
    for owner in lists.owners {
      let start = next
      while next < members.count, result.integer(next, 0) == owner.key { next += 1 }
      lists.append(members[start..<next])
    }
    return lists
  }

  func values(for query: AggregateQuery) throws -> ValueTable {
    if !query.needsMemory, let (statement, shape) = try supported({ try selects.values(query) }),
      statement.bindings.areAccepted
    {
      return try ValueDecoder(shape, self).values(of: connection.run(statement))
    }
    return try valuesComputedInMemory(for: query)
  }
}

extension [StoredValue] {
  /// Whether the server takes the values: it refuses texts with U+0000, which no row of its can have either.
  var areAccepted: Bool {
    allSatisfy { value in
      switch value {
      case .text(let text): !text.utf8.contains(0)
      case .list(let list): list.kind != .texts || !list.members.contains { $0.bytes.contains(0) }
      case .null, .integer, .real, .blob: true
      }
    }
  }
}
