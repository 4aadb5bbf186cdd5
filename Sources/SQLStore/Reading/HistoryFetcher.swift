import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Reads the changes of transactions.
struct HistoryFetcher {
  private let store: SQLStore
  private let detail: Detail
  /// The location of the kept values of deleted rows, by entity number.
  private var tombstones: [Int: Tombstone] = [:]

  private struct Tombstone {
    var slots: [Int]
    var fetcher: ValueFetcher
  }

  enum Detail {
    /// The kinds of changes and the IDs of the changed rows.
    case ids
    /// Also what an update changed, if the table has a column for it, and so many columns of kept values.
    case whole(tombstones: Int, hasBits: Bool)

    var statement: String {
      switch self {
      case .ids: HistoryWriter.changedRows
      case .whole(let tombstones, let hasBits): HistoryWriter.changes(tombstones: tombstones, hasBits: hasBits)
      }
    }
  }

  init(of store: SQLStore, reading detail: Detail) {
    self.store = store
    self.detail = detail
  }

  /// Both lists are ordered by transaction number.
  mutating func addChanges(
    to transactions: inout [HistoryTransaction], after first: Int64, upTo last: Int64, _ connection: Connection
  ) throws {
    let statement = try connection.statement(detail.statement)
    statement.bind(first, at: 1)
    statement.bind(last, at: 2)
    defer { statement.reset() }
    var index = 0
    while try statement.step() {
      let transaction = statement.integer(0)
      while index < transactions.count && transactions[index].number < transaction { index += 1 }
      guard index < transactions.count else { return }
      guard transactions[index].number == transaction, let change = try change(statement, on: connection)
      else { continue }
      transactions[index].changes.append(change)
    }
  }

  private mutating func change(_ statement: Statement, on connection: Connection) throws -> HistoryChange? {
    guard let kind = HistoryChange.Kind(rawValue: statement.integer(2)),
      let entity = store.schema.number(ofStored: Int(statement.integer(3)))
    else { return nil }
    var change = HistoryChange(
      number: statement.integer(1), kind: kind,
      id: RowID(store: store.number, entity: entity, key: statement.integer(4)))
    guard case .whole(let kept, _) = detail else { return change }
    switch kind {
    case .insert: break
    case .update:
      guard case .blob(let bits) = statement.value(5) else { break }
      let isOwn = statement.integer(6) != 0
      guard try isOwn || !store.hasOldBits(of: entity, connection) else { break }
      let columns = store.history.columns(of: store.schema.model.layout(number: entity))
      change.updatedProperties = columns.names(in: bits, isOwn: isOwn)
    case .delete: if kept > 0 { change.tombstone = try tombstone(statement, of: entity, columns: kept) }
    }
    return change
  }

  private mutating func tombstone(
    _ statement: Statement, of entity: Int, columns kept: Int
  ) throws -> [Int: SlotValue] {
    let tombstone = tombstones[entity] ?? self.tombstone(of: entity, columns: kept)
    tombstones[entity] = tombstone
    guard !tombstone.slots.isEmpty else { return [:] }
    let values = try tombstone.fetcher.values(inRowOf: statement)
    var found: [Int: SlotValue] = [:]
    for (column, slot) in tombstone.slots.enumerated() where values[0, column] != .null {
      found[slot] = values[0, column]
    }
    return found
  }

  private func tombstone(of entity: Int, columns kept: Int) -> Tombstone {
    let columns = store.history.columns(of: store.schema.model.layout(number: entity))
    let (slots, shape) = columns.keptValues(columns: kept)
    return Tombstone(
      slots: slots, fetcher: ValueFetcher(shape: shape, schema: store.schema, store: store.number, path: store.path))
  }
}
