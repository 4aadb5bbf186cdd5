import StrataCPostgreSQL
import StrataRowStore
import StrataSQLText

/// Poolers such as PgBouncer, which may give each transaction to whichever of their connections is free.
extension ServerConnection {
  /// The number of checks of the pooler's choice: other programs may use its connections between checks.
  private static let maximumChecks = 10

  /// Rejects a pooler that shares connections between transactions: notifications would not arrive, and another client
  /// would own the locks and prepared statements. A pooler that shares connections between sessions is harmless.
  ///
  /// A pooler invents the number of the server's process and takes the connection that was released last. So while
  /// another session is in a transaction, a new process serves this session, or this session's process serves the
  /// other.
  /// - Throws: `.notOpen` for such a pooler.
  package func refuseTransactionPooler() throws {
    guard try processNumber("") != Int64(PQbackendPID(handle)), try sharesConnectionsBetweenTransactions() else {
      return
    }
    throw StoreError(
      .notOpen,
      "Cannot open the store '\(address)': a pooler shares connections between transactions, which loses "
        + "notifications and locks. Connect to the server itself, or have the pooler share them between sessions "
        + "(pool_mode = session).")
  }

  private func sharesConnectionsBetweenTransactions() throws -> Bool {
    let other = try ServerConnection(to: address, name: "Core Data")
    do {
      for look in 1...Self.maximumChecks {
        // With comments, so that no statement comes twice and is prepared.
        let before = try processNumber("-- \(look)")
        let isShared = try other.transaction(.reading) {
          try other.processNumber("-- other \(look)") == before || processNumber("-- again \(look)") != before
        }
        if isShared { return true }
      }
      return false
    } catch let error as StoreError {
      // The prepared statement is on another connection.
      guard ["42P05", "26000"].contains((error.cause as? ServerFailure)?.state) else { throw error }
      return true
    }
  }

  private func processNumber(_ comment: String) throws -> Int64 {
    try run(SQLStatement("SELECT pg_backend_pid()::bigint \(comment)")).integer(0, 0)
  }
}
