import StrataManagedModel
import StrataRowStore
import StrataSQLText

extension PostgreSQLStore {
  package func rows(for plan: FetchQuery) throws -> RowList { try reading { try $0.rows(for: plan) } }
  package func ids(for plan: FetchQuery) throws -> [RowID] { try reading { try $0.ids(for: plan) } }
  package func count(for plan: FetchQuery) throws -> Int { try reading { try $0.count(for: plan) } }
  package func values(for plan: AggregateQuery) throws -> ValueTable { try reading { try $0.values(for: plan) } }
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
