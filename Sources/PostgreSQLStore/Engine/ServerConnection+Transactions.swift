import StrataCPostgreSQL
import StrataRowStore
import StrataSQLText

/// The isolation of a transaction from concurrent commits.
package enum TransactionKind: String, Sendable {
  /// Each statement sees what is committed when it begins.
  case writing = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
  /// All statements see one moment.
  case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
}

/// The COMMIT of a transaction was sent, and the connection was lost before the result arrived.
package struct UnknownCommit: Error, CustomStringConvertible {
  package let cause: StoreError

  package init(cause: StoreError) { self.cause = cause }

  package var description: String { "It is not known whether the transaction was committed: \(cause)" }
}

extension ServerConnection {
  /// Runs `body` in a write transaction that can be repeated: if the outcome of its COMMIT is unknown, the caller or a
  /// later caller runs it again.
  /// - Throws: `StoreError` if the transaction failed or its outcome is unknown.
  package func writing<T>(_ body: () throws -> T) throws -> T {
    do {
      return try transaction(.writing, body)
    } catch let error as UnknownCommit {
      throw error.cause
    }
  }

  /// Ends a transaction, if one is open, without its changes. On a lost connection the server does it.
  package func rollBack() { if isAlive, isInTransaction { _ = try? run("ROLLBACK") } }

  /// Runs `body` in a transaction, which is rolled back if it throws.
  /// - Throws: `UnknownCommit` if the outcome of the COMMIT is unknown: look for what the transaction wrote.
  package func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T {
    try run(SQLStatement(kind.rawValue))
    let result: T
    do {
      result = try body()
    } catch {
      rollBack()
      throw error
    }
    do {
      let committed = try run("COMMIT")
      guard committed.tag == "COMMIT" else {
        // A statement failed, and `body` did not tell.
        throw ServerFailure(
          state: "25P02", message: "the transaction had failed", detail: nil, constraint: nil, sql: "COMMIT"
        ).storeError("write", address)
      }
    } catch let error as StoreError where (error.cause as? ServerFailure)?.isLost == true && kind == .writing {
      throw UnknownCommit(cause: error)
    }
    return result
  }
}
