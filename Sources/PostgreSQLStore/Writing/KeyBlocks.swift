import StrataManagedModel
import StrataPostgreSQLEngine
import StrataRowStore
import StrataSQLText
import Synchronization

/// The keys for new rows that this store has taken from `z_primarykey`, in blocks for each hierarchy: a counter that every
/// save advanced would be locked up to its COMMIT. What is left of a block when the store is closed is never used.
final class KeyBlocks: Sendable {
  private static let size = 64

  private let blocks = Mutex<[Int: ClosedRange<Int64>]>([:])
  private let readers: ConnectionPool

  /// - Parameter readers: whence a connection comes while the writer's has a transaction: if that is rolled back, its keys
  ///   would be given again.
  init(_ readers: ConnectionPool) { self.readers = readers }

  /// Takes keys that nobody ever had or will have, in ascending order.
  /// - Parameter root: the Z_ENT of the root of the hierarchy.
  func take(_ count: Int, of root: Int, on connection: ServerConnection) throws -> [Int64] {
    try blocks.withLock { blocks in
      var keys: [Int64] = []
      keys.reserveCapacity(count)
      while keys.count < count {
        let block = try blocks[root] ?? block(atLeast: count - keys.count, of: root, on: connection)
        let taken = block.prefix(count - keys.count)
        keys += taken
        blocks[root] = taken.count == block.count ? nil : block.lowerBound + Int64(taken.count)...block.upperBound
      }
      return keys
    }
  }

  private func block(atLeast count: Int, of root: Int, on connection: ServerConnection) throws -> ClosedRange<Int64> {
    guard !connection.isInTransaction else {
      return try readers.read { try block(atLeast: count, of: root, on: $0) }
    }
    let size = Int64(max(count, Self.size))
    let result = try connection.run(
      SQLStatement(
        "UPDATE z_primarykey SET z_max = z_max + $1 WHERE z_ent = $2 RETURNING z_max",
        [.integer(size), .integer(Int64(root))]))
    guard result.rowCount == 1 else {
      throw StoreError(
        .corrupt, "The store '\(connection.address)' counts no keys for entity number \(root).")
    }
    let last = result.integer(0, 0)
    guard last >= size, last <= RowID.largestKey else {
      throw StoreError(
        .full, "The store '\(connection.address)' has given out all keys of entity number \(root).")
    }
    return last - size + 1...last
  }

  /// Ids for new rows of the given entities, in order.
  func ids(
    for layouts: [EntityLayout], in schema: StoreSchema, store: Int, on connection: ServerConnection
  ) throws -> [RowID] {
    var keys: [Int: ArraySlice<Int64>] = [:]
    for (root, members) in Dictionary(grouping: layouts, by: \.rootNumber) {
      keys[root] = try take(members.count, of: schema.storedNumber(of: root), on: connection)[...]
    }
    return layouts.map { layout in
      // As many as there are layouts of the hierarchy.
      RowID(store: store, entity: layout.number, key: keys[layout.rootNumber]?.popFirst() ?? 0)
    }
  }
}

extension PostgreSQLStore {
  package func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? {
    try writer.withConnection { try keys.ids(for: entities, in: schema, store: number, on: $0) }
  }
}
