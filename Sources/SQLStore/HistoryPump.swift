import ManagedModel
import RowStore
import SQLText
import SQLiteEngine

/// Reads the changes of transactions.
struct HistoryPump {
  private let store: SQLStore
  /// How many columns of kept values are read; nil reads neither them nor what an update changed.
  private let kept: Int?
  /// The places of kept values, by the number of the entity.
  private var tombstones: [Int: Tombstone] = [:]

  private struct Tombstone {
    var slots: [Int]
    var pump: ValuePump
  }

  init(of store: SQLStore, keeping kept: Int?) {
    self.store = store
    self.kept = kept
  }

  /// Both lists are in the order of the transactions' numbers.
  mutating func addChanges(
    to transactions: inout [HistoryTransaction], after first: Int64, upTo last: Int64, _ connection: Connection
  ) throws {
    let text = kept.map(HistoryWriter.changes) ?? HistoryWriter.changedRows
    let statement = try connection.statement(text)
    statement.bind(first, at: 1)
    statement.bind(last, at: 2)
    defer { statement.reset() }
    var index = 0
    while try statement.step() {
      let transaction = statement.integer(0)
      while index < transactions.count && transactions[index].number < transaction { index += 1 }
      guard index < transactions.count else { return }
      guard transactions[index].number == transaction, let change = try change(statement) else { continue }
      transactions[index].changes.append(change)
    }
  }

  private mutating func change(_ statement: Statement) throws -> HistoryChange? {
    guard let kind = HistoryChange.Kind(rawValue: statement.integer(2)),
      let entity = store.schema.number(ofStored: Int(statement.integer(3)))
    else { return nil }
    var change = HistoryChange(
      number: statement.integer(1), kind: kind,
      id: RowID(store: store.number, entity: entity, key: statement.integer(4)))
    guard let kept else { return change }
    switch kind {
    case .insert: break
    case .update:
      guard case .blob(let bits) = statement.value(5) else { break }
      change.updatedProperties = store.history.columns(of: store.schema.model.layout(number: entity)).names(in: bits)
    case .delete: if kept > 0 { change.tombstone = try tombstone(statement, of: entity) }
    }
    return change
  }

  private mutating func tombstone(_ statement: Statement, of entity: Int) throws -> [Int: SlotValue] {
    let tombstone = tombstones[entity] ?? self.tombstone(of: entity)
    tombstones[entity] = tombstone
    guard !tombstone.slots.isEmpty else { return [:] }
    let values = try tombstone.pump.values(inRowOf: statement)
    var found: [Int: SlotValue] = [:]
    for (column, slot) in tombstone.slots.enumerated() where values[0, column] != .null {
      found[slot] = values[0, column]
    }
    return found
  }

  private func tombstone(of entity: Int) -> Tombstone {
    let columns = store.history.columns(of: store.schema.model.layout(number: entity))
    let (slots, shape) = columns.keptValues(columns: kept ?? 0)
    return Tombstone(
      slots: slots, pump: ValuePump(shape: shape, schema: store.schema, store: store.number, path: store.path))
  }
}
