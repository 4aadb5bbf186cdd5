import Foundation
import StrataManagedModel
import StrataPostgreSQLStore
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// One query, evaluated by the SQL of two servers, by the memory store and on plain objects.
struct ComparedQuery {
  let samples: Samples
  let entity: String
  let predicate: PredicateNode
  let sort: [SortKey]

  enum Outcome {
    case same
    /// SQL cannot express the query. The value is the error's message.
    case refused(String)
    case different(String)
  }

  private var plan: FetchQuery {
    FetchQuery(layout: SampleModel.model.entitiesByName[entity]!.layout, filter: predicate, sort: sort)
  }

  func compare() -> Outcome {
    let plain = Result { try expected() }
    let memory = Result { try samples.memory.ids(for: plan) }
    let file = Result { try samples.file.ids(for: plan) }
    let server = samples.server.map { store in Result { try store.ids(for: plan) } }
    switch (file, memory, plain) {
    case (.success(let file), .success(let memory), .success(let plain)):
      if file == plain, memory == plain { return counts(plain.count) ?? same(server, as: plain) }
      return .different("SQL \(keys(file))\nmemory \(keys(memory))\nobjects \(keys(plain))")
    case (.failure(let error as StoreError), _, .success(let plain)) where error.code == .unsupported:
      // The PostgreSQL store evaluates what SQL cannot express.
      if case .different(let differences) = same(server, as: plain) { return .different(differences) }
      return .refused(error.message)
    case (.failure(let error as StoreError), _, _) where error.code == .unsupported: return .refused(error.message)
    default: return .different("SQL \(file)\nmemory \(memory)\nobjects \(plain)")
    }
  }

  private func counts(_ expected: Int) -> Outcome? {
    let counts = (try? samples.file.count(for: plan), (try? samples.server?.count(for: plan)) ?? expected)
    return counts.0 == expected && counts.1 == expected ? nil : .different("the stores count \(counts)")
  }

  private func same(_ server: Result<[RowID], any Error>?, as plain: [RowID]) -> Outcome {
    switch server {
    case nil: .same
    case .success(let server) where server == plain: .same
    case .success(let server): .different("PostgreSQL \(keys(server))\nobjects \(keys(plain))")
    case .failure(let error): .different("PostgreSQL \(error)\nobjects \(keys(plain))")
    }
  }

  private func keys(_ ids: [RowID]) -> [Int64] { ids.map(\.key) }

  /// The result by the evaluation rules, without any store.
  private func expected() throws -> [RowID] {
    let found = try samples.objects(of: entity).filter { try predicate.evaluate(on: $0) }
    let keyed = try found.map { object in
      (object, try sort.map { try PredicateResult.subject(object).sortValue(at: $0.keyPath) })
    }
    return keyed.sorted { left, right in
      for (index, key) in sort.enumerated() {
        switch PredicateValue.order(left.1[index], right.1[index], by: key.comparison) {
        case .orderedSame: continue
        case .orderedAscending: return key.isAscending
        case .orderedDescending: return !key.isAscending
        }
      }
      return left.0.id.key < right.0.id.key
    }.map(\.0.id)
  }

  /// The SQL statement, for the report.
  var statement: String {
    do {
      return try [statement(in: .sqlite), statement(in: PostgreSQLDialect())].joined(separator: "\n")
    } catch { return "\(error)" }
  }

  private func statement(in dialect: some SQLDialect) throws -> String {
    let writer = SelectWriter(schema: try StoreSchema(model: SampleModel.model, dialect: dialect), store: 1)
    do {
      let statement = try writer.ids(plan)
      return "\(statement.text)\n\(statement.bindings)"
    } catch { return "\(error)" }
  }

  /// A smaller predicate that still fails, found by omitting parts.
  func shrunk() -> ComparedQuery {
    for smaller in predicate.withoutParts {
      let query = ComparedQuery(samples: samples, entity: entity, predicate: smaller, sort: sort)
      if case .different = query.compare() { return query.shrunk() }
    }
    guard !sort.isEmpty else { return self }
    let unsorted = ComparedQuery(samples: samples, entity: entity, predicate: predicate, sort: [])
    if case .different = unsorted.compare() { return unsorted }
    return self
  }
}

extension PredicateNode {
  fileprivate var withoutParts: [PredicateNode] {
    switch self {
    case .constant, .comparison: []
    case .not(let node): [node] + node.withoutParts.map(PredicateNode.not)
    case .and(let nodes):
      nodes + nodes.indices.map { .and(nodes.without($0)) }
        + nodes.indices.flatMap { index in nodes[index].withoutParts.map { .and(nodes.replacing(index, $0)) } }
    case .or(let nodes):
      nodes + nodes.indices.map { .or(nodes.without($0)) }
        + nodes.indices.flatMap { index in nodes[index].withoutParts.map { .or(nodes.replacing(index, $0)) } }
    }
  }
}

extension Array {
  fileprivate func without(_ index: Int) -> Array {
    var rest = self
    rest.remove(at: index)
    return rest
  }

  fileprivate func replacing(_ index: Int, _ element: Element) -> Array {
    var changed = self
    changed[index] = element
    return changed
  }
}
