import Foundation
import StrataCSQLite

/// The store's file read with plain SQLite.
final class RawStore {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let handle: OpaquePointer

  init(_ path: String) throws {
    var handle: OpaquePointer?
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
      throw Failure(description: "\(path) cannot be opened")
    }
    sqlite3_busy_timeout(handle, 60_000)
    // Processes may be running, so checkpoints are left to them.
    sqlite3_wal_autocheckpoint(handle, 0)
    strata_set_checkpoint_on_close(handle, 0)
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(description: "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return rows
  }

  func integer(_ sql: String) throws -> Int { try rows(sql).first?.first.flatMap { Int($0) } ?? 0 }

  /// The newest commit's position in the order of commits, the newest transaction, and the key of the commit's row.
  struct Newest {
    var commit: Int
    var transaction: Int
    var row: Int

    /// The command for processes to merge everything and finish.
    var command: String { "finish \(commit) \(transaction) \(row)" }

    init(commit: Int, transaction: Int, row: Int) {
      (self.commit, self.transaction, self.row) = (commit, transaction, row)
    }

    private static func path(in folder: String) -> String { "\(folder)/newest" }

    /// Reads what another process recorded. The result is nil if it did not.
    init?(recordedIn folder: String) {
      let text = try? String(contentsOfFile: Self.path(in: folder), encoding: .utf8)
      let numbers = text?.split(separator: " ").compactMap { Int($0) } ?? []
      guard numbers.count == 2 else { return nil }
      (commit, transaction, row) = (numbers[0], numbers[1], numbers[0])
    }

    init(of store: RawStore) throws {
      commit = try store.integer("SELECT ifnull(max(Z_PK), 0) FROM ZCOMMIT")
      transaction = try store.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002")
      row = commit
    }

    func record(in folder: String) throws {
      try "\(commit) \(transaction)".write(toFile: Self.path(in: folder), atomically: false, encoding: .utf8)
    }
  }

  func newest() throws -> Newest { try Newest(of: self) }

  /// Problems of the file: SQLite's integrity check, dangling keys, keys above the highest one assigned, and a history
  /// in another order than the commits.
  func faults() throws -> [String] {
    var faults = try rows("PRAGMA integrity_check").map { $0[0] }.filter { $0 != "ok" }
    func expectNone(_ what: String, _ sql: String) throws {
      let count = try integer(sql)
      if count != 0 { faults.append("\(count) \(what)") }
    }
    let joins = try rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    for join in joins.map({ $0[0] }) {
      for column in try rows("SELECT name FROM pragma_table_info('\(join)')").map({ $0[0] }) {
        let target = column.hasSuffix("ITEMS") ? "ZITEM" : "ZTAG"
        try expectNone(
          "rows of \(join) whose \(column) is dangling",
          "SELECT count(*) FROM \(join) WHERE \(column) NOT IN (SELECT Z_PK FROM \(target))")
      }
    }
    try expectNone(
      "items with a dangling place",
      "SELECT count(*) FROM ZITEM WHERE ZPLACE IS NOT NULL AND ZPLACE NOT IN (SELECT Z_PK FROM ZPLACE)")
    for entity in ["COMMIT", "ITEM", "PLACE", "TAG"] {
      try expectNone(
        "rows of Z\(entity) above Z_MAX",
        "SELECT count(*) FROM Z\(entity) WHERE Z_PK > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE upper(Z_NAME) = '\(entity)')"
      )
    }
    try expectNone(
      "changes without a transaction",
      "SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)")
    try expectNone(
      "commits in a different order in the history",
      """
      SELECT count(*) FROM (SELECT ZENTITYPK AS pk, lag(ZENTITYPK) OVER (ORDER BY ZTRANSACTIONID, c.Z_PK) AS before \
      FROM ACHANGE c JOIN Z_PRIMARYKEY p ON p.Z_ENT = ZENTITY WHERE Z_NAME = 'Commit' AND ZCHANGETYPE = 0) \
      WHERE pk <> before + 1
      """)
    return faults
  }
}
