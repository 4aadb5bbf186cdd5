import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// The dictionary that a store keeps about itself.
extension SQLStore {
  package var metadata: [String: any Sendable] {
    get throws {
      var dictionary = try readers.read { try Self.metadata($0.connection)?.dictionary ?? [:] }
      dictionary[Self.identifierKey] = identifier
      return dictionary
    }
  }

  /// What says which model the rows are in stays as it is, whatever is asked.
  package func setMetadata(_ metadata: [String: any Sendable]) throws {
    let writer = try writableStore()
    try writer.withLock { connection, _ in
      try connection.writing {
        try connection.addMetadata(metadata)
        writer.announceUnlisted()
      }
    }
  }

  /// Under this key the metadata have the store's UUID, which has a column of its own.
  static let identifierKey = "NSStoreUUID"

  /// The store's UUID and its dictionary; nil if the file has none.
  static func metadata(_ connection: Connection) throws -> (identifier: String, dictionary: [String: any Sendable])? {
    guard let row = try connection.rows(StoreMetadata.read).first, case .text(let identifier) = row[0] else {
      return nil
    }
    guard case .blob(let bytes) = row[1] else { return (identifier, [:]) }
    return (identifier, try StoreMetadata.dictionary(from: bytes))
  }
}

extension Connection {
  /// Adds to or replaces the program's own metadata of the store, key by key.
  func addMetadata(_ metadata: [String: any Sendable]) throws {
    var dictionary = try SQLStore.metadata(self)?.dictionary ?? [:]
    for (key, value) in metadata where !StoreMetadata.ownKeys.contains(key) && key != SQLStore.identifierKey {
      dictionary[key] = value
    }
    try run(StoreMetadata.update, [.blob(try StoreMetadata.bytes(of: dictionary))])
    if let identifier = metadata[SQLStore.identifierKey] as? String {
      try run("UPDATE Z_METADATA SET Z_UUID = ?1", [.text(identifier)])
    }
  }
}
