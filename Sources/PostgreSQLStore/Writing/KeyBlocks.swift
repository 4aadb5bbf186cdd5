import StrataManagedModel
import StrataRowStore
import StrataSQLText
import Synchronization

/// The keys for new rows that this store has taken from `z_primarykey`, in blocks for each hierarchy: a counter that every
/// save advanced would be locked up to its COMMIT. What is left of a block when the store is closed is never used.
final class KeyBlocks: Sendable {
  private static let size = 64

  private let blocks = Mutex<[Int: ClosedRange<Int64>]>([:])
  private let readers: ConnectionPool

  /// - Parameter readers: provides a connection while the writer's is inside a transaction, whose rollback would return
  ///   its keys.
  init(_ readers: ConnectionPool) { self.readers = readers }

  /// Takes unique keys, in ascending order; they are never reused.
  /// - Parameter root: the Z_ENT of the root of the hierarchy.
  func take(_ count: Int, of root: Int, on connection: ServerConnection) throws -> [Int64] {
    try blocks.withLock { blocks in
      var keys: [Int64] = []
      keys.reserveCapacity(count)
      while keys.count < count {
        let block = try blocks[root] ?? block(atLeast: count - keys.count, of: root, on: connection)
        let end = min(block.upperBound, block.lowerBound + Int64(count - keys.count - 1))
        for key in block.lowerBound...end { keys.append(key) }
        blocks[root] = end == block.upperBound ? nil : end + 1...block.upperBound
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
        .corrupt, "The store '\(connection.address)' has no key counter for entity number \(root).")
    }
    let last = result.integer(0, 0)
    guard last >= size, last <= RowID.maximumKey else {
      throw StoreError(
        .full, "The store '\(connection.address)' has used up the keys of entity number \(root).")
    }
    return last - size + 1...last
  }

  /// Keys for new rows of the given entities.
  func take(
    for layouts: [EntityLayout], in schema: StoreSchema, on connection: ServerConnection
  ) throws -> TakenKeys {
    var counts = RunsByRoot<Int>()
    for layout in layouts { counts[layout.rootNumber, default: 0] += 1 }
    var taken = TakenKeys()
    for (root, count) in counts.values {
      taken.keys[root, default: [][...]] = try take(count, of: schema.storedNumber(of: root), on: connection)[...]
    }
    return taken
  }

  /// Ids for new rows of the given entities, in order.
  func ids(
    for layouts: [EntityLayout], in schema: StoreSchema, store: Int, on connection: ServerConnection
  ) throws -> [RowID] {
    var keys = try take(for: layouts, in: schema, on: connection)
    return layouts.map { RowID(store: store, entity: $0.number, key: keys.next(of: $0.rootNumber)) }
  }
}

/// Keys that are about to be given to rows.
struct TakenKeys {
  fileprivate var keys = RunsByRoot<ArraySlice<Int64>>()

  /// The next key for a hierarchy.
  mutating func next(of root: Int) -> Int64 {
    // As many as there are rows of the hierarchy.
    keys[root, default: []].popFirst() ?? 0
  }
}

/// A value for each of a few hierarchies, of which one follows the same one mostly: a dictionary would look each up.
private struct RunsByRoot<Value> {
  private(set) var values: [(root: Int, value: Value)] = []
  private var last = 0

  subscript(root: Int, default value: @autoclosure () -> Value) -> Value {
    get { values.first { $0.root == root }?.value ?? value() }
    _modify {
      if values.isEmpty || values[last].root != root { last = index(of: root, value) }
      yield &values[last].value
    }
  }

  private mutating func index(of root: Int, _ value: () -> Value) -> Int {
    if let known = values.firstIndex(where: { $0.root == root }) { return known }
    values.append((root, value()))
    return values.count - 1
  }
}

extension PostgreSQLStore {
  package func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? {
    try writer.withConnection { try keys.ids(for: entities, in: schema, store: number, on: $0) }
  }
}
