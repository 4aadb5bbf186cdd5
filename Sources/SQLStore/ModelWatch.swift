import RowStore
import SQLText
import SQLiteEngine

/// Notices that somebody brought the open store to another model: what is written by the old one would be wrong.
struct ModelWatch {
  private let fits: @Sendable ([String: any Sendable]) -> Bool
  private let path: String
  private var version: Int64?

  /// - Parameter fits: whether the rows of a store with these metadata are in the model.
  init(path: String, fits: @escaping @Sendable ([String: any Sendable]) -> Bool) {
    self.path = path
    self.fits = fits
  }

  /// Compares one number while the schema is what it was. The caller has the turn, so nobody migrates meanwhile.
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
