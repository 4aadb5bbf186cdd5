import StrataCPostgreSQL
import StrataRowStore
import StrataSQLText

extension ServerConnection {
  /// Runs a statement whose placeholders are `$1`, `$2` and so on, in the order of its bindings.
  /// - Throws: `StoreError`, whose cause is a `ServerFailure`.
  @discardableResult
  package func run(_ statement: SQLStatement) throws -> ServerResult { try run(ServerStatement(statement)) }

  /// The same with arrays among the parameters.
  @discardableResult
  package func run(_ statement: ServerStatement) throws -> ServerResult {
    try failing(as: "use") { try execute(statement) }
  }

  /// Does something with the connection.
  /// - Parameter tried: completes "Cannot …".
  func failing<T>(as tried: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let failure as ServerFailure {
      throw (refusedSchema(failure) ?? failure).storeError(tried, address)
    }
  }

  /// The server skips a schema that a role may not use, and finds no table then. Nothing can be asked in the transaction
  /// that the failure has ended.
  /// - Returns: the reason for a missing table; nil if it is another.
  private func refusedSchema(_ failure: ServerFailure) -> ServerFailure? {
    guard failure.isMissingTable, !isInTransaction else { return nil }
    let question = SQLStatement(
      "SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = $1", [.text(address.schema)])
    guard let found = try? execute(ServerStatement(question)), found.rowCount == 1, found.integer(0, 0) == 0 else {
      return nil
    }
    return ServerFailure(
      state: "42501", message: "permission denied for schema \(address.schema)",
      detail: "The role has no USAGE on it.", constraint: nil, sql: failure.sql)
  }

  /// A statement is prepared when it comes for the second time: most come once or often.
  private func execute(_ statement: ServerStatement) throws -> ServerResult {
    try limitStatements()
    let parameters = try Parameters(statement)
    let key = PreparedStatements.Key(text: statement.text, types: parameters.types)
    guard let name = try statements.name(of: key, preparing: { try prepare(statement.text, as: $0, parameters) }) else {
      let result = parameters.withPointers { types, values, lengths, formats in
        PQexecParams(handle, statement.text, parameters.count, types, values, lengths, formats, 1)
      }
      return try checked(result, sql: statement.text)
    }
    let result = parameters.withPointers { _, values, lengths, formats in
      PQexecPrepared(handle, name, parameters.count, values, lengths, formats, 1)
    }
    do {
      return try checked(result, sql: statement.text)
    } catch let failure as ServerFailure where failure.isStalePlan && !isInTransaction {
      // Another process changed the table. Within a transaction the error has ended it.
      statements.forget(key)
      return try execute(statement)
    }
  }

  /// Both sides keep what they prepared, so a program with ever new statements must not prepare for ever.
  func limitStatements() throws {
    guard statements.isFull else { return }
    let result = PQexec(handle, "DEALLOCATE ALL")
    _ = try checked(result, sql: "DEALLOCATE ALL")
    statements = PreparedStatements()
  }

  private func prepare(_ text: String, as name: String, _ parameters: Parameters) throws {
    let result = parameters.withPointers { types, _, _, _ in PQprepare(handle, name, text, parameters.count, types) }
    _ = try checked(result, sql: text)
  }

