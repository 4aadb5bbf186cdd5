import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Allocates keys for new rows from Z_PRIMARYKEY, which counts them per root entity.
struct PrimaryKeyAllocator {
  private let store: SQLStore
  private let connection: Connection

  init(of store: SQLStore, on connection: Connection) {
    self.store = store
    self.connection = connection
  }

  /// Takes `count` unique keys, which are never reused, and returns the first. `entity` is Z_ENT of a root.
  func allocate(_ count: Int, of entity: Int) throws -> Int64 {
    let last = try advance(by: count, of: entity) ?? reserve(count, of: entity)
    guard last <= RowID.maximumKey else {
      throw StoreError(.full, "The store '\(store.path)' has used up the keys of entity number \(entity).")
    }
    guard last >= Int64(count) else {
      throw StoreError(
        .corrupt,
        "The store '\(store.path)' records \(last) as the last key of entity number \(entity), but keys begin with 1. "
          + "Run 'coredata store check' to find other damage.")
    }
    store.lastKeys.note(last, of: entity)
    return last - Int64(count) + 1
  }

  /// One statement suffices if no other writer has taken keys since this store did; otherwise nil.
  private func advance(by count: Int, of entity: Int) throws -> Int64? {
    guard let known = store.lastKeys.last(of: entity) else { return nil }
    let advance = try connection.statement(KeyStatements.advance)
    advance.bind(known + Int64(count), at: 1)
    advance.bind(Int64(entity), at: 2)
    advance.bind(known, at: 3)
    try advance.run()
    return connection.changes == 1 ? known + Int64(count) : nil
  }

  private func reserve(_ count: Int, of entity: Int) throws -> Int64 {
    let reserve = try connection.statement(KeyStatements.reserve)
    reserve.bind(Int64(count), at: 1)
    reserve.bind(Int64(entity), at: 2)
    try reserve.run()
    guard let last = try connection.integer(KeyStatements.last, of: Int64(entity)) else {
      throw StoreError(.corrupt, "The store '\(store.path)' has no key counter for entity number \(entity).")
    }
    return last
  }

  /// Ids for new rows of the given entities, in order.
  func nextIDs(for entities: [EntityLayout]) throws -> [RowID] {
    guard let first = entities.first else { return [] }
    for layout in entities where layout.rootNumber != first.rootNumber { return try idsOfSeveralRoots(for: entities) }
    var key = try allocate(entities.count, of: store.schema.storedNumber(of: first.rootNumber))
    var ids: [RowID] = []
    ids.reserveCapacity(entities.count)
    for layout in entities {
      ids.append(RowID(store: store.number, entity: layout.number, key: key))
      key += 1
    }
    return ids
  }

  private func idsOfSeveralRoots(for entities: [EntityLayout]) throws -> [RowID] {
    var counts = [Int](repeating: 0, count: store.schema.model.layouts.count + 1)
    for layout in entities { counts[layout.rootNumber] += 1 }
    var next = try counts.enumerated().map { root, count in
      count == 0 ? 0 : try allocate(count, of: store.schema.storedNumber(of: root))
    }
    return entities.map { layout in
      defer { next[layout.rootNumber] += 1 }
      return RowID(store: store.number, entity: layout.number, key: next[layout.rootNumber])
    }
  }
}

/// The last keys that this store took, by Z_ENT of the root.
final class LastKeys: @unchecked Sendable {
  // Sendable: used only under the writer lock.

  private var keys: [Int: Int64] = [:]

  func last(of entity: Int) -> Int64? { keys[entity] }

  func note(_ last: Int64, of entity: Int) { keys[entity] = last }
}

extension SQLStore {
  /// Takes all keys of a hierarchy up to one, for rows that have their keys from elsewhere.
  /// - Parameter last: the last key that the caller took; 0 for none.
  /// - Returns: false, without taking any, if another writer has taken keys of the hierarchy.
  package func takeKeys(upTo key: Int64, of layout: EntityLayout, after last: Int64) throws -> Bool {
    let writer = try writableStore()
    return try writer.write { connection, _ in
      try connection.writing {
        let number = Int64(schema.storedNumber(of: layout.rootNumber))
        // A hierarchy that has had no row yet may count none.
        try connection.run(KeyStatements.take, bindings: [.integer(key), .integer(number), .integer(last)])
        guard connection.changes == 1 else { return false }
        lastKeys.note(key, of: Int(number))
        writer.adjustUnlistedCount(by: 1)
        return true
      }
    }
  }
}
