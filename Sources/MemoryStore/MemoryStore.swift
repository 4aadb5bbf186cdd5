import Foundation
import StrataManagedModel
import StrataRowStore
import Synchronization

/// An in-memory store, the second back end; it passes the same conformance suite as SQLite.
///
/// Thread-safe. A query copies the contents under the lock, which is O(1) thanks to copy-on-write, and searches the
/// copy outside it; so readers never wait for each other and only ever see whole commits.
package final class MemoryStore: BackEnd {
  struct State {
    var contents: StoreContents
    var history: [HistoryTransaction] = []
    var lastTransaction: Int64 = 0
    var lastChange: Int64 = 0
    var metadata: [String: any Sendable]
    var isOpen = true
  }

  /// The store type in the metadata: `NSInMemoryStoreType`.
  package static let type = "InMemory"

  package let number: Int
  package let identifier: String
  let model: ModelLayout
  let keepsHistory: Bool
  /// The numbers of the entities that the store contains.
  let entities: Set<Int>
  let state: Mutex<State>
  /// The file of an atomic store; nil for a store in memory only.
  package let file: StoreFile?

  /// - Parameters:
  ///   - model: frozen if it was not yet.
  ///   - configuration: which of its entities the store contains; nil for all.
  ///   - number: the store's number in its rows' IDs, 1…255.
  ///   - identifier: the store's UUID; nil for a new one.
  ///   - keepsHistory: whether commits are recorded for `history(after:limit:)`.
  /// - Throws: `.incompatibleModel` if the model has no such configuration.
  package init(
    model: NSManagedObjectModel, configuration: String?, number: Int, identifier: String? = nil, keepsHistory: Bool,
    file: StoreFile? = nil
  ) throws(StoreError) {
    let model = model.freeze()
    guard let entities = model.layouts(ofConfiguration: configuration) else {
      throw StoreError(
        .incompatibleModel,
        "A store in memory cannot be opened: the model has no configuration '\(configuration ?? "")', only "
          + "\(model.configurations).")
    }
    self.number = number
    self.identifier = identifier ?? UUID().uuidString
    self.model = model
    self.keepsHistory = keepsHistory
    self.file = file
    self.entities = Set(entities.map(\.number))
    var metadata = Self.metadata(of: entities, model, identifier: self.identifier)
    if let file { metadata["NSStoreType"] = file.format.type }
    // Object numbers are unique across an atomic store's file.
    state = Mutex(State(contents: StoreContents(model: model, sharesKeys: file != nil), metadata: metadata))
  }

  private static func metadata(
    of entities: [EntityLayout], _ model: ModelLayout, identifier: String
  ) -> [String: any Sendable] {
    let hashes = entities.versionHashes
    return [
      "NSStoreUUID": identifier,
      "NSStoreType": type,
      NSStoreModelVersionHashesKey: hashes,
      NSStoreModelVersionIdentifiersKey: model.versionIdentifiers,
      NSPersistentStoreModelVersionChecksumKey: hashes.versionChecksum,
    ]
  }

  package var metadata: [String: any Sendable] {
    get throws { try whileOpen { $0.metadata } }
  }

  /// Replaces values by key, except the UUID and type, which the store owns.
  package func setMetadata(_ metadata: [String: any Sendable]) throws {
    try change { state in
      for (key, value) in metadata where key != "NSStoreType" && (key != "NSStoreUUID" || file != nil) {
        state.metadata[key] = value
      }
    }
  }

  /// The next saving writes the file there.
  package func urlDidChange(to url: URL) { file?.url = url }

  package func close() {
    state.withLock { state in
      state.isOpen = false
      state.contents = StoreContents(model: model)
      state.history = []
    }
  }

  /// Calls `body` with the state, under the lock.
  /// - Throws: `.notOpen` after `close()`.
  func whileOpen<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      guard state.isOpen else {
        throw StoreError(.notOpen, "The store \(identifier) in memory was used after it was closed.")
      }
      return try body(&state)
    }
  }
}
