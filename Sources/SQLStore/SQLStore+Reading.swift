import ManagedModel
import RowStore
import SQLiteEngine
import SQLText

/// Fetches. Each is one SELECT, and so of one moment.
extension SQLStore {
  package func rows(for plan: FetchPlan) throws -> RowList { try rows(for: plan, readers) }
  package func ids(for plan: FetchPlan) throws -> [RowID] { try ids(for: plan, readers) }
  package func count(for plan: FetchPlan) throws -> Int { try count(for: plan, readers) }
  package func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try related(to: owner, relationship, readers)
  }
  package func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try related(to: owners, relationship, readers)
  }

  func rows(for plan: FetchPlan, _ readers: some Readers) throws -> RowList {
    let (statement, shape) = try selects.rows(plan)
    let found = try readers.read { try rows(of: statement, shape, expected: plan.limit, on: $0.connection) }
    return plan.isOrderedByReader ? found.inOrderOfKeys : found
  }

  func rows(
    of statement: SQLStatement, _ shape: RowShape, expected: Int, on connection: Connection
  ) throws -> RowList {
    let prepared = try connection.statement(statement.text)
    try prepared.bind(statement.bindings)
    return try pump(shape).rows(of: prepared, expected: expected > 0 ? expected : nil)
  }

  func ids(for plan: FetchPlan, _ readers: some Readers) throws -> [RowID] {
    let statement = try selects.ids(plan)
    var found = try readers.read { reader in
      let prepared = try reader.connection.statement(statement.text)
      try prepared.bind(statement.bindings)
      return try ids(of: prepared)
    }
    if plan.isOrderedByReader { found.sort { $0.key < $1.key } }
    return found
  }

  func count(for plan: FetchPlan, _ readers: some Readers) throws -> Int {
    let statement = try selects.count(plan)
    return try readers.read { Int(try $0.connection.integer(statement.text, statement.bindings) ?? 0) }
  }

  func related(to owner: RowID, _ relationship: Int, _ readers: some Readers) throws -> [RowID] {
    let layout = schema.model.layout(number: owner.entity)
    return try readers.read { reader in
      if let cursor = try cursor(layout, relationship, reader) { return try cursor.members(of: owner.key, self) }
      guard let text = selects.related(owner: layout, relationship: relationship) else { return [] }
      let prepared = try reader.connection.statement(text)
      prepared.bind(owner.key, at: 1)
      return try ids(of: prepared)
    }
  }

  /// What goes on from one owner to the next while a transaction is open.
  private func cursor(_ layout: EntityLayout, _ relationship: Int, _ reader: Reader) throws -> MemberCursor? {
    guard var cursors = reader.cursors else { return nil }
    if let known = cursors.first(where: { $0.layout === layout && $0.relationship == relationship }) {
      return known.cursor
    }
    guard selects.isReadInOrder(owner: layout, relationship: relationship),
      let text = selects.related(owner: layout, relationship: relationship, of: .from)
    else { return nil }
    let cursor = MemberCursor(try reader.connection.statement(text))
    cursors.append((layout, relationship, cursor))
    reader.cursors = cursors
    return cursor
  }

  func related(to owners: [RowID], _ relationship: Int, _ readers: some Readers) throws -> MemberLists {
    var lists = MemberLists(of: owners)
    guard let first = lists.owners.first else { return lists }
    let layout = schema.model.layout(number: first.entity)
    try readers.readAtOneMoment { reader in
      let isInOrder = selects.isReadInOrder(owner: layout, relationship: relationship)
      for part in KeyParts(lists.owners.map(\.key)) {
        // Comparing each row with the end of the range costs more than to stop there.
        let test = isInOrder && part.test == .range ? .from : part.test
        guard let text = selects.related(owner: layout, relationship: relationship, of: test) else { return }
        let statement = try reader.connection.statement(text)
        try part.bind(to: statement)
        try statement.addMembers(
          to: &lists, upTo: part.keys[part.keys.endIndex - 1], schema: schema, store: number)
      }
    }
    return lists
  }

  func ids(of statement: Statement) throws -> [RowID] {
    guard let ids = try statement.ids(schema: schema, store: number) else { throw unknownEntity }
    return ids
  }

  var unknownEntity: StoreError {
    StoreError(
      .corrupt,
      "The store '\(path)' has a row of an entity that the model lacks. Open it with the model that wrote it.")
  }

  func pump(_ shape: RowShape) -> RowPump { RowPump(shape: shape, schema: schema, store: number, path: path) }
}
