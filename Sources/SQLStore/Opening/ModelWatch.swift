import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Notices that somebody brought the open store to another model: what is read and written by the old one would be wrong.
struct ModelWatch: Sendable {
  private let fits: @Sendable ([String: any Sendable]) -> Bool
  private let path: String
  private(set) var version: Int64?
  private var moment: LogMoment?

  /// - Parameters:
  ///   - version: the schema's version before the model was found to fit.
  ///   - fits: whether the rows of a store with these metadata are in the model.
  init(path: String, version: Int64?, fits: @escaping @Sendable ([String: any Sendable]) -> Bool) {
    self.path = path
    self.version = version
    self.fits = fits
  }

  /// Does nothing while nobody commits, for a connection that reads.
  /// - Throws: `.incompatibleModel`.
  mutating func checkMoment(_ connection: Connection) throws {
    let now = connection.logMoment
    if let now, now == moment { return }
    try check(connection)
    moment = now
  }

  /// Compares one number while the schema is what it was. Whoever writes holds the writer lock, so nobody migrates meanwhile.
  /// - Throws: `.incompatibleModel`.
  mutating func check(_ connection: Connection) throws {
    let now = try connection.integer("PRAGMA schema_version")
    guard now != version else { return }
    // A schema without metadata is that of a store that somebody destroyed.
    guard try connection.hasTable("Z_METADATA"), let metadata = try SQLStore.metadata(connection)?.dictionary,
      fits(metadata)
    else {
      throw StoreError(
        .incompatibleModel,
        "The store '\(path)' was migrated to another version of the model, or emptied, while it was open here. "
          + "Open it again with that version.")
    }
    version = now
  }
}
