import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import Synchronization

/// A commit of a new row, a changed row, or one of each, as most programs save: rows, history and notification are one
/// statement, which is a transaction of its own, in one round trip.
///
/// Each part depends on the one before it, so if the changed row is not at the expected version, nothing happens.
struct SmallCommit {
  /// The common properties of commits with the same statement.
  struct Shape: Hashable, Sendable {
    /// The number of the new row's entity; 0 for none.
    var inserted = 0
    /// The same of the changed row's, what of it is written, and what else of it changed.
    var updated = 0
    var slots: [UInt64] = []
    var toMany: [Int] = []
  }

  /// The statement of a shape, and what makes its parameters.
  final class Plan: Sendable {
    let statement: PreparedStatement
    let update: RowEncoder?
    let insertion: RowEncoder?
    /// The names of the changed properties, if a row changes.
    let properties: String?

    init(statement: PreparedStatement, update: RowEncoder?, insertion: RowEncoder?, properties: String?) {
      (self.statement, self.update, self.insertion, self.properties) = (statement, update, insertion, properties)
    }
  }

  private let batch: ChangeBatch
  private let shape: Shape
  private let store: PostgreSQLStore

  /// Fails for a batch with anything else.
  init?(_ batch: ChangeBatch, in store: PostgreSQLStore) {
    guard store.keepsHistory, batch.inserted.count <= 1, batch.updated.count <= 1, batch.deleted.isEmpty,
      batch.links.isEmpty, batch.checked.isEmpty
    else { return nil }
    var shape = Shape()
    if let row = batch.inserted.first { shape.inserted = row.layout.number }
    if let update = batch.updated.first {
      (shape.updated, shape.slots, shape.toMany) = (update.row.id.entity, update.slots, update.toMany)
    }
    (self.batch, self.shape, self.store) = (batch, shape, store)
  }

  /// - Parameters:
  ///   - inserted: the permanent IDs of the new rows.
  ///   - permanent: maps a temporary ID to its permanent one.
  /// - Returns: the transaction's number in the history; nil if nothing happened, as the changed row was not at the
  ///   expected version.
  /// - Throws: what the server says; nothing is changed then.
  func run(
    on connection: ServerConnection, inserted: [RowID], permanent: (RowID) throws -> RowID
  ) throws -> Int64? {
    let plan = store.smallCommits.value(shape) { Self.plan(for: shape, batch, in: store) }
    let number = try store.batches.next(on: connection)
    let values = ServerFields()
    store.appendTransaction(of: number, author: batch.author, contextName: batch.contextName, to: values)
    if let update = batch.updated.first {
      try plan.update?.append(update.row, id: update.row.id, version: 0, to: values, permanent: permanent)
      values.append(plan.properties)
    }
    if let row = batch.inserted.first {
      try plan.insertion?.append(row, id: inserted[0], version: 1, to: values, permanent: permanent)
    }
    do {
      let result = try connection.run(plan.statement, values)
      return result.rowCount == 1 ? result.integer(0, 0) : nil
    } catch let error as StoreError where error.isLostConnection {
      return try store.outcome(of: number, on: connection, after: error)
    }
  }

  private static func plan(for shape: Shape, _ batch: ChangeBatch, in store: PostgreSQLStore) -> Plan {
    let schema = store.schema
    let names = schema.rowColumns
    var types = PostgreSQLStore.transactionTypes
    var parts: [String] = []
    var changes: [String] = []
    var (update, insertion): (RowEncoder?, RowEncoder?)
    var last = ""
    if shape.updated != 0 {
      let layout = schema.model.layout(number: shape.updated)
      var parameters: [RowParameter] = [.key, .expectedVersion]
      let first = types.count + 1
      let assignments = store.arrays.assignments(layout, slots: shape.slots, &parameters) { "$\(first + $0)" }
      let encoder = RowEncoder(parameters, of: layout, in: schema)
      parts.append(
        """
        u AS (UPDATE \(schema.table(of: layout).name) AS t SET \(assignments) \
        WHERE t.\(names.key) = $\(first) AND t.\(names.version) = $\(first + 1) RETURNING t.\(names.key))
        """)
      types += encoder.types + [.text]
      let position = shape.inserted == 0 ? 1 : 2
      changes.append(
        """
        SELECT $1, \(position), \(HistoryChange.Kind.update.rawValue), \(schema.storedNumber(of: layout.number)), \
        u.\(names.key), $\(types.count) FROM n, u
        """)
      (update, last) = (encoder, "u")
    }
    if shape.inserted != 0 {
      let layout = schema.model.layout(number: shape.inserted)
      let (columns, parameters) = store.arrays.insertion(of: layout)
      let values = parameters.indices.map { "$\(types.count + 1 + $0)" }.joined(separator: ", ")
      let encoder = RowEncoder(parameters, of: layout, in: schema)
      parts.append(
        """
        i AS (INSERT INTO \(schema.table(of: layout).name) (\(columns.joined(separator: ", "))) \
        SELECT \(values)\(last.isEmpty ? "" : " FROM \(last)") RETURNING \(names.key))
        """)
      types += encoder.types
      changes.insert(
        """
        SELECT $1, 1, \(HistoryChange.Kind.insert.rawValue), \(schema.storedNumber(of: layout.number)), \
        i.\(names.key), NULL::text FROM n, i
        """, at: 0)
      (insertion, last) = (encoder, "i")
    }
    let text =
      "WITH \(parts.joined(separator: ", ")), "
      + ServerHistoryRecord.count(ifOne: last, changes: changes.joined(separator: " UNION ALL "))
    return Plan(
      statement: PreparedStatement(text, types, name: "commit"), update: update, insertion: insertion,
      properties: batch.updated.first.map { $0.propertyNames.joined(separator: ",") }.flatMap { $0.isEmpty ? nil : $0 })
  }
}
