import StrataRowStore
import StrataSQLText

/// Notices that another process has migrated the open store: reading or writing with the old model would go wrong.
///
/// Every commit compares the count of migrations in its last statement, and whoever reads the history in its first, which
/// costs nothing. Other reads need no test: they see the columns that both versions have, or fail for want of one.
extension PostgreSQLStore {
  /// - Throws: `.incompatibleModel` in place of what a migration has made `body` throw.
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
  /// How often the store was migrated.
  func migrations() throws -> Int64 { try run("SELECT migrations FROM strata_counter").integer(0, 0) }
}

extension StoreError {
  fileprivate var mayComeOfMigration: Bool {
    // A column with NOT NULL: see `ServerHistoryRecord`.
    code == .corrupt || (cause as? ServerFailure)?.state == "23502"
  }
}
