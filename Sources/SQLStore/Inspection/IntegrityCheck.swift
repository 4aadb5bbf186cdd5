import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSupport

/// The issues of a store that its file shows, read in one transaction.
package struct IntegrityCheck: Sendable {
  /// Empty if the store is whole.
  package internal(set) var flaws: [IntegrityIssue] = []
  /// The number of checks made.
  package internal(set) var questions = 0
  /// Whether the rows were checked against a model. Without one, or with another version, only the file was checked.
  package private(set) var knowsModel = false

  /// - Parameter model: the model the store was written with; nil uses the copy in the file.
  /// - Throws: a `StoreError` if the file is not a store or cannot be read.
  package init(of url: URL, model: NSManagedObjectModel? = nil) throws {
    self = try StoreInspector.at(url.storePath(isReadOnly: true)) { connection in
      var check = IntegrityCheck()
      try check.run(connection, model: model)
      return check
    }
  }

  init() {}

  private mutating func run(_ connection: Connection, model given: NSManagedObjectModel?) throws {
    SQLFunctions.define(on: connection)
    let schema = try connection.reading {
      guard try connection.hasTable("Z_METADATA"), let (_, metadata) = try SQLStore.metadata(connection) else {
        throw SQLStore.notAStore(connection)
      }
      _ = try SQLStore.otherTables(connection)
      try checkFile(connection)
      let schema = try (given ?? SQLStore.keptModel(connection)?.model).flatMap {
        try self.schema($0, metadata: metadata, in: connection)
      }
      if let schema { try checkRows(schema, metadata: metadata, in: connection) }
      return schema
    }
    if let schema { try checkFiles(schema, on: connection) }
  }

  private mutating func checkRows(
    _ schema: StoreSchema, metadata: [String: any Sendable], in connection: Connection
  ) throws {
    knowsModel = true
    checkMetadata(metadata, for: schema)
    try checkEntities(schema, on: connection)
    try checkIndexes(schema, on: connection)
    let tables = try checkTables(schema, on: connection)
    let writer = CheckWriter(schema: schema)
    try ask(writer.questions, of: tables, in: connection)
    guard tables.contains("ATRANSACTION") else { return }
    try ask(writer.historyQuestions(in: connection.historyLayout()), of: tables, in: connection)
    try checkHistoryCounters(tables, on: connection)
  }

  private mutating func checkFile(_ connection: Connection) throws {
    questions += 1
    let texts = try connection.damage(maximum: 20)
    guard let first = texts.first else { return }
    flaws.append(IntegrityIssue(.damaged, "file", "SQLite finds the file damaged: \(first)", count: texts.count))
  }

  /// Runs the queries that must return nothing, if their tables exist.
  private mutating func ask(
    _ asked: [CheckWriter.Question], of tables: Set<String>, in connection: Connection
  ) throws {
    for question in asked where tables.contains(question.table) && question.other.map(tables.contains) ?? true {
      questions += 1
      let statement = try connection.statement(question.statement.text)
      try statement.bind(question.statement.bindings)
      defer { statement.reset() }
      var (count, keys) = (0, [Int64]())
      while try statement.step() {
        count += 1
        if keys.count < Self.maximumKeys { keys.append(statement.integer(0)) }
      }
      guard count > 0 else { continue }
      flaws.append(
        IntegrityIssue(
          question.flaw, question.table, "\(counted(count, "row")) \(question.complaint)", count: count,
          keys: keys, isHarmless: question.isAllowed))
    }
  }

  /// Enough to investigate, few enough to read.
  private static let maximumKeys = 10
}

extension Connection {
  /// The damage that SQLite finds in the file. See https://sqlite.org/pragma.html#pragma_integrity_check
  func damage(maximum count: Int) throws -> [String] {
    try rows("PRAGMA integrity_check(\(count))").compactMap { row in
      if case .text(let text) = row[0], text != "ok" { text } else { nil }
    }
  }
}
