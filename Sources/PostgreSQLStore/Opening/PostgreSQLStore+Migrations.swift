import StrataRowStore
import StrataSQLText

/// Notices that another process has migrated the open store: reading or writing with the old model would go wrong.
///
/// Every commit compares the count of migrations in its last statement, and every read of the history in its first,
/// which costs nothing. Other reads need no check: they see columns that both versions have, or fail because one is
/// missing.
extension PostgreSQLStore {
  /// - Throws: `.incompatibleModel` instead of an error that a migration has caused in `body`.
  func noticingMigrations<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as StoreError where error.mayComeOfMigration {
      guard let now = try? readers.read({ try $0.migrations() }), now != migrations else { throw error }
      throw migrated(error)
    }
  }

  func migrated(_ cause: StoreError? = nil) -> StoreError {
    migration.post()
    return StoreError(
      .incompatibleModel,
      "The store '\(address)' was migrated to another version of the model while it was open here. Open it again with "
        + "that version.", cause: cause)
  }
}

extension ServerConnection {
  /// The number of migrations of the store.
  func migrations() throws -> Int64 { try run("SELECT migrations FROM strata_counter").integer(0, 0) }
}

extension StoreError {
  fileprivate var mayComeOfMigration: Bool {
    // A column with NOT NULL: see `ServerHistoryRecord`.
    code == .corrupt || (cause as? ServerFailure)?.state == "23502"
  }
}
