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
  package func related(to owners: [RowID], relationship: Int) throws -> [RowID: [RowID]] {
    try related(to: owners, relationship, readers)
  }

  func rows(for plan: FetchPlan, _ readers: some Readers) throws -> RowList {
    let (statement, shape) = try selects.rows(plan)
    return try readers.read { try rows(of: statement, shape, expected: plan.limit, on: $0.connection) }
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
    return try readers.read { reader in
      let prepared = try reader.connection.statement(statement.text)
      try prepared.bind(statement.bindings)
      return try ids(of: prepared)
    }
  }

  func count(for plan: FetchPlan, _ readers: some Readers) throws -> Int {
    let statement = try selects.count(plan)
    return try readers.read { Int(try $0.connection.integer(statement.text, statement.bindings) ?? 0) }
  }

  func related(to owner: RowID, _ relationship: Int, _ readers: some Readers) throws -> [RowID] {
    let layout = schema.model.layout(number: owner.entity)
    guard let text = selects.related(owner: layout, relationship: relationship) else { return [] }
    return try readers.read { reader in
      let prepared = try reader.connection.statement(text)
      prepared.bind(owner.key, at: 1)
      return try ids(of: prepared)
    }
  }

  func related(to owners: [RowID], _ relationship: Int, _ readers: some Readers) throws -> [RowID: [RowID]] {
    guard let first = owners.first else { return [:] }
    let layout = schema.model.layout(number: first.entity)
    let ids = Dictionary(owners.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var members: [RowID: [RowID]] = [:]
    try readers.readAtOneMoment { reader in
      var rest = Array(ids.keys)[...]
      while !rest.isEmpty {
        let width = Self.width(for: rest.count)
        guard let text = selects.related(owner: layout, relationship: relationship, keyCount: width) else { return }
        let statement = try reader.connection.statement(text)
        try statement.bind(keys: rest.prefix(width), width: width)
        try statement.eachPair(schema: schema, store: number) { owner, member in
          if let owner = ids[owner] { members[owner, default: []].append(member) }
        }
        rest = rest.dropFirst(width)
      }
    }
    return members
  }

  func ids(of statement: Statement) throws -> [RowID] {
    guard let ids = try statement.ids(schema: schema, store: number) else {
      throw StoreError(
        .corrupt,
        "The store '\(path)' has a row of an entity that the model lacks. Open it with the model that wrote it.")
    }
    return ids
  }

  func pump(_ shape: RowShape) -> RowPump { RowPump(shape: shape, schema: schema, store: number, path: path) }
}
