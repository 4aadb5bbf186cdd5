import StrataRowStore
import StrataSQLiteEngine

/// Aggregate fetches. Each is one SELECT, hence one snapshot.
extension SQLStore {
  package func values(for plan: AggregateQuery) throws -> ValueTable { try values(for: plan, readers) }

  func values(for plan: AggregateQuery, _ readers: some Readers) throws -> ValueTable {
    let (statement, shape) = try selects.values(plan)
    return try readers.read { reader in
      let prepared = try reader.connection.statement(statement.text)
      try prepared.bind(statement.bindings)
      return try ValueFetcher(shape: shape, schema: schema, store: number, path: path).values(of: prepared)
    }
  }
}
