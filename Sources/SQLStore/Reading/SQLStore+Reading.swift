import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Fetches. Each reads one snapshot: it is one SELECT, or several in one transaction.
///
/// Asking SQLite for a row's values one by one takes longer than finding the row, so most results are read in other ways:
///
/// - Rows packed by a function, `SQLiteDialect.packing`: the SELECT passes a row's columns to it, and it appends the row to
///   a page. This is the default, also for look-ups by ID. If the query has no order of its own, the function is an
///   aggregate, `packingAll`, and the statement runs in one step. Otherwise it returns the rows' positions, which SQLite
///   sorts instead of the rows.
/// - Rows from a table's pages, `TableScan`: all rows of a table that only holds the query's entities, from 500 rows on. The
///   pages are decoded while SQLite reads them. The few rows that need SQLite are looked up by key.
/// - Rows as column values, `RowFetcher`: those of a query with a limit that SQLite sorts, as it would discard most of the
///   packed rows; and those with more columns than a function takes arguments.
/// - Ids gathered by an aggregate, `SQLiteDialect.gathering`: those in any order. Others are column values.
/// - Members collected by a function, `SQLiteDialect.taking`: those of a relationship of many owners, if an index has them
///   in the order of the owners. Others are column values. The members of one owner after the other, in a transaction that
///   stays open, come from a `MemberCursor`.
extension SQLStore {
  package func rows(for query: FetchQuery) throws -> RowList { try rows(for: query, readers) }
  package func ids(for query: FetchQuery) throws -> [RowID] { try ids(for: query, readers) }
  package func count(for query: FetchQuery) throws -> Int { try count(for: query, readers) }
  package func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try related(to: owner, toMany: relationship, readers: readers)
  }
  package func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try related(to: owners, toMany: relationship, readers: readers)
  }

  func rows(for query: FetchQuery, _ readers: some Readers) throws -> RowList {
    // Packing rows that the sort then discards would be wasted work, and SQLite usually has to sort when the order ends
    // in the primary key.
    let packs = !query.hasWindow || query.sort.isEmpty
    let (statement, shape) = try selects.rows(query, packing: packs)
    let found = try readers.read { reader in
      let prepared = try reader.connection.statement(statement.text)
      if packs, query.hasWindow, try prepared.sorts {
        let (plain, shape) = try selects.rows(query)
        return try rows(of: plain, shape, expected: query.limit, on: reader.connection)
      }
      try prepared.bind(statement.bindings)
      if query.isWholeTable {
        if let scanned = try scanned(query, shape: shape, statement: prepared, on: reader.connection) { return scanned }
        return try scanning(prepared, on: reader.connection) { try fetcher(shape).rows(of: prepared) }
      }
      return try fetcher(shape).rows(of: prepared, expected: query.limit > 0 ? query.limit : nil)
    }
    return query.hasOwnOrder ? found : found.inOrderOfKeys
  }

  /// For few rows, finding the table's pages takes as long as reading 240 rows.
  private static let minimumPageScanRows = 500

  /// The rows of a whole-table fetch, read straight from the table's pages; nil if SQLite should read them.
  private func scanned(
    _ query: FetchQuery, shape: RowShape, statement: Statement, on connection: Connection
  ) throws -> RowList? {
    guard let table = selects.ownTable(of: query),
      try statement.lastCount.map({ $0 >= Self.minimumPageScanRows }) ?? connection.isLarge
    else { return nil }
    let found = try scanning(statement, on: connection) {
      try fetcher(shape).rows(ofTable: table, on: connection) {
        try connection.statement(selects.rows(of: query.layout, .one).text)
      }
    }
    if let found { statement.lastCount = found.count }
    return found
  }

  /// Runs `body`, which reads the result of `statement`, with a small cache if that may be much.
  private func scanning<T>(_ statement: Statement, on connection: Connection, body: () throws -> T) rethrows -> T {
    statement.lastCount ?? .max >= Connection.minimumScanRows ? try connection.withSmallCache(body) : try body()
  }

  func rows(
    of statement: SQLStatement, _ shape: RowShape, expected: Int, on connection: Connection
  ) throws -> RowList {
    let prepared = try connection.statement(statement.text)
    try prepared.bind(statement.bindings)
    return try fetcher(shape).rows(of: prepared, expected: expected > 0 ? expected : nil)
  }

  func ids(for query: FetchQuery, _ readers: some Readers) throws -> [RowID] {
    // If nothing else depends on it, key order is made here.
    let statement = try query.hasOwnOrder ? selects.ids(query) : selects.unorderedIDs(query)
    let found = try readers.read { reader in
      let prepared = try reader.connection.statement(statement.text)
      try prepared.bind(statement.bindings)
      return try ids(of: prepared, selects.entity(of: query), isGathered: !query.hasOwnOrder)
    }
    return query.hasOwnOrder ? found : found.inOrderOfKeys
  }

  func count(for query: FetchQuery, _ readers: some Readers) throws -> Int {
    let statement = try selects.count(query)
    return try readers.read { Int(try $0.connection.integer(statement.text, bindings: statement.bindings) ?? 0) }
  }

  func related(to owner: RowID, toMany relationship: Int, readers: some Readers) throws -> [RowID] {
    let layout = schema.model.layout(number: owner.entity)
    return try readers.read { reader in
      if let cursor = try cursor(layout, relationship: relationship, on: reader) {
        return try cursor.members(of: owner.key, in: schema, store: number, unknownEntity: unknownEntity)
      }
      guard let text = selects.related(owner: layout, relationship: relationship) else { return [] }
      let prepared = try reader.connection.statement(text)
      prepared.bind(owner.key, at: 1)
      return try ids(of: prepared)
    }
  }

  /// The cursor that continues from one owner to the next while a transaction is open.
  private func cursor(_ layout: EntityLayout, relationship: Int, on reader: Reader) throws -> MemberCursor? {
    guard let cursors = reader.cursors else { return nil }
    for known in cursors where known.layout === layout && known.relationship == relationship { return known.cursor }
    guard selects.isReadInOrder(owner: layout, relationship: relationship),
      let text = selects.related(owner: layout, relationship: relationship, of: .from)
    else { return nil }
    let cursor = MemberCursor(
      try reader.connection.statement(text), selects.memberEntity(owner: layout, relationship: relationship))
    reader.cursors?.append((layout, relationship, cursor))
    return cursor
  }

  func related(to owners: [RowID], toMany relationship: Int, readers: some Readers) throws -> MemberLists {
    let owners = MemberLists.inOrder(owners)
    guard let first = owners.first else { return MemberLists() }
    let layout = schema.model.layout(number: first.entity)
    let entity = selects.memberEntity(owner: layout, relationship: relationship)
    let collector = RelationshipCollector(of: owners, entity: entity, schema: schema, store: number)
    try readers.readInOneTransaction { reader in
      for part in KeyParts(owners.keys) {
        try collect(part, layout, relationship, with: collector, reader.connection)
      }
    }
    return collector.lists
  }

  private func collect(
    _ part: KeyParts.Part, _ layout: EntityLayout, _ relationship: Int, with collector: RelationshipCollector,
    _ connection: Connection
  ) throws {
    let isInOrder = selects.isReadInOrder(owner: layout, relationship: relationship)
    // Stopping at the end of the range costs less than comparing every row with it.
    let test = isInOrder && part.test == .range ? .from : part.test
    func statement(isTaken: Bool) throws -> Statement? {
      try selects.related(owner: layout, relationship: relationship, of: test, isTaken: isTaken)
        .map(connection.statement)
    }
    let taking = isInOrder ? try statement(isTaken: true) : nil
    let isTaken = try taking?.sorts == false
    guard let statement = try isTaken ? taking : statement(isTaken: false) else { return }
    try part.bind(to: statement)
    try statement.run(collectingInto: collector, upTo: part.keys[part.keys.endIndex - 1], isTaken: isTaken)
  }

  func ids(of statement: Statement, _ entity: Int? = nil, isGathered: Bool = false) throws -> [RowID] {
    let found = try statement.ids(schema: schema, store: number, entity: entity, isGathered: isGathered)
    guard let found else { throw unknownEntity }
    return found
  }

  var unknownEntity: StoreError {
    StoreError(
      .corrupt,
      "The store '\(path)' has a row of an entity that the model lacks. Open it with the model that wrote it.")
  }

  func fetcher(_ shape: RowShape) -> RowFetcher { RowFetcher(shape: shape, schema: schema, store: number, path: path) }
}

extension FetchQuery {
  fileprivate var isWholeTable: Bool { filter == nil && !hasOwnOrder }
}

/// Aggregate fetches. Each is one SELECT, hence one snapshot.
extension SQLStore {
  package func values(for query: AggregateQuery) throws -> ValueTable { try values(for: query, readers) }

  func values(for query: AggregateQuery, _ readers: some Readers) throws -> ValueTable {
    let (statement, shape) = try selects.values(query)
    return try readers.read { reader in
      let prepared = try reader.connection.statement(statement.text)
      try prepared.bind(statement.bindings)
      return try ValueFetcher(shape: shape, schema: schema, store: number, path: path).values(of: prepared)
    }
  }
}
