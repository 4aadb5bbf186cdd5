import StrataCPostgreSQL

/// A statement whose parameters always have the same types: a connection knows it by its identity, without comparing its
/// text.
package final class PreparedStatement: Sendable {
  package let text: String
  /// The types of its parameters.
  let types: [Oid]
  /// The prefix of its name on the server.
  let name: String

  package init(_ text: String, _ types: [ServerFields.ValueType], name: String) {
    (self.text, self.name) = (text, name)
    self.types = types.map(\.rawValue)
  }
}

extension ServerConnection {
  /// Runs a statement.
  /// - Parameter fields: a value for each of its parameters.
  package func run(_ statement: PreparedStatement, _ fields: ServerFields) throws -> ServerResult {
    precondition(fields.count == statement.types.count, "A statement needs a value for each parameter.")
    return try failing(as: "use") { try execute(statement, fields) }
  }

  private func execute(_ statement: PreparedStatement, _ fields: ServerFields) throws -> ServerResult {
    try limitStatements()
    let count = Int32(truncatingIfNeeded: fields.count)
    let name = try statements.name(of: statement) { name in
      let result = PQprepare(handle, name, statement.text, count, statement.types)
      _ = try checked(result, sql: statement.text)
    }
    let result = fields.withPointers { values, lengths, formats in
      if let name { return PQexecPrepared(handle, name, count, values, lengths, formats, 1) }
      return PQexecParams(handle, statement.text, count, statement.types, values, lengths, formats, 1)
    }
    do {
      return try checked(result, sql: statement.text)
    } catch let failure as ServerFailure where failure.isStalePlan && name != nil && !isInTransaction {
      // Another process changed a table.
      statements.forget(statement)
      return try execute(statement, fields)
    }
  }
}
