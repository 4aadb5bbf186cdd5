import StrataCSQLite
import StrataRowStore
import StrataSQLText

/// The members of owners, taken while a statement finds them in the order of the owners' keys.
package final class RelationshipCollector {
  private let owners: [RowID]
  private let store: Int
  /// The number in the model of all members' entity, if they are of one.
  private let entity: Int?
  @exclusivity(unchecked) private var entities: StoredEntity
  @exclusivity(unchecked) private var members = IDMemory()
  /// Where the lists of the first owners end.
  @exclusivity(unchecked) private var ends: [Int] = []
  /// The key of the owner whose members come; none before the first.
  @exclusivity(unchecked) private var owner = Int64.min
  @exclusivity(unchecked) private var isWanted = false
  /// The last owner that the statement is asked for; what follows is not read.
  @exclusivity(unchecked) fileprivate var last = Int64.max

  /// - Parameters:
  ///   - owners: in the order of their keys, each once.
  ///   - entity: the number in the model of all members' entity, if they are of one.
  package init(of owners: [RowID], entity: Int?, schema: StoreSchema, store: Int) {
    self.owners = owners
    self.store = store
    self.entity = entity
    entities = StoredEntity(schema)
    ends.reserveCapacity(owners.count)
  }

  /// The lists, when all statements have run.
  package var lists: MemberLists { MemberLists(of: owners, members: members.ids, ends: ends) }

  /// Takes a member. Those of owners that were not asked for, and of entities that the schema lacks, are passed over.
  /// - Parameter values: the owner's key, and the Z_PK and Z_ENT of the member; without Z_ENT if all are of one entity.
  /// - Returns: false if neither this row nor one that follows is wanted.
  @inline(__always)
  fileprivate func take(_ values: UnsafeMutablePointer<OpaquePointer?>) -> Bool {
    let key = sqlite3_value_int64(values[0])
    if key != owner {
      if key > last { return false }
      turn(to: key)
    }
    guard isWanted, let entity = entity ?? entities.number(ofStored: sqlite3_value_int64(values[2])) else {
      return true
    }
    members.append(RowID(store: store, entity: entity, key: sqlite3_value_int64(values[1])))
    return true
  }

  private func turn(to key: Int64) {
    owner = key
    while ends.count < owners.count, owners[ends.count].key < key { ends.append(members.count) }
    isWanted = ends.count < owners.count && owners[ends.count].key == key
  }
}

extension Statement {
  /// Runs a bound statement about members to its end, and resets it.
  /// - Parameters:
  ///   - last: the last owner that the statement is asked for.
  ///   - isTaken: whether the statement hands the columns to `SQLDialect.taking`.
  package func run(handingMembersTo taker: RelationshipCollector, upTo last: Int64, isTaken: Bool) throws {
    defer { reset() }
    taker.last = last
    if isTaken {
      connection.packing.members = Unmanaged.passUnretained(taker)
      defer { connection.packing.members = nil }
      // A row would be the first that nobody wants.
      _ = try step()
    } else {
      try withUnsafeTemporaryAllocation(of: OpaquePointer?.self, capacity: columnCount) { values in
        while try step() {
          for column in values.indices {
            values.initializeElement(at: column, to: sqlite3_column_value(handle, Int32(column)))
          }
          // As many as there are columns.
          guard taker.take(values.baseAddress.unsafelyUnwrapped) else { return }
        }
      }
    }
  }
}

extension Connection {
  /// Lends SQL the function that takes members, and is true of the first row that nobody wants.
  func defineTaking() {
    sqlite3_create_function_v2(
      handle, SQLDialect.taking, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      { context, _, values in
        let packing = Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))
        packing._withUnsafeGuaranteedRef { packing in
          guard let taker = packing.members, let values else { return Packing.refuse(context) }
          // Without a result it is NULL, which passes for false.
          if !taker._withUnsafeGuaranteedRef({ $0.take(values) }) { sqlite3_result_int(context, 1) }
        }
      }, nil, nil, { Unmanaged<Packing>.fromOpaque($0!).release() })
  }
}
