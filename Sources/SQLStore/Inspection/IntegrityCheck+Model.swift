import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Checks that the file is laid out as the model requires.
extension IntegrityCheck {
  /// The schema of the file; nil, with a flaw noted, if its rows belong to another version of the model.
  mutating func schema(
    _ model: NSManagedObjectModel, metadata: [String: any Sendable], in connection: Connection
  ) throws -> StoreSchema? {
    questions += 1
    model.freeze()
    let names = [nil] + model.configurations
    let held = names.first { model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    guard let configuration = held else {
      flaws.append(
        IntegrityIssue(.modelDiffers, "Z_METADATA", "the version hashes in the metadata do not match the model"))
      return nil
    }
    let opening = StoreOpening(
      path: connection.path, model: model, configuration: configuration, options: SQLStoreOptions())
    return try opening.read(connection).0
  }

  /// Stores from older frameworks have neither digest nor checksum.
  mutating func checkMetadata(_ metadata: [String: any Sendable], for schema: StoreSchema) {
    let expected = StoreMetadata.dictionary(for: schema)
    for key in ["NSStoreModelVersionHashesDigest", NSPersistentStoreModelVersionChecksumKey] {
      questions += 1
      guard let text = metadata[key] as? String, text != expected[key] as? String else { continue }
      flaws.append(IntegrityIssue(.modelDiffers, "Z_METADATA", "\(key) does not match the version hashes"))
    }
  }

  mutating func checkEntities(_ schema: StoreSchema, on connection: Connection) throws {
    for layout in schema.layouts {
      let number = schema.storedNumber(of: layout.number)
      let parent = layout.parent.map { schema.storedNumber(of: $0.number) } ?? 0
      questions += 1
      let row = try connection.rows("SELECT IFNULL(Z_SUPER, 0) FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)").first
      if row == nil {
        flaws.append(IntegrityIssue(.entityTable, "Z_PRIMARYKEY", "the entity \(layout.name) is missing"))
      } else if row?[0] != .integer(Int64(parent)) {
        flaws.append(
          IntegrityIssue(.entityTable, "Z_PRIMARYKEY", "the entity \(layout.name) has another parent than in the model")
        )
      } else if parent == 0 {
        try checkCounter(number, of: schema.table(of: layout).name, on: connection)
      }
    }
  }

  mutating func checkHistoryCounters(_ tables: Set<String>, on connection: Connection) throws {
    try checkCounter(HistoryWriter.changeNumber, of: "ACHANGE", on: connection)
    try checkCounter(HistoryWriter.transactionNumber, of: "ATRANSACTION", on: connection)
    if tables.contains("ATRANSACTIONSTRING") {
      try checkCounter(HistoryWriter.stringNumber, of: "ATRANSACTIONSTRING", on: connection)
    }
  }

  private mutating func checkCounter(_ number: Int, of table: String, on connection: Connection) throws {
    questions += 1
    guard try connection.hasTable(table.unquoted) else { return }
    let highest = try connection.integer("SELECT max(Z_PK) FROM \(table)") ?? 0
    let last = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)") ?? 0
    guard last < highest else { return }
    flaws.append(
      IntegrityIssue(
        .keyCounter, table, "Z_MAX is \(last), below the key \(highest) of a row: a new row would reuse it",
        keys: [highest]))
  }

  /// The tables that can be queried: those with all their columns, and those of the history.
  mutating func checkTables(_ schema: StoreSchema, on connection: Connection) throws -> Set<String> {
    var known = Set<String>()
    for (table, columns) in CheckWriter(schema: schema).declarations {
      questions += 1
      let found = Set(try connection.columns(of: table.unquoted))
      let missing = columns.filter { !found.contains($0.unquoted) }
      if missing.isEmpty {
        known.insert(table)
      } else {
        let text = found.isEmpty ? "the table is missing" : "it lacks the column \(missing.joined(separator: ", "))"
        flaws.append(IntegrityIssue(.missingColumn, table, text, count: missing.count))
      }
    }
    for table in ["ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING"] where try connection.hasTable(table) {
      known.insert(table)
    }
    return known
  }

  /// Compares what indexes cover: after a migration an index may have an old name.
  mutating func checkIndexes(_ schema: StoreSchema, on connection: Connection) throws {
    let rows = try connection.rows("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    let found = rows.compactMap { row -> String? in if case .text(let text) = row[0] { text } else { nil } }
    let known = Set(found.compactMap(Self.index))
    let own = Set(found.map(Self.plain))
    let constrained = try constraints(in: connection)
    for statement in try SchemaWriter(schema: schema).indexes() {
      questions += 1
      guard let index = Self.index(statement.text), !known.contains(index), !own.contains(Self.plain(statement.text)),
        !constrained.contains(index.columns)
      else { continue }
      flaws.append(
        IntegrityIssue(
          .missingIndex, index.place, "the file lacks \(statement.text)", isHarmless: !index.isUnique))
    }
  }

  /// The table and columns of each constraint in a table's declaration: `UNIQUE (ZCODE)` there does what a separately
  /// declared index does.
  private func constraints(in connection: Connection) throws -> Set<[String]> {
    let rows = try connection.rows(
      """
      SELECT t.name, i.name, c.name FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c \
      WHERE t.type = 'table' AND i."unique" AND i.origin <> 'c' ORDER BY t.name, i.name, c.seqno
      """)
    var columns: [String: [String]] = [:]
    for row in rows {
      guard case .text(let table) = row[0], case .text(let index) = row[1], case .text(let column) = row[2] else {
        continue
      }
      columns[index, default: [table]].append(column)
    }
    return Set(columns.values)
  }

  private struct Index: Hashable {
    var isUnique: Bool
    var place: String

    /// The table and its columns, without order and collation; nothing if the index is not unique.
    var columns: [String] {
      guard isUnique, let open = place.firstIndex(of: "("), let close = place.lastIndex(of: ")") else { return [] }
      let columns = place[place.index(after: open)..<close].split(separator: ",").compactMap { part in
        part.split(separator: " ").first.map(String.init)
      }
      return [place[..<open].filter { $0 != " " }] + columns
    }
  }

  private static func plain(_ text: String) -> String { text.replacing("\"", with: "") }

  private static func index(_ text: String) -> Index? {
    text.firstRange(of: " ON ").map {
      Index(isUnique: text.hasPrefix("CREATE UNIQUE"), place: plain(String(text[$0.upperBound...])))
    }
  }
}
