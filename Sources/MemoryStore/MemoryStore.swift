import Foundation
import StrataManagedModel
import StrataRowStore
import Synchronization

/// A store that lasts as long as the process: the second back end, held to the same promises as the first.
///
/// Any thread may ask. A question takes a copy of the contents under the lock, which costs nothing until the next
/// commit, and looks through it outside; so readers never wait for each other and see whole commits only.
package final class MemoryStore: BackEnd {
  struct State {
    var contents: StoreContents
    var history: [HistoryTransaction] = []
    var lastTransaction: Int64 = 0
    var lastChange: Int64 = 0
    var metadata: [String: any Sendable]
    var isOpen = true
  }

  /// The type that the metadata name: `NSInMemoryStoreType`.
  package static let type = "InMemory"

  package let number: Int
  package let identifier: String
  let model: NSManagedObjectModel
  let keepsHistory: Bool
  /// The numbers of the entities that the store holds.
  let entities: Set<Int>
  let state: Mutex<State>
  /// Where all of it lies too; nil of a store that is in memory alone.
  package let file: StoreFile?

  /// - Parameters:
  ///   - model: a frozen model.
  ///   - configuration: which of its entities the store holds; nil is all.
  ///   - number: the number in the ids of the store's rows, 1…255.
  ///   - identifier: the store's UUID; nil makes one.
  ///   - keepsHistory: whether commits are remembered for `history(after:limit:)`.
  /// - Throws: `.incompatibleModel` if the model has no such configuration.
  package init(
    model: NSManagedObjectModel, configuration: String?, number: Int, identifier: String? = nil, keepsHistory: Bool,
    file: StoreFile? = nil
  ) throws(StoreError) {
    guard let entities = model.entities(forConfigurationName: configuration) else {
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
    self.entities = Set(entities.map(\.layout.number))
    var metadata = Self.metadata(of: entities, model, identifier: self.identifier)
    if let file { metadata["NSStoreType"] = file.format.type }
    // The objects of a file have numbers that no other in it has.
    state = Mutex(State(contents: StoreContents(model: model, sharesKeys: file != nil), metadata: metadata))
  }

  private static func metadata(
    of entities: [NSEntityDescription], _ model: NSManagedObjectModel, identifier: String
  ) -> [String: any Sendable] {
    let hashes = Dictionary(
      entities.map { ($0.name ?? "", $0.versionHash) }, uniquingKeysWith: { first, _ in first })
    return [
      "NSStoreUUID": identifier,
      "NSStoreType": type,
      NSStoreModelVersionHashesKey: hashes,
      NSStoreModelVersionIdentifiersKey: model.versionIdentifiers.compactMap { $0.base as? String }.sorted(),
      NSPersistentStoreModelVersionChecksumKey: NSManagedObjectModel.checksum(of: hashes),
    ]
  }

  package var metadata: [String: any Sendable] {
    get throws { try whileOpen { $0.metadata } }
  }

  /// Replaces values by key, except for the UUID and the type, which are the store's own.
  package func setMetadata(_ metadata: [String: any Sendable]) throws {
    try change { state in
      for (key, value) in metadata where key != "NSStoreType" && (key != "NSStoreUUID" || file != nil) {
        state.metadata[key] = value
      }
    }
  }

  package func close() {
    state.withLock { state in
      state.isOpen = false
      state.contents = StoreContents(model: model)
      state.history = []
    }
  }

  /// What `body` does with the state, under the lock.
  /// - Throws: `.notOpen` after `close()`.
  func whileOpen<Answer: Sendable>(_ body: (inout State) throws -> Answer) throws -> Answer {
    try state.withLock { state in
      guard state.isOpen else {
        throw StoreError(.notOpen, "The store \(identifier) in memory was asked something after it had been closed.")
      }
      return try body(&state)
    }
  }
}
