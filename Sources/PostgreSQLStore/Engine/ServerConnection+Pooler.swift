import StrataCPostgreSQL
import StrataRowStore
import StrataSQLText

/// Poolers such as PgBouncer, which may give each transaction to whichever of their connections is free.
extension ServerConnection {
  /// How often the pooler's choice is looked at: other programs may use its connections in between.
  private static let maximumChecks = 10

  /// Refuses a pooler that shares connections between transactions: notifications would not arrive, and locks and prepared
  /// statements be somebody else's. One that shares them between sessions does no harm.
  ///
  /// A pooler makes up the number of the server's process, and takes the connection that became free last: with another
  /// session in a transaction, this one is answered by a process that it had not before, or the other by this one's.
  /// - Throws: `.notOpen` for such a pooler.
  package func refuseTransactionPooler() throws {
    guard try processNumber("") != Int64(PQbackendPID(handle)), try sharesConnectionsBetweenTransactions() else {
      return
    }
    throw StoreError(
      .notOpen,
      "Cannot open the store '\(address)': there is a pooler that shares connections between transactions, so that "
        + "notifications and locks get lost. Connect to the server itself, or have the pooler share them between sessions "
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
      // What was prepared is on another connection.
      guard ["42P05", "26000"].contains((error.cause as? ServerFailure)?.state) else { throw error }
      return true
    }
  }

  private func processNumber(_ comment: String) throws -> Int64 {
    try run(SQLStatement("SELECT pg_backend_pid()::bigint \(comment)")).integer(0, 0)
  }
}
