import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The common part of back ends for stores that a program wrote.
///
/// Apple's API hands such a store managed objects. They belong to a context of their own and are made from the batch,
/// so nothing from the program's contexts gets through. One thread at a time asks a store.
class ProgramBackEnd: @unchecked Sendable {
  // Sendable: whatever changes is used only under the lock.

  let number: Int
  let model: NSManagedObjectModel
  let configuration: String?
  let references: ReferenceTable
  private let lock = NSRecursiveLock()
  private var isOpen = true
  /// The metadata, as set by the store and the coordinator.
  private(set) var values: [String: any Sendable] = [:]
  /// Both own this back end, directly or indirectly.
  private unowned let coordinator: NSPersistentStoreCoordinator
  unowned var store: NSPersistentStore!

  init(in coordinator: NSPersistentStoreCoordinator, configuration: String?) {
    self.coordinator = coordinator
    self.configuration = configuration
    model = coordinator.managedObjectModel
    number = coordinator.allocateNumber()
    references = ReferenceTable(number: number, model: model)
  }

  /// Asks the store while no other thread does.
  /// - Throws: `.notOpen` after `close()`.
  func whileOpen<Answer>(_ ask: () throws -> Answer) throws -> Answer {
    try lock.withLock {
      guard isOpen else {
        throw StoreError(.notOpen, "The store \(store.type) was asked something after it had been closed.")
      }
      return try ask()
    }
  }

  func close() { lock.withLock { isOpen = false } }

  /// Reads whatever the store needs before it can be asked.
  func open() throws { fatalError("A back end opens itself.") }

  // MARK: Objects

  /// Runs `body` on the queue of a context made for it.
  /// - Throws: also the error of a fault of the context that could not be read.
  func withContext<Answer>(_ body: (NSManagedObjectContext) throws -> Answer) throws -> Answer {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try context.throwingFailedReads { try body(context) } }
  }

  /// Empty new rows, to ask about their entities.
  static func rows(of entities: [EntityLayout]) -> [Row] {
    entities.map { layout in
      let page = RowPage(layout: layout, capacity: 1)
      return Row(page: page, index: page.append(id: .temporary(entity: layout.number), version: 0))
    }
  }

  /// - Throws: `.incompatibleModel` for a row that is not in the store's configuration.
  func checkHolds(_ rows: [Row]) throws {
    for row in rows where !store.holds(row.layout) {
      throw StoreError(
        .incompatibleModel,
        "The store \(store.type) cannot take a new \(row.layout.name): its configuration lacks the entity.")
    }
  }

  /// The row behind an object or its ID.
  func rowID(of named: Any?) -> RowID? {
    switch named {
    case let id as NSManagedObjectID: id.rowID
    case let object as NSManagedObject: object.objectID.rowID
    default: nil
    }
  }

  func objectID(_ id: RowID) -> NSManagedObjectID {
    NSManagedObjectID(rowID: id, entity: model.entity(number: id.entity), store: store.storeIdentity)
  }

  // MARK: Metadata

  /// The metadata, known even after the store was closed.
  var lastMetadata: [String: any Sendable] { lock.withLock { values } }

  var identifier: String { values[NSStoreUUIDKey] as? String ?? "" }

  /// Adopts the metadata that the store read, and adds what is missing: type, UUID and the model's versions.
  /// - Parameter newIdentifier: makes the UUID of a store that does not have one yet.
  /// - Throws: `CocoaError` 134100 if the store was written with another model.
  func establishMetadata(newIdentifier: () -> String) throws {
    let hashes = Dictionary(
      (model.entities(forConfigurationName: configuration) ?? []).map { ($0.name ?? "", $0.versionHash) },
      uniquingKeysWith: { first, _ in first })
    if values[NSStoreModelVersionHashesKey] != nil,
      !model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: values)
    {
      throw CocoaError.coreData(
        .incompatibleModel,
        "The model used to open the store is incompatible with the one used to create the store at "
          + "'\(store.url?.shown ?? "")'. Its class \(type(of: store!)) has to bring it to the new model.",
        userInfo: ["metadata": values, "reason": CocoaError.otherModelReason])
    }
    if values[NSStoreUUIDKey] == nil { values[NSStoreUUIDKey] = newIdentifier() }
    if values[NSStoreTypeKey] == nil { values[NSStoreTypeKey] = store.type }
    values[NSStoreModelVersionHashesKey] = hashes
    values[NSStoreModelVersionIdentifiersKey] =
      model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
    store.storeIdentity.setIdentity(uuid: identifier, names: references)
  }

  /// Replaces everything that a program may set.
  func replaceMetadata(_ new: [String: any Sendable]) {
    lock.withLock {
      let fixed = isSettled ? values.filter { Self.ownKeys.contains($0.key) } : [:]
      values = new.merging(fixed) { _, own in own }
    }
  }

  func addMetadata(_ new: [String: any Sendable]) {
    for (key, value) in new where !Self.ownKeys.contains(key) { values[key] = value }
  }

  private var isSettled: Bool { store.storeIdentity.names != nil }

  private static let ownKeys: Set<String> = [
    NSStoreUUIDKey, NSStoreTypeKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
  ]

  // MARK: What such stores lack

  func history(_ query: HistoryQuery) throws -> HistoryRange { try whileOpen { HistoryRange() } }
  func purgeHistory(before transaction: Int64) throws -> Int { try whileOpen { 0 } }
  func newestTransaction() throws -> Int64 { try whileOpen { 0 } }
  func pinned() throws -> (any RowView)? { nil }

  func execute(_ change: BulkChange) throws -> BulkReceipt {
    throw StoreError(
      .unsupported,
      "A batch request for '\(change.layout.name)' was refused: a store of the type \(store.type) takes none. "
        + "Change the objects in a context and save it.")
  }
}