  /// Converts a libpq result.
  /// - Throws: `ServerFailure`.
  func checked(_ result: OpaquePointer?, sql: String?) throws -> ServerResult {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      // Not nil: it has a status.
      return ServerResult(result.unsafelyUnwrapped)
    default:
      defer { PQclear(result) }
      throw failure(result, sql: sql)
    }
  }

  /// Runs statements in one round trip. Those that no transaction encloses are one.
  /// - Throws: the first failure; the statements after it have not run, and those before it have no effect.
  package func run(_ list: [SQLStatement]) throws -> [ServerResult] { try run(list.map(ServerStatement.init)) }

  /// The same with arrays among the parameters.
  package func run(_ list: [ServerStatement]) throws -> [ServerResult] {
    try failing(as: "use") {
      // The server sends nothing before a sync, so both sides could wait for each other with more than fits in the
      // buffers of their sockets.
      precondition(
        list.count <= Self.maximumPipelineLength, "A pipeline takes \(Self.maximumPipelineLength) statements.")
      try limitStatements()
      guard PQenterPipelineMode(handle) == 1 else { throw failure(nil, sql: nil) }
      defer { PQexitPipelineMode(handle) }
      var requests: [Request] = []
      var unsent: ServerFailure?
      do {
        for statement in list { try send(statement, noting: &requests) }
      } catch let failure as ServerFailure {
        unsent = failure
      }
      guard PQpipelineSync(handle) == 1 else { throw unsent ?? failure(nil, sql: nil) }
      let results = try received(requests)
      if let unsent { throw unsent }
      return results
    }
  }

  /// The maximum number of statements in a round trip.
  package static let maximumPipelineLength = 100

  /// One request in a pipeline.
  private struct Request {
    let sql: String
    /// The statement to prepare; nil if the request runs a statement.
    var preparing: PreparedStatements.Key?
  }

  private func send(_ statement: ServerStatement, noting requests: inout [Request]) throws {
    let parameters = try Parameters(statement)
    let key = PreparedStatements.Key(text: statement.text, types: parameters.types)
    let name = try statements.name(of: key) { name in
      let isSent = parameters.withPointers { types, _, _, _ in
        PQsendPrepare(handle, name, statement.text, parameters.count, types)
      }
      guard isSent == 1 else { throw failure(nil, sql: statement.text) }
      requests.append(Request(sql: statement.text, preparing: key))
    }
    let isSent = parameters.withPointers { types, values, lengths, formats in
      if let name { return PQsendQueryPrepared(handle, name, parameters.count, values, lengths, formats, 1) }
      return PQsendQueryParams(handle, statement.text, parameters.count, types, values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw failure(nil, sql: statement.text) }
    requests.append(Request(sql: statement.text))
  }

  /// Reads up to the sync: a result for each request, each followed by nil.
  private func received(_ requests: [Request]) throws -> [ServerResult] {
    var results: [ServerResult] = []
    var first: ServerFailure?
    var rest = requests[...]
    var isBetween = true
    while isAlive {
      guard let result = PQgetResult(handle) else {
        // Once after each result. Twice, and libpq has forgotten what it asked, as when a server goes down in the
        // middle.
        isBroken = isBetween && !requests.isEmpty
        isBetween = true
        continue
      }
      isBetween = false
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
        PQclear(result)
        if let first { throw first }
        return results
      }
      let request = rest.popFirst()
      guard first == nil else {
        PQclear(result)
        request?.preparing.map { statements.forget($0) }
        continue
      }
      do {
        let completed = try checked(result, sql: request?.sql)
        if request?.preparing == nil { results.append(completed) }
      } catch let failure as ServerFailure {
        first = failure
        request?.preparing.map { statements.forget($0) }
        // Another process changed the table: the next attempt prepares the statement again.
        if failure.isStalePlan { statements = PreparedStatements(after: statements) }
      }
    }
    throw first ?? failure(nil, sql: nil)
  }
}

/// The statements that a connection has prepared.
struct PreparedStatements {
  /// One statement serves all values of the same types.
  struct Key: Hashable {
    var text: String
    var types: [Oid]
  }

  /// The name on the server; nil for a statement that came once.
  private var names: [Key: String?] = [:]
  /// The same of those that are known by their identity, and kept so that it stays theirs.
  private var typed: [ObjectIdentifier: (statement: PreparedStatement, name: String?)] = [:]
  private var count = 0

  init() {}

  var isFull: Bool { names.count + typed.count > 1_000 }

  /// Prepares all statements again at their next use, under new names.
  init(after other: PreparedStatements) { count = other.count }

  /// - Parameter prepare: prepares the statement under a name.
  /// - Returns: nil for a statement that comes for the first time.
  mutating func name(of key: Key, preparing prepare: (String) throws -> Void) rethrows -> String? {
    guard let known = names[key] else {
      names[key] = .some(nil)
      return nil
    }
    if let known { return known }
    count += 1
    let name = "s\(count)"
    try prepare(name)
    names[key] = name
    return name
  }

  /// The next use prepares the statement again.
  mutating func forget(_ key: Key) { names[key] = .some(nil) }

  /// The same for a statement that is known by its identity.
  mutating func name(of statement: PreparedStatement, preparing prepare: (String) throws -> Void) rethrows -> String? {
    let identity = ObjectIdentifier(statement)
    guard let known = typed[identity] else {
      typed[identity] = (statement, nil)
      return nil
    }
    if let name = known.name { return name }
    count += 1
    let name = "\(statement.name)\(count)"
    try prepare(name)
    typed[identity] = (statement, name)
    return name
  }

  mutating func forget(_ statement: PreparedStatement) { typed[ObjectIdentifier(statement)] = (statement, nil) }
}
