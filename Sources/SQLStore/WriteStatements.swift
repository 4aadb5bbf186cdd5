import ManagedModel
import RowStore
import SQLiteEngine
import SQLText

/// The statements that write, kept over commits and found by number. Used only under the writers' turn.
final class WriteStatements {
  /// Updates of different slots are different statements; beyond this many of an entity they are made anew.
  private static let mostUpdates = 64

  let changes: ChangeWriter
  private let schema: StoreSchema
  private let connection: Connection
  @exclusivity(unchecked) private var inserts: [RowBinding?]
  @exclusivity(unchecked) private var deletions: [DeletionStatements?]
  /// What reads the values that the history keeps of removed rows.
  @exclusivity(unchecked) private var tombstones: [Statement?]
  /// By the number of the entity. Few, and looked through: the first dictionary with a key of its own costs a program a
  /// search among all conformances that it has.
  @exclusivity(unchecked) private var updates: [[(slots: [UInt64], binding: RowBinding)]]

  init(schema: StoreSchema, connection: Connection) {
    self.schema = schema
    self.connection = connection
    changes = ChangeWriter(schema: schema)
    inserts = Array(repeating: nil, count: schema.model.layouts.count + 1)
    deletions = Array(repeating: nil, count: schema.model.layouts.count + 1)
    tombstones = Array(repeating: nil, count: schema.model.layouts.count + 1)
    updates = Array(repeating: [], count: schema.model.layouts.count + 1)
  }

  @inline(__always)
  func insert(_ layout: EntityLayout) throws -> RowBinding {
    if let known = inserts[layout.number] { return known }
    let binding = try binding(changes.insert(layout), layout)
    inserts[layout.number] = binding
    return binding
  }

  /// - Parameter slots: the slots to write, as bits.
  func update(_ layout: EntityLayout, _ slots: [UInt64]) throws -> RowBinding {
    for place in updates[layout.number].indices where updates[layout.number][place].slots == slots {
      return updates[layout.number][place].binding
    }
    let binding = try binding(changes.update(layout, slots: slots), layout)
    if updates[layout.number].count >= Self.mostUpdates { updates[layout.number] = [] }
    updates[layout.number].append((slots, binding))
    return binding
  }

  func deletion(_ layout: EntityLayout) throws -> DeletionStatements {
    if let known = deletions[layout.number] { return known }
    let made = try DeletionStatements(layout, changes, connection)
    deletions[layout.number] = made
    return made
  }

  /// What reads the values that the history keeps of a row; nil of an entity without.
  func tombstone(_ layout: EntityLayout, _ history: HistoryWriter) throws -> Statement? {
    if let known = tombstones[layout.number] { return known }
    guard let text = history.tombstone(of: layout) else { return nil }
    let made = try connection.statement(text)
    tombstones[layout.number] = made
    return made
  }

  private func binding(_ statement: RowStatement, _ layout: EntityLayout) throws -> RowBinding {
    try RowBinding(statement, layout: layout, schema: schema, on: connection)
  }
}
