import Foundation

/// Compares the schema of a store with that of a reference store.
struct SchemaAudit {
  private(set) var declarations = 0
  /// Indexes of the checked store that are covered by another one with the same columns.
  private(set) var doubled = 0
  private(set) var differences: [String] = []

  init(_ own: RawStore, like apple: RawStore) throws {
    let expected = try Self.declarations(of: apple)
    let found = try Self.declarations(of: own)
    declarations = expected.count
    let indexed = Set(found.values.compactMap(Self.indexedColumns))
    for (name, text) in expected where found[name] != text {
      if found[name] == nil, let columns = Self.indexedColumns(text), indexed.contains(columns) {
        doubled += 1
        continue
      }
      differences.append("expected: \(text)\n      found: \(found[name] ?? "none")")
    }
    for (name, text) in found where expected[name] == nil { differences.append("not expected: \(text)") }
    // A migration keeps a renamed entity's old name.
    let entities = "SELECT Z_ENT || ' in ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    let (ours, theirs) = (try own.texts(entities), try apple.texts(entities))
    if ours != theirs { differences.append("Z_PRIMARYKEY: expected \(theirs)\n      found: \(ours)") }
    differences += Self.metadata(try Self.metadata(of: own), like: try Self.metadata(of: apple))
    differences.sort()
  }

  /// Declarations by kind and name. A renamed table is quoted, and an added column has a space before its comma.
  private static func declarations(of store: RawStore) throws -> [String: String] {
    var texts: [String: String] = [:]
    for row in try store.rows("SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL") {
      guard case .text(let name) = row[0], case .text(let text) = row[1] else { continue }
      texts[name] = text.replacing("\"", with: "").replacing(" , ", with: ", ").replacing(" )", with: ")")
    }
    return texts
  }

  /// The columns that an index covers; nil for a table and for a unique index.
  private static func indexedColumns(_ text: String) -> Substring? {
    guard text.hasPrefix("CREATE INDEX"), let columns = text.range(of: " ON ") else { return nil }
    return text[columns.upperBound...]
  }

  private static func metadata(of store: RawStore) throws -> [String: Any] {
    guard case .blob(let bytes)? = try store.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first else { return [:] }
    return try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any] ?? [:]
  }

  /// Compares only what depends on the model alone; the metadata also contain the framework's release.
  private static func metadata(_ own: [String: Any], like apple: [String: Any]) -> [String] {
    var differences: [String] = []
    let own = own["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    let expected = apple["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    for name in Set(own.keys).union(expected.keys).sorted() where own[name] != expected[name] {
      differences.append("version hash of \(name)")
    }
    return differences
  }
}
