import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// One commit, from BEGIN to COMMIT.
///
/// Deletions come before updates and updates before insertions, so that a unique value can move from one row to another
/// within a batch.
final class Commit {
  let store: SQLStore
  let connection: Connection
  let batch: ChangeBatch
  let statements: WriteStatements
  /// The permanent ids of the inserted rows, in batch order.
  @exclusivity(unchecked) private(set) var inserted: [RowID] = []
  @exclusivity(unchecked) var versionConflicts: [RowConflict] = []
  @exclusivity(unchecked) var constraintConflicts: [RowConflict] = []
  /// Whether one statement for many rows has failed.
  private(set) var goesOneByOne = false
  /// The kept values of deleted rows, by index in the batch.
  var tombstones: [Int: [StoredValue]] = [:]
  /// The page cache of a big save; nil if its size is fixed.
  var cache: GrowingCache?
  /// The program's metadata to write along, if any.
  var metadata: [String: any Sendable]?
  /// From temporary to permanent ids; made when the first reference to a new row is met.
  private lazy var newNames: IDChanges = {
    var changes = IDChanges(capacity: inserted.count)
    for (row, id) in zip(batch.inserted, inserted) { changes.set(row.id, to: id) }
    return changes
  }()

  /// The rows that the batch inserts or updates; made when the first constraint is violated.
  private(set) lazy var written = Set(inserted + batch.updated.map(\.row.id))

  init(of batch: ChangeBatch, to store: SQLStore, on connection: Connection, writing statements: WriteStatements) {
    self.batch = batch
    self.store = store
    self.connection = connection
    self.statements = statements
  }

  func run() throws -> CommitReceipt {
    do {
      return try write()
    } catch is UnequalRows {
      // Finds out which rows are in conflict.
      goesOneByOne = true
      (versionConflicts, constraintConflicts, tombstones) = ([], [], [:])
      return try write()
    }
  }

  /// Rolls everything back: not all rows of a set were there at the expected version.
  struct UnequalRows: Error {}

  private func write() throws -> CommitReceipt {
    var transaction: Int64?
    var triggered: [RowID] = []
    var triggeredRows = RowList()
    do {
      try connection.writing {
        inserted = try newIDs()
        try checkRows()
        try deleteRows()
        try updateRows()
        try insertRows()
        try changeLinks()
        try refuseConflicts()
        if let metadata { try connection.addMetadata(metadata) }
        triggered = try idsOfTriggeredRows()
        if !triggered.isEmpty { triggeredRows = try store.rows(with: triggered, connection) }
        transaction = try writeHistory()
        if let transaction { store.observer?.willCommit(transaction: transaction) }
      }
    } catch {
      if let transaction { store.endCommit(transaction, after: error) }
      throw error
    }
    var receipt = CommitReceipt(
      inserted: inserted, updatedVersions: batch.updatedVersions, transaction: transaction)
    (receipt.triggered, receipt.triggeredRows) = (triggered, triggeredRows)
    return receipt
  }

  /// The rows of the batch that triggers may have changed: for derived attributes, or a program's own triggers.
  private func idsOfTriggeredRows() throws -> [RowID] {
    guard let isTriggered = try statements.triggeredEntities() else { return [] }
    return (inserted + batch.updated.map(\.row.id)).filter { isTriggered[$0.entity] }
  }

  private func newIDs() throws -> [RowID] {
    var layouts: [EntityLayout] = []
    layouts.reserveCapacity(batch.inserted.count)
    for row in batch.inserted where needsID(row) { layouts.append(row.layout) }
    if layouts.isEmpty { return batch.inserted.map(\.id) }
    let new = try PrimaryKeyAllocator(of: store, on: connection).nextIDs(for: layouts)
    if new.count == batch.inserted.count { return new }
    var rest = new.makeIterator()
    return batch.inserted.map { needsID($0) ? rest.next() ?? .none : $0.id }
  }

  /// Whether a new row still lacks a reserved id.
  private func needsID(_ row: Row) -> Bool { row.id.isTemporary || row.id.store != store.number }

  /// The permanent id behind a reference in the batch.
  func permanent(_ id: RowID) throws -> RowID {
    guard id.isTemporary else { return id }
    guard let permanent = newNames[id] else {
      throw StoreError(
        .unsupported,
        "Cannot write the store '\(store.path)': a relationship leads to a new "
          + "'\(store.schema.model.layout(number: id.entity).name)' that is not among the new objects of this save.")
    }
    return permanent
  }

  private func refuseConflicts() throws {
    if versionConflicts.isEmpty && constraintConflicts.isEmpty { return }
    let conflicts = versionConflicts + constraintConflicts
    if versionConflicts.isEmpty {
      let names = Set(conflicts.map { $0.constraint.joined(separator: ", ") }).sorted()
      throw StoreError(
        .constraint,
        "Cannot write the store '\(store.path)': other rows already have the values of \(conflicts.count) rows in "
          + "\(names.map { "(\($0))" }.joined(separator: ", ")), which must be unique. Nothing was changed.",
        conflicts: conflicts)
    }
    throw StoreError(
      .conflict,
      "Cannot write the store '\(store.path)': \(versionConflicts.count) of the rows were changed or removed by "
        + "another writer since they were read. Nothing was changed; refresh them or choose a merge policy.",
      conflicts: conflicts)
  }
}
