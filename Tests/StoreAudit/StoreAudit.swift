import CoreData
import Foundation
import StrataManagedModel
import StrataSQLStore

/// Checks that this framework reads and writes stores written by Apple's framework correctly, and creates stores with the same
/// schema: `store-audit FOLDER`. Finds stores and models by file extension, and works on copies of the stores.
@main
struct StoreAudit {
  private let folder: URL
  private let work: URL
  private let models: [(name: String, model: NSManagedObjectModel)]

  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: store-audit FOLDER\n".utf8))
      exit(2)
    }
    let audit = try StoreAudit(folder: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true))
    defer { try? FileManager.default.removeItem(at: audit.work) }
    let count = try audit.run()
    print("differences: \(count)")
    if count > 0 { exit(1) }
  }

  private init(folder: URL) throws {
    self.folder = folder
    work = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    models = Self.files(in: folder) { ["mom", "xcdatamodel"].contains($0) }.compactMap { url in
      NSManagedObjectModel(contentsOf: url).map { (url.lastPathComponent, PlainTransformer.plain($0)) }
    }
  }

  private static func files(in folder: URL, _ fits: (String) -> Bool) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter { fits($0.pathExtension) }.sorted { $0.path < $1.path }
  }

  private func run() throws -> Int {
    var count = 0
    for store in Self.files(in: folder, { $0 == "sqlite" }) {
      let metadata = try SQLStore.metadata(at: copy(store))
      for (name, model) in try cached(store) + models
      where model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
        print("\(store.lastPathComponent) with \(name)")
        fflush(nil)
        do { count += try audit(store, model) } catch {
          count += 1
          print("  failed: \(error)")
        }
      }
    }
    return count
  }

  /// The copy of the model in the store.
  private func cached(_ store: URL) throws -> [(name: String, model: NSManagedObjectModel)] {
    let raw = try RawStore(copy(store))
    guard case .blob(let bytes)? = try raw.rows("SELECT Z_CONTENT FROM Z_MODELCACHE").first?.first else { return [] }
    let (model, warnings) = try NSManagedObjectModel.model(cache: Array(bytes), file: store.path)
    for warning in warnings { print("  \(warning)") }
    return [("Z_MODELCACHE", PlainTransformer.plain(model))]
  }

  /// Copies a store to a new folder.
  private func copy(_ store: URL) throws -> URL {
    let folder = work.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent(store.lastPathComponent)
    for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + ending) {
      try Data(contentsOf: URL(fileURLWithPath: store.path + ending)).write(
        to: URL(fileURLWithPath: copy.path + ending))
    }
    return copy
  }

  private func audit(_ store: URL, _ model: NSManagedObjectModel) throws -> Int {
    let url = try copy(store)
    let raw = try RawStore(url)
    let history = try Self.hasHistory(raw)
    let opened = try AuditedStore(url, model, history: history)
    let reading = try opened.context.performAndWait { try ReadingAudit(opened.context, model, raw) }
    show("read \(reading.entities) entities, \(reading.rows) rows, \(reading.values) values", reading.differences)

    let schema = try compareSchema(of: raw, model)
    show(
      "compared \(schema.declarations) declarations, \(schema.doubled) of them indexes with the same columns as another",
      schema.differences)

    let writing = try opened.context.performAndWait { try WritingAudit(opened, raw) }
    show(
      "inserted \(writing.inserted), updated \(writing.updated), deleted \(writing.deleted)", writing.differences)
    try opened.close()

    let again = try AuditedStore(url, model, history: history)
    let second = try again.context.performAndWait { try ReadingAudit(again.context, model, raw) }
    show("read again \(second.rows) rows, \(second.values) values", second.differences)
    try again.close()
    return [reading.differences, schema.differences, writing.differences, second.differences].map(\.count).reduce(0, +)
  }

  private func compareSchema(of apple: RawStore, _ model: NSManagedObjectModel) throws -> SchemaAudit {
    let url = work.appendingPathComponent(UUID().uuidString + ".sqlite")
    let own = try AuditedStore(url, model, history: Self.hasHistory(apple))
    defer { try? own.close() }
    return try SchemaAudit(RawStore(url), like: apple)
  }

  /// A store with a history opens read-only if history tracking is off.
  private static func hasHistory(_ store: RawStore) throws -> Bool {
    try !store.rows("SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTION'").isEmpty
  }

  private func show(_ text: String, _ differences: [String]) {
    print("  \(text); differences: \(differences.count)")
    for difference in differences.prefix(40) { print("    \(difference)") }
  }
}
