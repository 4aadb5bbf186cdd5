import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// Batch requests.
extension PostgreSQLStore {
  package func execute(_ change: BulkChange) throws -> BulkReceipt {
    // A request without rows, or whose first rows are invalid, needs no transaction.
    let first: BulkPage? = if case .insert(let insertion) = change.work { try insertion.rows.next() } else { nil }
    if case .insert = change.work, first == nil { return BulkReceipt() }
    var hasBegun = false
    return try noticingMigrations {
      try writer.withConnection { connection in
        // The pages of an insertion come only once.
        if hasBegun, first != nil {
          throw StoreError(.io, "Cannot write the store '\(address)': the connection was lost. Nothing was changed.")
        }
        hasBegun = true
        return try ServerBulkCommit(of: change, to: self, on: connection).run(startingWith: first)
      }
    }
  }
}

/// One batch request, from BEGIN to COMMIT.
final class ServerBulkCommit {
  let store: PostgreSQLStore
  let connection: ServerConnection
  let change: BulkChange
  let reader: ServerReader
  var receipt = BulkReceipt()
  /// The rows that earlier pages of an insertion added, if later ones may change them.
  var insertedBefore: Set<RowID> = []
  let record: ServerHistoryRecord
  private var knownConstraints: [Int: [(number: Int, slots: [Int])]] = [:]

  init(of change: BulkChange, to store: PostgreSQLStore, on connection: ServerConnection) {
    (self.change, self.store, self.connection) = (change, store, connection)
    reader = store.reader(on: connection)
    record = ServerHistoryRecord(author: change.author, contextName: change.contextName, in: store.schema)
  }

  func run(startingWith first: BulkPage?) throws -> BulkReceipt {
    do {
      try connection.run(SQLStatement(TransactionKind.writing.rawValue))
      switch change.work {
      case .insert(let insertion): try insert(insertion, startingWith: first)
      case .update(let update): try self.update(update)
      case .delete(let deletion): try delete(deletion)
      }
      guard !receipt.isEmpty else {
        try connection.run("ROLLBACK")
        return receipt
      }
      receipt.transaction = try record.commit(on: connection, to: store)
    } catch {
      connection.rollBack()
      throw named(error)
    }
    if !change.wantsIDs { (receipt.inserted, receipt.updated, receipt.deleted) = ([], [], []) }
    return receipt
  }

  private func named(_ error: any Error) -> any Error {
    guard let error = error as? StoreError, let failure = error.cause as? ServerFailure, failure.isUniqueness else {
      return error
    }
    return StoreError(
      .constraint,
      "Cannot write the store '\(store.address)': a batch request for '\(change.layout.name)' has values that another row "
        + "already has and that must be unique (\(failure.detail ?? failure.message)). Nothing was changed.",
      cause: failure)
  }

  /// Excludes other writers of the rows of an entity's hierarchy until the end of the transaction, so that decisions
  /// based on rows that were read stay valid.
  func lock(_ layout: EntityLayout) throws {
    try connection.run(
      SQLStatement("LOCK TABLE \(store.schema.table(of: layout).name) IN SHARE ROW EXCLUSIVE MODE"))
  }

  /// The constraints on rows of an entity: their numbers among the store's, and their slots.
  func constraints(on layout: EntityLayout) -> [(number: Int, slots: [Int])] {
    if let known = knownConstraints[layout.number] { return known }
    let found = store.schema.constraints.enumerated().compactMap { number, constraint -> (number: Int, slots: [Int])? in
      guard layout.isKind(of: constraint.layout) else { return nil }
      let slots = constraint.names.compactMap { layout.slot(named: $0) }
      return slots.count == constraint.names.count ? (number, slots) : nil
    }
    knownConstraints[layout.number] = found
    return found
  }

  // MARK: What happened

  func noteInsertions(_ ids: some Sequence<RowID>) {
    for id in ids {
      receipt.insertedCount += 1
      receipt.inserted.append(id)
      if store.keepsHistory { record.append(.insert, id) }
    }
  }

  func note(_ update: RowUpdate) {
    noteUpdate(of: update.row.id, properties: update.propertyNames.joined(separator: ","))
  }

  /// - Parameter names: separated by commas.
  func noteUpdate(of id: RowID, properties names: @autoclosure () -> String) {
    receipt.updatedCount += 1
    receipt.updated.append(id)
    if store.keepsHistory { record.append(.update, id, properties: names()) }
  }

  /// Writes changes that were worked out here, whose rows are locked.
  func write(_ batch: ChangeBatch) throws -> ServerCommit {
    let commit = try ServerCommit(of: batch, to: store, on: connection)
    do {
      try commit.writeRows()
    } catch is ServerCommit.UnequalRows {
      throw StoreError(
        .busy, "Cannot write the store '\(store.address)': another writer changed a row first. Try again.")
    }
    return commit
  }
}
