import Foundation
import StrataManagedModel
import StrataModelFiles

/// A model that can be read can be used: frozen, hashed, written and read again.
private func use(_ model: NSManagedObjectModel) {
  let hashes = model.entityVersionHashesByName
  guard let bytes = try? ModelArchive.bytes(of: model) else { return }
  guard let again = try? ModelArchive.model(bytes) else { fatalError("a model cannot be read that we wrote") }
  promise(again.entityVersionHashesByName == hashes, "a model that was written has other hashes")
}

/// `contents` of an `.xcdatamodel`.
@Sendable func modelDocument(_ bytes: [UInt8]) {
  guard let document = try? ModelDocument(contents: bytes, file: "contents") else { return }
  let model = NSManagedObjectModel()
  guard (try? document.fill(model, module: nil)) != nil else { return }
  use(model)
}

/// The compiled forms: `.cdm`, and the keyed archive of a `.mom`.
@Sendable func modelArchive(_ bytes: [UInt8]) {
  if let model = try? ModelArchive.model(bytes) { use(model) }
  if let (model, _) = try? NSManagedObjectModel.model(cache: bytes, file: "cache") { use(model) }
}
