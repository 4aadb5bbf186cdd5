import Foundation
import StrataManagedModel
import StrataRowStore

/// Atomic stores: the rows are in memory, and every commit rewrites the file.
extension MemoryStore {
  /// The metadata keys that identify the model of the rows.
  static let modelKeys: Set<String> = [
    NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey, NSPersistentStoreModelVersionChecksumKey,
    "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest", "NSPersistenceFrameworkVersion",
  ]

  /// Opens the store in a file; creates a missing one unless read-only.
  /// - Parameter ignoresVersions: whether the store's version hashes may differ from the model's.
  /// - Throws: `.corrupt` for a file in another format, `.incompatibleModel` for a store of another model.
  package convenience init(
    in file: StoreFile, model: NSManagedObjectModel, configuration: String?, number: Int, ignoresVersions: Bool = false
  ) throws {
    let document = try file.read()
    if let document, !ignoresVersions, document.metadata[NSStoreModelVersionHashesKey] != nil,
      !model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: document.metadata)
    {
      throw StoreError(
        .incompatibleModel,
        "Cannot open the store '\(file.url.path)': it was written with another version of the model. Open it with that "
          + "version, or migrate it.")
    }
    try self.init(
      model: model, configuration: configuration, number: number, identifier: document?.identifier, keepsHistory: false,
      file: file)
    try state.withLock { state in
      if let document { try load(document, into: &state, from: file) } else { try file.write(self.document(of: state)) }
    }
  }

  private func load(_ document: StoreDocument, into state: inout State, from file: StoreFile) throws {
    var reading = DocumentDecoder(model, store: number, file: file.url.path)
    let batch = try reading.batch(of: document)
    for row in batch.inserted { try checkHolds(row.layout) }
    try PreparedBatch(batch, store: number, contents: state.contents).apply(to: &state.contents)
    state.contents.setLastKey(reading.lastKey)
    for (key, value) in document.metadata where !Self.modelKeys.contains(key) && key != "NSStoreType" {
      state.metadata[key] = value
    }
  }

  /// The file's contents for a state.
  private func document(of state: State) -> StoreDocument {
    var metadata = state.metadata
    let identifier = metadata.removeValue(forKey: "NSStoreUUID") as? String ?? identifier
    metadata["NSStoreType"] = nil
    return StoreDocument(
      identifier: identifier, nextNumber: state.contents.lastKey + 1, metadata: metadata,
      objects: DocumentEncoder(model).objects(of: state.contents))
  }

  /// Applies a change and, if there is a file, writes it before the change takes effect.
  func change<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
    guard let file else { return try whileOpen(body) }
    return try whileOpen { state in
      guard !file.isReadOnly else {
        throw StoreError(.readOnly, "The store at '\(file.url.path)' is read-only and cannot be saved to.")
      }
      var next = state
      let result = try body(&next)
      try file.write(document(of: next))
      state = next
      return result
    }
  }
}
