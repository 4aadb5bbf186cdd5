import ManagedModel
import RowStore
import SQLiteEngine
import SQLText

/// Gives new rows their keys, counted in Z_PRIMARYKEY under the root of each hierarchy.
struct KeyCounter {
  private let store: SQLStore
  private let connection: Connection

  init(of store: SQLStore, on connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// Takes `count` keys that nobody had or will have, and answers the first. `entity` is the Z_ENT of a root.
  func take(_ count: Int, of entity: Int) throws -> Int64 {
    let reserve = try connection.statement(KeyStatements.reserve)
    reserve.bind(Int64(count), at: 1)
    reserve.bind(Int64(entity), at: 2)
    try reserve.run()
    guard let last = try connection.integer(KeyStatements.last, of: Int64(entity)) else {
      throw StoreError(.corrupt, "The store '\(store.path)' counts no keys for entity number \(entity).")
    }
    guard last <= RowID.largestKey else {
      throw StoreError(.full, "The store '\(store.path)' has given out all keys of entity number \(entity).")
    }
    return last - Int64(count) + 1
  }

  /// Ids for new rows of entities, in order.
  func nextIDs(for entities: [EntityLayout]) throws -> [RowID] {
    var next = try firstKeys(entities)
    return entities.map { layout in
      defer { next[layout.rootNumber] += 1 }
      return RowID(store: store.number, entity: layout.number, key: next[layout.rootNumber])
    }
  }

  /// The first of the new keys by the number of the root.
  private func firstKeys(_ entities: [EntityLayout]) throws -> [Int64] {
    var counts = [Int](repeating: 0, count: store.schema.model.layouts.count + 1)
    for layout in entities { counts[layout.rootNumber] += 1 }
    return try counts.enumerated().map { root, count in
      count == 0 ? 0 : try take(count, of: store.schema.storedNumber(of: root))
    }
  }
}
