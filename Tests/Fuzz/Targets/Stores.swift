import Foundation
import StrataMemoryStore
import StrataRowStore

/// The file of an XML or a binary store.
@Sendable func storeFile(_ bytes: [UInt8]) {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-store-\(getpid())")
  guard FileManager.default.createFile(atPath: path.path, contents: Data(bytes)) else { return }
  defer { unlink(path.path) }
  for type in ["XML", "Binary"] {
    guard let file = try? StoreFile(type: type, at: path, isReadOnly: true) else { continue }
    guard let store = try? MemoryStore(in: file, model: PageModel.schema.model, configuration: nil, number: 1) else {
      continue
    }
    let layout = PageModel.layout
    _ = try? store.rows(for: FetchQuery(layout: layout))
  }
}
