import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import Synchronization

/// A store in a schema of a PostgreSQL database, which processes on any number of hosts may have open. Any thread may use
/// it.
///
/// Every commit takes its number from the one row of `strata_counter`, as its last step: numbers follow the order in
/// which commits become visible, without gaps, and a reader that sees a transaction sees all before it (invariant 3).
/// The COMMIT itself notifies the others (invariant 2).
package final class PostgreSQLStore: BackEnd {
  package let number: Int
  package let identifier: String
  package let options: PostgreSQLStoreOptions
  package let schema: StoreSchema
  /// Whether commits are written to the history.
  package let keepsHistory: Bool
  /// The number of migrations of the store when it was opened.
  let migrations: Int64
  let address: ServerAddress
  /// The channel of the notifications of its commits.
  let channel: String
  let selects: SelectWriter
  let changes: ChangeWriter
  let arrays: ArrayWriter
  /// The entities with derived attributes, by number in the model.
  let derivingEntities: Set<Int>
  let smallCommits = MemoCache<SmallCommit.Shape, SmallCommit.Plan>()
  /// Whether rows of an entity, by its number, can be copied: see `canCopy`.
  let copyable = MemoCache<Int, Bool>()
  /// Whether no COPY has been refused yet.
  let copiesRows = Atomic(true)
  let readers: ConnectionPool
  let writer: ServerWriter
  let keys: KeyBlocks
  let batches = BatchNumbers()
  /// Marks this store's own transactions in the history.
  let origin = UUID()
  /// The batches of this store's commits that threw although they may have happened.
  let abandoned = Mutex<Set<Int64>>([])
  let snapshots = WeakList<ServerSnapshot>()
  let registry: ReaderTable
  package let readOnlyReason: ReadOnlyReason?
  private let watching = Mutex<(any TransactionObserver)?>(nil)
  let migration = MigrationNotice()
  package var migrationNotice: MigrationNotice? { migration }

  /// The store type in the metadata: `NSPostgreSQLStoreType`.
  package static let type = "PostgreSQL"

  /// Own transactions are marked in the history, so that it hears only of commits that may have happened.
  package var observer: (any TransactionObserver)? {
    get { watching.withLock { $0 } }
    set { watching.withLock { $0 = newValue } }
  }

  /// Opens a store, and creates its schema if it does not exist, unless the store is read-only. When several processes
  /// create the same store simultaneously, one does and the others wait.
  /// - Parameters:
  ///   - url: `postgresql://user@host/database?schema=books`; see `ServerAddress`.
  ///   - model: frozen if it was not yet.
  ///   - configuration: the configuration whose entities the store holds; nil means all entities.
  ///   - number: the store's number in its coordinator, 1…255, which becomes part of its rows' IDs.
  /// - Throws: a `StoreError` that says which condition failed; `.incompatibleModel` names the entities that differ.
  package init(
    opening url: URL, model: NSManagedObjectModel, configuration: String? = nil, number: Int,
    options: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) throws {
    model.freeze()
    let address = try ServerAddress(url)
    let opening = ServerStoreOpening(address: address, model: model, configuration: configuration, options: options)
    let opened = try opening.open()
    (self.number, self.address, self.options) = (number, address, options)
    (schema, identifier, readOnlyReason) = (opened.schema, opened.identifier, opened.readOnlyReason)
    migrations = opened.migrations
    keepsHistory = options.keepsHistory
    channel = address.channel
    selects = SelectWriter(schema: opened.schema, store: number)
    (changes, arrays) = (ChangeWriter(schema: opened.schema), ArrayWriter(schema: opened.schema))
    derivingEntities = Set(
      opened.schema.layouts.filter { layout in
        opened.schema.table(of: layout).columns.contains { $0?.isDerived == true }
      }
      .map(\.number))
    readers = ConnectionPool(
      address, maximum: options.maximumConnections, maximumIdle: options.maximumIdleReaders,
      reconnectTimeout: options.reconnectTimeout)
    keys = KeyBlocks(readers)
    writer = ServerWriter(address, options, first: opened.connection, isReadOnly: opened.readOnlyReason != nil)
    registry = ReaderTable(address, retention: options.readerRetention, reconnectTimeout: options.reconnectTimeout)
  }

  package func close() {
    for snapshot in snapshots.objects { snapshot.end() }
    readers.close()
    writer.close()
  }

  deinit { close() }
}

extension PostgreSQLStore {
  package func rows(for query: FetchQuery) throws -> RowList { try reading { try $0.rows(for: query) } }
  package func ids(for query: FetchQuery) throws -> [RowID] { try reading { try $0.ids(for: query) } }
  package func count(for query: FetchQuery) throws -> Int { try reading { try $0.count(for: query) } }
  package func values(for query: AggregateQuery) throws -> ValueTable { try reading { try $0.values(for: query) } }
  package func rows(with ids: [RowID]) throws -> RowList { try reading { try $0.rows(with: ids) } }
  package func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try reading { try $0.related(to: owner, relationship: relationship) }
  }
  package func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try reading { try $0.related(to: owners, relationship: relationship) }
  }

  func reading<T>(_ body: (ServerReader) throws -> T) throws -> T {
    try noticingMigrations {
      try readers.read { try body(reader(on: $0)) }
    }
  }

  func reader(on connection: ServerConnection) -> ServerReader {
    ServerReader(connection: connection, selects: selects, store: number)
  }
}
