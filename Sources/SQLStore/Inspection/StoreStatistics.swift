import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSupport

/// Statistics of a store's file, read in one transaction. Its model need not be known.
package struct StoreStatistics: Sendable {
  package struct Entity: Sendable {
    package var name: String
    /// Z_ENT.
    package var number: Int
    /// Z_ENT of the parent entity; 0 for a root entity.
    package var parent: Int
    package var rows: Int
    /// The highest key ever given to a row of the hierarchy; 0 for all entities but its root.
    package var lastKey: Int64
  }

  package struct History: Sendable {
    package var transactions: Int
    package var changes: Int
    /// The numbers and times of the oldest and newest transactions kept; nil for an empty history.
    package var first: (number: Int64, time: Date)?
    package var last: (number: Int64, time: Date)?
    /// Their authors, by name.
    package var authors: [String]
    /// The highest transaction number ever used.
    package var newest: Int64
  }

  package var identifier = ""
  package var metadata: [String: any Sendable] = [:]
  package var journalMode = ""
  /// Bytes.
  package var pageSize = 0
  package var pages = 0
  /// Unused pages.
  package var freePages = 0
  /// "none", "full" or "incremental".
  package var autoVacuum = ""
  package var keepsModel = false
  package var entities: [Entity] = []
  /// The join tables.
  package var pairs: [(table: String, rows: Int)] = []
  package var history: History?
  /// The size of each external data file.
  package var externalSizes: [Int] = []

  /// The program's own metadata.
  package var programMetadata: [String: any Sendable] {
    metadata.filter { !StoreMetadata.ownKeys.contains($0.key) }
  }

  /// - Throws: a `StoreError` if the file is not a store or cannot be read.
  package init(of url: URL) throws {
    let path = try url.storePath(isReadOnly: true)
    let hasLog = Self.hasLog(path)
    self = try StoreInspector.at(path) { connection in
      try connection.reading { try StoreStatistics(connection) }
    }
    // Without locks SQLite reports another mode than writers of the file use.
    if hasLog { journalMode = "wal" }
  }

  /// Reads byte 18 of the header. See https://sqlite.org/fileformat.html#file_format_version_numbers
  private static func hasLog(_ path: String) -> Bool {
    (try? FileContents.prefix(of: path, count: 20))?.dropFirst(18).first == 2
  }

  private init(_ connection: Connection) throws {
    guard try connection.hasTable("Z_METADATA"), let (identifier, metadata) = try SQLStore.metadata(connection) else {
      throw SQLStore.notAStore(connection)
    }
    _ = try SQLStore.otherTables(connection)
    (self.identifier, self.metadata) = (identifier, metadata)
    if case .text(let mode)? = try connection.value("PRAGMA journal_mode") { journalMode = mode }
    pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
    pages = Int(try connection.integer("PRAGMA page_count") ?? 0)
    freePages = Int(try connection.integer("PRAGMA freelist_count") ?? 0)
    let vacuum = Int(try connection.integer("PRAGMA auto_vacuum") ?? 0)
    autoVacuum = ["none", "full", "incremental"][Swift.min(vacuum, 2)]
    keepsModel = try SQLStore.keptModel(connection) != nil
    try readEntities(connection)
    try readPairs(connection)
    externalSizes = ExternalData.sizes(of: connection.path)
    if try connection.hasTable("ATRANSACTION") { history = try Self.history(connection) }
  }

  private mutating func readEntities(_ connection: Connection) throws {
    var rows: [Int64: Int] = [:]
    let tables = """
      SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'Z_OPT'
      """
    for case .text(let table)? in try connection.rows(tables).map(\.first) where table.hasPrefix("Z") {
      for row in try connection.rows("SELECT Z_ENT, count(*) FROM \"\(table)\" GROUP BY Z_ENT") {
        guard case .integer(let number) = row[0], case .integer(let count) = row[1] else { continue }
        rows[number, default: 0] += Int(count)
      }
    }
    let known = "SELECT Z_NAME, Z_ENT, IFNULL(Z_SUPER, 0), IFNULL(Z_MAX, 0) FROM Z_PRIMARYKEY WHERE Z_ENT < 16000"
    entities = try connection.rows(known + " ORDER BY Z_ENT").compactMap { row in
      guard case .text(let name) = row[0], case .integer(let number) = row[1], case .integer(let parent) = row[2],
        case .integer(let last) = row[3]
      else { return nil }
      return Entity(name: name, number: Int(number), parent: Int(parent), rows: rows[number] ?? 0, lastKey: last)
    }
  }

  /// Their names begin with `Z_` and a number.
  private mutating func readPairs(_ connection: Connection) throws {
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY name"
    pairs = try connection.rows(tables).compactMap { row in
      guard case .text(let table) = row[0] else { return nil }
      return (table, Int(try connection.integer("SELECT count(*) FROM \"\(table)\"") ?? 0))
    }
  }

  private static func history(_ connection: Connection) throws -> History {
    let authors = HistoryWriter.authors(in: try connection.historyLayout())
    return History(
      transactions: Int(try connection.integer("SELECT count(*) FROM ATRANSACTION") ?? 0),
      changes: Int(try connection.integer("SELECT count(*) FROM ACHANGE") ?? 0),
      first: try transaction(connection, at: "min"), last: try transaction(connection, at: "max"),
      authors: try connection.rows(authors).compactMap { if case .text(let name) = $0[0] { name } else { nil } },
      newest: try connection.integer(HistoryWriter.newestTransaction) ?? 0)
  }

  private static func transaction(_ connection: Connection, at end: String) throws -> (number: Int64, time: Date)? {
    guard let row = try connection.rows("SELECT \(end)(Z_PK), ZTIMESTAMP FROM ATRANSACTION").first,
      case .integer(let number) = row[0]
    else { return nil }
    let seconds: Double =
      switch row[1] {
      case .real(let seconds): seconds
      case .integer(let seconds): Double(seconds)
      default: 0
      }
    return (number, Date(timeIntervalSinceReferenceDate: seconds))
  }
}
