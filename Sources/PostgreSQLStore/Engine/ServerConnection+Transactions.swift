import StrataCPostgreSQL
import StrataRowStore
import StrataSQLText

/// How a transaction sees what others commit meanwhile.
package enum TransactionKind: String, Sendable {
  /// Each statement sees what is committed when it begins.
  case writing = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
  /// All statements see one moment.
  case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
}

/// The COMMIT of a transaction was sent, and the connection was lost before an answer came.
package struct UnknownCommit: Error, CustomStringConvertible {
  package let cause: StoreError

  package init(cause: StoreError) { self.cause = cause }

  package var description: String { "It is not known whether the transaction was committed: \(cause)" }
}

extension ServerConnection {
  /// Runs `body` in a writing transaction that may be run again, or looked after by whoever comes next, if nobody can say
  /// whether it was committed.
  /// - Throws: `StoreError` then, as for a transaction that was not.
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
  /// - Throws: `UnknownCommit` if nobody can say whether the transaction was committed: look for what it wrote.
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
