import StrataRowStore
import StrataSQLText

/// The members of owners asked for one at a time, mostly in key order: the statement continues where the previous
/// owner's members ended, which costs a third of starting over.
///
/// A cursor belongs to one read transaction and ends with it.
package final class MemberCursor {
  // A cursor belongs to one connection, which one thread uses at a time.
  /// The number of rows of other owners to skip before starting over is faster.
  private static let maximumWalk = 16
  /// A list this small may keep its unused capacity.
  private static let smallList = 12

  private let statement: Statement
  private let entity: Int?
  /// The key of the owner of the next row; nil at the end.
  @exclusivity(unchecked) private var owner: Int64?
  /// The lowest owner key that can still be found ahead.
  @exclusivity(unchecked) private var next = Int64.max
  @exclusivity(unchecked) private var found: [RowID] = []

  /// - Parameters:
  ///   - statement: selects the owner's key, Z_PK and Z_ENT of members, for the owners from `?1` on in key order.
  ///   - entity: the number of the members' entity in the model, if they all belong to one.
  package init(_ statement: Statement, _ entity: Int?) {
    self.statement = statement
    self.entity = entity
  }

  /// - Parameter unknownEntity: the error to throw for a row of an entity that the schema lacks.
  package func members(
    of key: Int64, in schema: StoreSchema, store: Int, unknownEntity: @autoclosure () -> StoreError
  ) throws -> [RowID] {
    let isAhead = key >= next
    next = .max
    if isAhead { try walk(to: key) } else { try begin(at: key) }
    // If the last list was copied out, its memory can be reused.
    found.removeAll(keepingCapacity: true)
    var entities = StoredEntity(schema)
    while owner == key {
      guard let entity = entity ?? entities.number(ofStored: statement.number(2)) else { throw unknownEntity() }
      found.append(RowID(store: store, entity: entity, key: statement.number(1)))
      try step()
    }
    next = key.addingCapped(1)
    // The caller keeps the list's memory with it: a copy has the right size.
    return found.capacity <= Self.smallList ? found : found.withUnsafeBufferPointer(Array.init)
  }

  package func end() {
    statement.reset()
    next = .max
  }

  private func walk(to key: Int64) throws {
    for _ in 0..<Self.maximumWalk {
      guard let owner, owner < key else { return }
      try step()
    }
    if let owner, owner < key { try begin(at: key) }
  }

  private func begin(at key: Int64) throws {
    statement.reset()
    statement.bind(key, at: 1)
    try step()
  }

  private func step() throws { owner = try statement.step() ? statement.number(0) : nil }
}
