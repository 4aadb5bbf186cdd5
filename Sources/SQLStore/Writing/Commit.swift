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
  /// The permanent IDs of the inserted rows, in batch order.
  @exclusivity(unchecked) private(set) var inserted: [RowID] = []
  @exclusivity(unchecked) var versionConflicts: [RowConflict] = []
  @exclusivity(unchecked) var constraintConflicts: [RowConflict] = []
  /// Whether one statement for many rows has failed.
  private(set) var goesOneByOne = false
  /// The kept values of deleted rows, by index in the batch.
  var tombstones: [Int: [StoredValue]] = [:]
  /// The rows whose links were merged, as this commit leaves them, by index in the batch's updates.
  var mergedRows: [Int: Row] = [:]
  /// The page cache of a big save; nil for a smaller one, and if the program has set its size.
  private(set) var cache: GrowingCache?
  private let isInGroup: Bool
  /// The program's metadata to write along.
  private let metadata: [String: any Sendable]
  /// From temporary to permanent IDs; made when the first reference to a new row is met.
  private lazy var newNames: IDChanges = {
    var changes = IDChanges(capacity: inserted.count)
    for (row, id) in zip(batch.inserted, inserted) { changes.set(row.id, to: id) }
    return changes
  }()

  /// The rows that the batch inserts or updates; made when the first constraint is violated.
  private(set) lazy var written = Set(inserted + batch.updated.map(\.row.id))

  /// - Parameter isInGroup: whether the caller has begun a transaction, in which other saves may follow.
  init(
    of batch: ChangeBatch, setting metadata: [String: any Sendable], in store: SQLStore, on connection: Connection,
    with statements: WriteStatements, inGroup isInGroup: Bool = false
  ) {
    self.isInGroup = isInGroup
    self.batch = batch
    self.metadata = metadata
    self.store = store
    self.connection = connection
    self.statements = statements
  }

  func run() throws -> CommitReceipt {
    try enlargeCache()
    defer { cache?.end() }
    do {
      return try writeTransaction()
    } catch is UnequalRows {
      // Finds out which rows are in conflict.
      goesOneByOne = true
      (versionConflicts, constraintConflicts, tombstones, mergedRows) = ([], [], [:], [:])
      return try writeTransaction()
    }
  }

  /// Undoes the save, its transaction or in a group its savepoint: not all rows of a set were there at the expected version.
  struct UnequalRows: Error {}

  private func enlargeCache() throws {
    let count = batch.inserted.count + batch.updated.count + batch.deleted.count
    guard count >= GrowingCache.minimumRows, store.hasOwnCacheSize else { return }
    if count >= GrowingCache.minimumRowsToGrow {
      cache = try GrowingCache(holdingFileOf: connection)
    } else {
      try GrowingCache.keep(on: connection)
    }
  }

  private func writeTransaction() throws -> CommitReceipt {
    var receipt = CommitReceipt()
    do {
      if isInGroup {
        try connection.savepoint { try write(&receipt) }
      } else {
        try connection.writing { try write(&receipt) }
      }
    } catch {
      if let transaction = receipt.transaction { store.endCommit(transaction, after: error) }
      throw error
    }
    (receipt.inserted, receipt.updatedVersions) = (inserted, batch.updatedVersions)
    for (index, row) in mergedRows { receipt.updatedVersions[index] = row.version }
    return receipt
  }

  private func write(_ receipt: inout CommitReceipt) throws {
    try allocateIDs()
    try checkRows()
    try deleteRows()
    try updateRows()
    try insertRows()
    try changeLinks()
    try refuseConflicts()
    if !metadata.isEmpty { try connection.addMetadata(metadata) }
    try readTriggeredRows(into: &receipt)
    receipt.transaction = try writeHistory()
    if let transaction = receipt.transaction { store.observer?.willCommit(transaction: transaction) }
  }

  /// Takes permanent IDs for the new rows that have no reserved one.
  private func allocateIDs() throws {
    func needsID(_ row: Row) -> Bool { row.id.isTemporary || row.id.store != store.number }
    var layouts: [EntityLayout] = []
    layouts.reserveCapacity(batch.inserted.count)
    for row in batch.inserted where needsID(row) { layouts.append(row.layout) }
    let new = layouts.isEmpty ? [] : try PrimaryKeyAllocator(of: store, on: connection).nextIDs(for: layouts)
    if new.count == batch.inserted.count {
      inserted = new
    } else {
      var rest = new.makeIterator()
      inserted = batch.inserted.map { needsID($0) ? rest.next() ?? .none : $0.id }
    }
  }

  /// Reads the rows of the batch that triggers may have changed, for derived attributes or as a program's own, before
  /// others can change them. Adds the rows whose links were merged: the context does not have their values.
  private func readTriggeredRows(into receipt: inout CommitReceipt) throws {
    if let isTriggered = try statements.triggeredEntities() {
      receipt.triggered = (inserted + batch.updated.map(\.row.id)).filter { isTriggered[$0.entity] }
      if !receipt.triggered.isEmpty { receipt.triggeredRows = try store.rows(with: receipt.triggered, connection) }
    }
    guard !mergedRows.isEmpty else { return }
    let known = Set(receipt.triggered)
    let merged = mergedRows.values.filter { !known.contains($0.id) }
    receipt.triggered += merged.map(\.id)
    receipt.triggeredRows = RowList(rows: receipt.triggeredRows.rows + merged)
  }

  /// The permanent ID behind a reference in the batch.
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
    let refusal = StoreError.refusal(byStore: store.path, versions: versionConflicts, constraints: constraintConflicts)
    if let refusal { throw refusal }
  }
}
