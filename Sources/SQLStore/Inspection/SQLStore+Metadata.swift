import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// The dictionary of metadata in the store.
extension SQLStore {
  package var metadata: [String: any Sendable] {
    get throws {
      var dictionary = try readers.read { try Self.metadata($0.connection)?.dictionary ?? [:] }
      dictionary[Self.identifierKey] = identifier
      return dictionary
    }
  }

  /// The entries that describe the model stay, whatever is asked.
  package func setMetadata(_ metadata: [String: any Sendable]) throws {
    let writer = try writableStore()
    try writer.write { connection, _ in
      try connection.writing {
        try connection.addMetadata(metadata)
        writer.adjustUnlistedCount(by: 1)
      }
    }
  }

  /// The key of the store's UUID, which has a column of its own.
  static let identifierKey = "NSStoreUUID"

  /// The UUID and the dictionary; nil if the file has no metadata.
  static func metadata(_ connection: Connection) throws -> (identifier: String, dictionary: [String: any Sendable])? {
    guard let row = try connection.rows(StoreMetadata.read).first, case .text(let identifier) = row[0] else {
      return nil
    }
    guard case .blob(let bytes) = row[1] else { return (identifier, [:]) }
    return (identifier, try StoreMetadata.dictionary(from: bytes))
  }
}

extension Connection {
  /// Merges into the program's own metadata, key by key.
  func addMetadata(_ metadata: [String: any Sendable]) throws {
    var dictionary = try SQLStore.metadata(self)?.dictionary ?? [:]
    for (key, value) in metadata where !StoreMetadata.ownKeys.contains(key) && key != SQLStore.identifierKey {
      dictionary[key] = value
    }
    try run(StoreMetadata.update, bindings: [.blob(try StoreMetadata.bytes(of: dictionary))])
    if let identifier = metadata[SQLStore.identifierKey] as? String {
      try run("UPDATE Z_METADATA SET Z_UUID = ?1", bindings: [.text(identifier)])
    }
  }
}
