import Foundation
import GRDB
import GRDBSQLite

/// The settings and the behavior of GRDB's connections, as text by name.
public enum GRDBFacts {
  public static func current(in folder: URL) throws -> [String: String] {
    let file = folder.appendingPathComponent("GRDB.sqlite")
    var configuration = Configuration()
    configuration.busyMode = .timeout(0.25)
    let pool = try DatabasePool(path: file.path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, b)")
      try db.execute(sql: "INSERT INTO t (b) VALUES (randomblob(100))")
    }
    var facts = try pool.read { try settings(of: $0, "reader") }
    facts.merge(try pool.write { try settings(of: $0, "writer") }) { $1 }
    facts["pages after an automatic checkpoint"] = try automaticCheckpoint(pool, file)
    facts["seconds until busy"] = try waiting(for: pool, file)
    facts["checkpoint"] = try pool.writeWithoutTransaction { db in "\(try db.checkpoint(.truncate))" }
    try pool.close()
    facts["log when closed"] = String(FileManager.default.fileExists(atPath: file.path + "-wal"))
    return facts.reduce(into: [:]) { $0["GRDB: \($1.key)"] = $1.value }
  }

  private static func settings(of db: Database, _ name: String) throws -> [String: String] {
    var facts: [String: String] = [:]
    for pragma in SQLiteFacts.pragmas {
      facts["\(name)'s \(pragma)"] = try String.fetchOne(db, sql: "PRAGMA \(pragma)") ?? "none"
    }
    guard let handle = db.sqliteConnection else { return facts }
    for (fact, value) in SQLiteFacts.methods(of: handle) { facts["\(name)'s \(fact)"] = value }
    return facts
  }

  /// Whether SQLite automatically checkpoints a log of 1,000 pages, after which the next commit overwrites the log.
  private static func automaticCheckpoint(_ pool: DatabasePool, _ file: URL) throws -> String {
    func size(_ path: String) -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }
    for _ in 0..<3 {
      try pool.write { try $0.execute(sql: "INSERT INTO t (b) VALUES (randomblob(6000000))") }
      try pool.write { try $0.execute(sql: "DELETE FROM t WHERE a > 1") }
    }
    return "file above 5 MB: \(size(file.path) > 5_000_000), log below 14 MB: \(size(file.path + "-wal") < 14_000_000)"
  }

  /// The time that a second writer waits, in GRDB's busy mode.
  private static func waiting(for pool: DatabasePool, _ file: URL) throws -> String {
    var configuration = Configuration()
    configuration.busyMode = .timeout(0.25)
    let other = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { try? other.close() }
    return try pool.write { _ in
      let start = Date()
      do {
        try other.inDatabase { try $0.execute(sql: "DELETE FROM t") }
        return "not busy"
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        return (0.2...60).contains(Date().timeIntervalSince(start)) ? "a quarter" : "\(Date().timeIntervalSince(start))"
      }
    }
  }
}
