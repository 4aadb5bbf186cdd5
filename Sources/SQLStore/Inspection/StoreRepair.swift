import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSharing

/// Repairs what can be repaired in a store without losing anything that is still there: in one transaction under the
/// writer lock, after a copy of the store was made.
package struct StoreRepair: Sendable {
  package struct Step: Sendable {
    package var place: String
    /// The number of rows.
    package var count: Int
    /// The step, such as "reference in ZAUTHOR set to nil".
    package var text: String
  }

  /// The copy of the store as it was; nil if there was nothing to repair.
  package private(set) var backup: URL?
  package private(set) var steps: [Step] = []

  /// - Parameters:
  ///   - model: the model the store was written with; nil uses the copy in the file.
  ///   - timeout: how many seconds to wait for other writers.
  /// - Throws: a `StoreError` if the file is not a store of the model, if SQLite finds it damaged, and if the copy
  ///   cannot be created. The store is then unchanged.
  package init(of url: URL, model: NSManagedObjectModel? = nil, timeout: Double = 240) throws {
    let path = try url.storePath()
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.withLock(timeout: timeout) {
      let connection = try Connection(path: path, mode: .readWrite, busyTimeout: timeout)
      defer { connection.close() }
      SQLFunctions.define(on: connection)
      let work = try Self.work(on: connection, model: model)
      guard !work.isEmpty else { return }
      let copy = Self.freeName(beside: url)
      try SQLStore.replace(at: copy, with: url, timeout: timeout, isSourceLocked: true)
      backup = copy
      // The commit is not in the history, so that other processes treat it as a foreign writer's and reread everything.
      steps = try connection.writing {
        try work.compactMap { repair in
          try connection.run(repair.statement)
          let count = connection.changes
          return count == 0 ? nil : Step(place: repair.place, count: count, text: repair.text)
        }
      }
    }
  }

  private struct Work {
    var place: String
    var statement: SQLStatement
    var text: String
  }

  /// The repairs of what is wrong now.
  private static func work(on connection: Connection, model given: NSManagedObjectModel?) throws -> [Work] {
    if let damage = try connection.damage(maximum: 1).first {
      throw StoreError(
        .corrupt,
        "Cannot repair the store '\(connection.path)': SQLite finds the file damaged (\(damage)). "
          + "What is left can be read with the command .recover of sqlite3.")
    }
    guard let model = try given ?? SQLStore.keptModel(connection)?.model else {
      throw StoreError(
        .missingSourceModel, "Cannot repair the store '\(connection.path)': it contains no copy of its model.")
    }
    let schema = try StoreOpening.schema(of: model, in: connection)
    var check = IntegrityCheck()
    let tables = try check.checkTables(schema, on: connection)
    let questions = CheckWriter(schema: schema).questions.filter { question in
      !question.isAllowed && tables.contains(question.table) && question.other.map(tables.contains) ?? true
    }
    let rows = try questions.compactMap { question -> Work? in
      guard let repair = question.repair, try connection.hasRows(question.statement) else { return nil }
      return Work(place: question.table, statement: repair.statement, text: repair.text)
    }
    return try rows + counters(schema, tables: tables, on: connection)
  }

  private static func counters(
    _ schema: StoreSchema, tables: Set<String>, on connection: Connection
  ) throws -> [Work] {
    let roots = schema.tables.map { (schema.storedNumber(of: $0.root.number), $0.name) }
    let history = [
      (HistoryWriter.changeNumber, "ACHANGE"), (HistoryWriter.transactionNumber, "ATRANSACTION"),
      (HistoryWriter.stringNumber, "ATRANSACTIONSTRING"),
    ]
    return try (roots + history).filter { tables.contains($0.1) }.compactMap { number, table -> Work? in
      let highest = try connection.integer("SELECT max(Z_PK) FROM \(table)") ?? 0
      let last = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)") ?? 0
      guard last < highest else { return nil }
      return Work(
        place: table,
        statement: "UPDATE Z_PRIMARYKEY SET Z_MAX = \(String(highest)) WHERE Z_ENT = \(String(number))",
        text: "Z_MAX raised to \(highest)")
    }
  }

  /// `Library-backup.sqlite`, or the first of `Library-backup-2.sqlite` and so on that is free.
  private static func freeName(beside url: URL) -> URL {
    let name = url.deletingPathExtension().lastPathComponent
    let ending = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
    let folder = url.deletingLastPathComponent()
    var number = 1
    while true {
      let copy = folder.appendingPathComponent("\(name)-backup\(number == 1 ? "" : "-\(number)")\(ending)")
      if !FileManager.default.fileExists(atPath: copy.path) { return copy }
      number += 1
    }
  }
}

extension Connection {
  fileprivate func hasRows(_ question: SQLStatement) throws -> Bool {
    let statement = try statement(question.text)
    try statement.bind(question.bindings)
    defer { statement.reset() }
    return try statement.step()
  }
}
