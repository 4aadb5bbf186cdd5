import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Notices when another process migrates the open store: reading or writing with the old model would go wrong.
struct ModelWatch: Sendable {
  private let fits: @Sendable ([String: any Sendable]) -> Bool
  private let path: String
  private let notice: MigrationNotice
  private(set) var version: Int64?
  /// The log's state before the first read of the last check; nil without a log.
  private(set) var walSnapshot: WALSnapshot?

  /// - Parameters:
  ///   - version: the schema version from before the model was found to fit.
  ///   - notice: learns of a migration.
  ///   - fits: whether a store with this metadata holds rows of the model.
  init(
    path: String, version: Int64?, notice: MigrationNotice, fits: @escaping @Sendable ([String: any Sendable]) -> Bool
  ) {
    (self.path, self.notice) = (path, notice)
    self.version = version
    self.fits = fits
  }

  /// Whether no process has committed since the last check.
  func isUnchanged(on connection: Connection) -> Bool {
    guard let walSnapshot else { return false }
    return connection.walSnapshot == walSnapshot
  }

  /// For connections that only read: does nothing until a process commits.
  /// - Throws: `.incompatibleModel`.
  mutating func checkIfChanged(_ connection: Connection) throws {
    let now = connection.walSnapshot
    if let now, now == walSnapshot { return }
    try check(connection)
    walSnapshot = now
  }

  /// Compares one number while the schema is unchanged. Writers hold the writer lock, which excludes migrations.
  /// - Throws: `.incompatibleModel`.
  mutating func check(_ connection: Connection) throws {
    let now = try connection.integer("PRAGMA schema_version")
    guard now != version else { return }
    // A schema without metadata means that another process destroyed the store.
    let metadata = try connection.hasTable("Z_METADATA") ? SQLStore.metadata(connection)?.dictionary : nil
    guard let metadata, fits(metadata) else {
      if metadata != nil { notice.post() }
      throw StoreError(
        .incompatibleModel,
        "The store '\(path)' was migrated to another version of the model, or emptied, while it was open here. "
          + "Open it again with that version.")
    }
    version = now
  }
}
