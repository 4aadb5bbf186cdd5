import StrataManagedModel
import StrataRowStore
import StrataSQLText
import Synchronization

/// The store as of one moment: a connection whose transaction stays open. While it is, the server keeps the old versions
/// of all rows of the database cluster; a restart of the server ends it.
final class ServerSnapshot: RowView {
  private struct Held: @unchecked Sendable {
    // Sendable: used by one thread at a time, under the lock.
    var reader: ServerReader?
  }

  private let held: Mutex<Held>
  private let address: ServerAddress

  init(_ reader: ServerReader) throws {
    address = reader.connection.address
    try reader.connection.run(SQLStatement(TransactionKind.reading.rawValue))
    // The snapshot is taken by the first statement.
    try reader.connection.run("SELECT 1")
    held = Mutex(Held(reader: reader))
  }

  /// Ends the transaction, with its connection.
  func end() { held.withLock { $0.reader = nil } }

  private func read<T>(_ body: (ServerReader) throws -> T) throws -> T {
    try held.withLock { held in
      guard let reader = held.reader, reader.connection.isAlive else {
        throw StoreError(
          .notOpen,
          "This query generation of the store '\(address)' is gone: the store was closed, or the connection was lost. "
            + "Use a newer query generation.")
      }
      return try body(reader)
    }
  }

  func rows(for query: FetchQuery) throws -> RowList { try read { try $0.rows(for: query) } }
  func ids(for query: FetchQuery) throws -> [RowID] { try read { try $0.ids(for: query) } }
  func count(for query: FetchQuery) throws -> Int { try read { try $0.count(for: query) } }
  func values(for query: AggregateQuery) throws -> ValueTable { try read { try $0.values(for: query) } }
  func rows(with ids: [RowID]) throws -> RowList { try read { try $0.rows(with: ids) } }
  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try read { try $0.related(to: owner, relationship: relationship) }
  }
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try read { try $0.related(to: owners, relationship: relationship) }
  }
}

extension PostgreSQLStore {
  package func pinned() throws -> (any RowView)? {
    guard readers.isOpen else { throw readers.closed }
    let connection = try ServerConnection(to: address, name: "Core Data generation")
    let snapshot = try ServerSnapshot(reader(on: connection))
    snapshots.insert(snapshot)
    return snapshot
  }
}
