import Foundation
import ManagedModel
import RowStore
import SQLText
import SQLiteEngine

/// Whether a file is a store of the model.
extension StoreOpening {
  var notAStore: StoreError {
    StoreError(
      .corrupt,
      "Cannot open the store '\(path)': it is an SQLite database, but without the tables of a store. "
        + "Name another file, or move this one away to start a new store.")
  }

  /// Checks the metadata against the model and answers how the store's tables lie, and its UUID.
  func read(_ connection: Connection) throws -> (StoreSchema, identifier: String) {
    guard let (identifier, metadata) = try SQLStore.metadata(connection) else { throw notAStore }
    try checkModel(metadata)
    let schema = try StoreSchema(
      model: model, configuration: configuration, numbers: numbers(connection, of: model),
      declared: declaredTables(connection))
    return (schema, identifier)
  }

  func declaredTables(_ connection: Connection) throws -> DeclaredTables {
    var texts: [String: String] = [:]
    for row in try connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL") {
      if case .text(let name) = row[0], case .text(let text) = row[1] { texts[name] = text }
    }
    return DeclaredTables(texts)
  }

  /// Whether the rows are in the model.
  func fits(_ metadata: [String: any Sendable]) -> Bool {
    model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
  }

  func checkModel(_ metadata: [String: any Sendable]) throws {
    guard !fits(metadata) else { return }
    guard let entities = model.entities(forConfigurationName: configuration) else {
      throw StoreError(
        .incompatibleModel,
        "Cannot open the store '\(path)': the model has no configuration '\(configuration ?? "")', only "
          + "\(model.configurations).")
    }
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let own = Dictionary(entities.map { ($0.name ?? "", $0.versionHash) }, uniquingKeysWith: { first, _ in first })
    let parts = [
      ("only in the model", own.keys.filter { stored[$0] == nil }),
      ("only in the store", stored.keys.filter { own[$0] == nil }),
      ("different", own.keys.filter { stored[$0] != nil && stored[$0] != own[$0] }),
    ]
    let differences = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.sorted().joined(separator: ", "))" }
    throw StoreError(
      .incompatibleModel,
      "Cannot open the store '\(path)': it was written with another version of the model "
        + "(\(differences.joined(separator: "; "))). Open it with that version, or migrate it.")
  }

  /// Z_ENT by entity name. A migration by Apple's framework leaves a renamed entity its old name in Z_PRIMARYKEY; the
  /// model knows that name. Entities of other configurations get numbers that no row of this file has.
  func numbers(_ connection: Connection, of model: NSManagedObjectModel) throws -> [String: Int] {
    var stored: [String: Int] = [:]
    for row in try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 1 AND 15999") {
      if case .text(let name) = row[0], case .integer(let number) = row[1] { stored[name] = Int(number) }
    }
    var last = stored.values.max() ?? 0
    var numbers: [String: Int] = [:]
    for layout in model.layouts { numbers[layout.name] = stored.removeValue(forKey: layout.name) }
    for layout in model.layouts where numbers[layout.name] == nil {
      let oldName = layout.entity.renamingIdentifier ?? layout.name
      if let number = stored.removeValue(forKey: oldName) {
        numbers[layout.name] = number
      } else {
        last += 1
        numbers[layout.name] = last
      }
    }
    return numbers
  }
}
