import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataRowStore

/// The file of an XML or a binary store. The rows that are read are written unchanged in either format.
@Sendable func storeFile(_ bytes: [UInt8]) {
  let folder = FileManager.default.temporaryDirectory
  let path = folder.appendingPathComponent("fuzz-store-\(getpid())")
  defer { unlink(path.path) }
  for type in ["XML", "Binary"] {
    guard FileManager.default.createFile(atPath: path.path, contents: Data(bytes)) else { return }
    guard let store = open(path, type), let rows = try? texts(store) else { continue }
    promise((try? store.setMetadata([:])) != nil, "what was read as \(type) cannot be written")
    for other in ["XML", "Binary"] {
      let copy = folder.appendingPathComponent("fuzz-copy-\(getpid())")
      defer { unlink(copy.path) }
      do {
        try StoreFile(type: other, at: copy).copy(StoreFile(type: type, at: path, isReadOnly: true))
        let again = try open(copy, other).map(texts)
        promise(again == rows, "\(rows)\nis written as \(other) as\n\(again ?? [])")
      } catch {
        fatalError("\(type) cannot be copied to \(other): \(error)")
      }
    }
  }
}

private func open(_ url: URL, _ type: String) -> MemoryStore? {
  guard let file = try? StoreFile(type: type, at: url) else { return nil }
  return try? MemoryStore(in: file, model: PageModel.model, configuration: nil, number: 1)
}

private func texts(_ store: MemoryStore) throws -> [String] {
  try PageModel.schema.model.layouts.filter { $0.number == $0.rootNumber }
    .flatMap { try store.rows(for: FetchQuery(layout: $0)).rows.map(PageModel.text) }
}
