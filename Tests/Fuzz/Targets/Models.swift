import Foundation
import StrataManagedModel
import StrataModelSource
import StrataSQLText
import StrataSQLiteEngine
import StrataStoreCoordination

/// A model that can be read can be used: frozen, hashed, written, read again, and declared to SQLite.
private func use(_ model: NSManagedObjectModel) {
  let hashes = model.entityVersionHashesByName
  // A relationship without a destination, which causes a warning when it is read, is not written.
  if model.entities.contains(where: { $0.relationshipsByName.values.contains { $0.destinationEntity == nil } }) {
    return
  }
  for form in [try? ModelArchive.bytes(of: model), try? model.mom()] {
    guard let form else { continue }
    do {
      let isOwn = form.starts(with: ModelArchive.magic)
      let again = try isOwn ? ModelArchive.model(form) : NSManagedObjectModel.model(mom: form, file: "").model
      let differing = hashes.filter { again.entityVersionHashesByName[$0.key] != $0.value }.keys.sorted()
      promise(differing.isEmpty, "\(differing) have other hashes in the written model; own format: \(isOwn)")
    } catch {
      fatalError("a model that we wrote cannot be read: \(error)")
    }
  }
  guard let schema = try? StoreSchema(model: model, dialect: .sqlite) else { return }
  let writer = SchemaWriter(schema: schema)
  let statements = writer.tables + ((try? writer.indexes()) ?? [])
  // SQLite reads a statement up to the first zero byte. That byte is in quotes, so SQLite rejects the statement.
  if statements.contains(where: { $0.text.utf8.contains(0) }) { return }
  do {
    let connection = try Connection(path: ":memory:", mode: .create, busyTimeout: 1)
    defer { connection.close() }
    for statement in statements { try connection.run(statement) }
  } catch {
    fatalError("SQLite rejects the model's tables: \(error)")
  }
}

/// `contents` of an `.xcdatamodel`.
@Sendable func modelDocument(_ bytes: [UInt8]) {
  guard let document = try? ModelDocument(contents: bytes, file: "contents") else { return }
  let model = NSManagedObjectModel()
  guard (try? document.fill(model, module: nil)) != nil else { return }
  // The hashes that a build embeds are trusted.
  for (name, hash) in document.hashes() {
    guard let entity = model.entitiesByName[name] else { continue }
    promise(Data(hash) == entity.versionHash, "a build computes another hash of the entity \(name)")
  }
  use(model)
}

/// The compiled forms: our own, and the keyed archive of a `.mom`, which the cache in a store has too.
@Sendable func modelArchive(_ bytes: [UInt8]) {
  if bytes.starts(with: ModelArchive.magic) {
    // Updates the checksum of the changed bytes.
    let body = bytes.dropFirst(17)
    let sum = body.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let head = ModelArchive.magic + [1] + (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    // The model compiler does not write contradictory models.
    guard let model = try? ModelArchive.model(head + body), model.contradiction == nil else { return }
    // Hashes in an archive are trusted. Those of a changed archive are wrong, so they are computed again.
    model.archivedHashesAreValid = false
    use(model)
  } else if let (model, _) = try? NSManagedObjectModel.model(mom: bytes, file: "Model.mom") {
    use(model)
  }
}

/// A mapping model, compiled or in Xcode's format, and the model that Xcode embeds in it.
@Sendable func mapping(_ bytes: [UInt8]) {
  for mapping in (try? NSMappingModel.mappings(in: bytes, file: "mapping")) ?? [] {
    _ = (mapping.mappingType, mapping.sourceExpression?.description)
    for property in (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? []) {
      _ = property.valueExpression?.description
    }
  }
  guard let model = try? EditorModel(bytes, file: "model").model else { return }
  for entity in model.entities { _ = entity.versionHash }
}
