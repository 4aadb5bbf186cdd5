/// The metadata and the model within a file.
extension StoreMetadata {
  /// The store's UUID and the dictionary.
  package static let read = "SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1"
  /// `?1` the store's UUID as upper-case text, `?2` the dictionary.
  package static let insert = "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)"
  /// `?1` the dictionary.
  package static let update = "UPDATE Z_METADATA SET Z_PLIST = ?1 WHERE Z_VERSION = 1"

  /// `?1` the model of the store's tables, in Apple's packed form, or NULL.
  package static let insertModel = "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?1)"

  /// The model of the store's tables.
  package static let readModel = "SELECT Z_CONTENT FROM Z_MODELCACHE"

  /// The entries about the model and the file.
  package static func dictionary(for schema: StoreSchema) -> [String: any Sendable] {
    modelDictionary(for: schema).merging(["NSStoreType": "SQLite", "_NSAutoVacuumLevel": "2"]) { _, own in own }
  }

  /// The metadata of a file after a migration; the program's own entries are kept.
  package static func migrated(_ dictionary: [String: any Sendable], to schema: StoreSchema) -> [String: any Sendable] {
    remembering(
      dictionary,
      in: dictionary.filter { !ownKeys.contains($0.key) }.merging(Self.dictionary(for: schema)) { _, own in own })
  }
}
