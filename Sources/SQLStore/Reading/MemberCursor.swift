import StrataRowStore
import StrataSQLiteEngine

/// The members of owners that are asked for one by one, mostly in the order of their keys: the statement goes on where
/// the last owner's members ended, which costs a third of beginning anew.
///
/// It is of one read transaction, and ends with it.
final class MemberCursor {
  // A cursor is of one connection, which one thread uses at a time.
  /// Rows of other owners that are passed over before it is quicker to begin anew.
  private static let longestWalk = 16
  /// Room for as many ids may go along with a list of fewer.
  private static let smallList = 12

  private let statement: Statement
  private let entity: Int?
  /// The key of the owner whose row comes next; nil at the end.
  @exclusivity(unchecked) private var owner: Int64?
  /// The least key whose members are still to come.
  @exclusivity(unchecked) private var next = Int64.max
  @exclusivity(unchecked) private var found: [RowID] = []

  /// - Parameters:
  ///   - statement: owner's key, Z_PK and Z_ENT of members, of the owners from `?1` on in the order of keys.
  ///   - entity: the number in the model of all members' entity, if they are of one.
  init(_ statement: Statement, _ entity: Int?) {
    self.statement = statement
    self.entity = entity
  }

  func members(of key: Int64, _ store: SQLStore) throws -> [RowID] {
    let isAhead = key >= next
    next = .max
    if isAhead { try walk(to: key) } else { try begin(at: key) }
    // Whoever copied the last list leaves its memory to this one.
    found.removeAll(keepingCapacity: true)
    var entities = StoredEntity(store.schema)
    while owner == key {
      guard let entity = entity ?? entities.number(ofStored: statement.number(2)) else { throw store.unknownEntity }
      found.append(RowID(store: store.number, entity: entity, key: statement.number(1)))
      try step()
    }
    next = key.addingCapped(1)
    // Whoever keeps the list keeps its memory: a copy has the right size.
    return found.capacity <= Self.smallList ? found : found.withUnsafeBufferPointer(Array.init)
  }

  func end() {
    statement.reset()
    next = .max
  }

  private func walk(to key: Int64) throws {
    for _ in 0..<Self.longestWalk {
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
