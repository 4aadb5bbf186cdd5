import StrataCSQLite
import StrataRowStore
import StrataSQLText

/// Collects the members of owners while a statement returns them, ordered by the owners' keys.
package final class RelationshipCollector {
  private let owners: [RowID]
  private let store: Int
  /// The entity's number in the model, if all members are of one.
  private let entity: Int?
  @exclusivity(unchecked) private var entities: StoredEntity
  @exclusivity(unchecked) private var members = IDMemory()
  /// The end of each finished owner's list.
  @exclusivity(unchecked) private var ends: [Int] = []
  /// The key of the current owner; `Int64.min` before the first.
  @exclusivity(unchecked) private var owner = Int64.min
  @exclusivity(unchecked) private var isWanted = false
  /// The last owner that the statement covers; later rows are ignored.
  @exclusivity(unchecked) fileprivate var last = Int64.max

  /// - Parameters:
  ///   - owners: sorted by key, without duplicates.
  ///   - entity: the entity's number in the model, if all members are of one.
  package init(of owners: [RowID], entity: Int?, schema: StoreSchema, store: Int) {
    self.owners = owners
    self.store = store
    self.entity = entity
    entities = StoredEntity(schema)
    ends.reserveCapacity(owners.count)
  }

  /// The collected lists, once all statements have run.
  package var lists: MemberLists { MemberLists(of: owners, members: members.ids, ends: ends) }

  /// Adds a member. Skips members of other owners, and of entities that the schema does not know.
  /// - Parameter values: the owner's key, the member's Z_PK, and its Z_ENT unless all members are of one entity.
  /// - Returns: false if neither this row nor any later one is needed.
  @inline(__always)
  fileprivate func collect(_ values: UnsafeMutablePointer<OpaquePointer?>) -> Bool {
    let key = sqlite3_value_int64(values[0])
    if key != owner {
      if key > last { return false }
      switchOwner(to: key)
    }
    guard isWanted, let entity = entity ?? entities.number(ofStored: sqlite3_value_int64(values[2])) else {
      return true
    }
    members.append(RowID(store: store, entity: entity, key: sqlite3_value_int64(values[1])))
    return true
  }

  private func switchOwner(to key: Int64) {
    owner = key
    while ends.count < owners.count, owners[ends.count].key < key { ends.append(members.count) }
    isWanted = ends.count < owners.count && owners[ends.count].key == key
  }
}

extension Statement {
  /// Runs a bound statement that finds members to completion, and resets it.
  /// - Parameters:
  ///   - last: the last owner that the statement covers.
  ///   - isTaken: whether the statement passes its columns to `SQLiteDialect.taking`.
  package func run(collectingInto collector: RelationshipCollector, upTo last: Int64, isTaken: Bool) throws {
    defer { reset() }
    collector.last = last
    if isTaken {
      connection.packing.members = Unmanaged.passUnretained(collector)
      defer { connection.packing.members = nil }
      // The first row returned, if any, is the first unneeded one.
      _ = try step()
    } else {
      try withUnsafeTemporaryAllocation(of: OpaquePointer?.self, capacity: columnCount) { values in
        while try step() {
          for column in values.indices {
            values.initializeElement(at: column, to: sqlite3_column_value(handle, Int32(column)))
          }
          // As many as there are columns.
          guard collector.collect(values.baseAddress.unsafelyUnwrapped) else { return }
        }
      }
    }
  }
}

extension Connection {
  /// Registers the function that collects members; it returns true for the first unneeded row.
  func defineTaking() {
    sqlite3_create_function_v2(
      handle, SQLiteDialect.taking, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      { context, _, values in
        let packing = Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))
        packing._withUnsafeGuaranteedRef { packing in
          guard let collector = packing.members, let values else { return Packing.refuse(context) }
          // No result means NULL, which counts as false.
          if !collector._withUnsafeGuaranteedRef({ $0.collect(values) }) { sqlite3_result_int(context, 1) }
        }
      }, nil, nil, { Unmanaged<Packing>.fromOpaque($0!).release() })
  }
}
