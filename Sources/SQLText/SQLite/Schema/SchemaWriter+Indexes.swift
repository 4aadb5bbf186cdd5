import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Indexes on references and Z_ENT, fetch indexes, and unique indexes.
extension SchemaWriter {
  /// All indexes, grouped by table.
  /// - Throws: `.unsupported` for a fetch index whose predicate SQL cannot say.
  package func indexes() throws -> [SQLStatement] {
    var names: Set<String> = []
    return try schema.tables.flatMap { try indexes(of: $0, &names) } + schema.joins.map(index)
  }

  /// The indexes of the table that an entity's hierarchy shares.
  package func indexes(of layout: EntityLayout) throws -> [SQLStatement] {
    var names: Set<String> = []
    return try schema.tables.filter { $0.root.number == layout.rootNumber }.flatMap { try indexes(of: $0, &names) }
  }

  private func indexes(of table: RootTable, _ names: inout Set<String>) throws -> [SQLStatement] {
    var indexes = table.references.map { plainIndex(on: $0, of: table.name) }
    if table.family.count > 1 { indexes.append(plainIndex(on: "Z_ENT", of: table.name)) }
    for layout in table.family {
      for index in layout.indexes {
        guard let columns = columns(of: index, in: layout) else { continue }
        let name = dialect.uniqueName("Z_\(layout.name)_\(index.name)", among: &names)
        let condition = try partialCondition(of: index, in: layout)
        indexes.append("CREATE INDEX \(name) ON \(table.name) (\(columns))\(condition)")
      }
    }
    for layout in table.family {
      for constraint in layout.uniqueNames {
        guard let columns = uniqueColumns(constraint, of: layout) else { continue }
        let name = dialect.uniqueName(
          "Z_\(layout.name)_UNIQUE_\(constraint.joined(separator: "_"))", among: &names)
        indexes.append("CREATE UNIQUE INDEX \(name) ON \(table.name) (\(columns))")
      }
    }
    return indexes
  }

  private func plainIndex(on column: String, of table: String) -> SQLStatement {
    "CREATE INDEX \(dialect.identifier(joining: table, column, "INDEX")) ON \(table) (\(column))"
  }

  private func index(of join: JoinTable) -> SQLStatement {
    let name = dialect.identifier(joining: join.name, join.other, "INDEX")
    return "CREATE INDEX \(name) ON \(join.name) (\(join.other), \(join.own))"
  }

  /// The columns of a fetch index; nil if it has no columns, is an R-tree, or only has a to-one relationship, which has
  /// an index anyway.
  private func columns(of index: IndexLayout, in layout: EntityLayout) -> String? {
    var columns: [String] = []
    var isToOne = false
    for element in index.elements where element.collationType == .binary {
      guard let column = self.column(element.path, of: layout) else { continue }
      columns.append("\(column.name) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
      isToOne = column.kind == .toOne
    }
    return columns.isEmpty || (columns.count == 1 && isToOne) ? nil : columns.joined(separator: ", ")
  }

  private func uniqueColumns(_ constraint: [String], of layout: EntityLayout) -> String? {
    let columns = constraint.compactMap { column($0, of: layout) }
    guard columns.count == constraint.count, !columns.isEmpty else { return nil }
    return columns.map { "\($0.name) COLLATE BINARY ASC" }.joined(separator: ", ")
  }

  func column(_ name: String, of layout: EntityLayout) -> SlotColumn? {
    layout.slot(named: name).flatMap { schema.table(of: layout).columns[$0] }
  }

  private func partialCondition(of index: IndexLayout, in layout: EntityLayout) throws -> String {
    guard let predicate = index.predicate else { return "" }
    let scope = QueryScope(of: layout, in: schema, isNamed: false)
    // The condition of an index may contain neither bindings nor subqueries.
    let dialect = SQLiteDialect(minimumLeadingList: nil)
    let compiler = PredicateCompiler(schema: schema, dialect: dialect, store: 0)
    let condition = try compiler.condition(try tree(of: predicate, index: index, layout), in: scope)
    guard !scope.isJoined else {
      throw StoreError(
        .unsupported,
        "The index '\(layout.name).\(index.name)' depends on other objects; its predicate may name attributes only.")
    }
    return " WHERE \(dialect.inlined(condition))"
  }

  private func tree(
    of predicate: Result<PredicateNode, any Error>, index: IndexLayout, _ layout: EntityLayout
  ) throws -> PredicateNode {
    do { return layout.flattened(try predicate.get()) } catch {
      throw StoreError(
        .unsupported,
        "The index '\(layout.name).\(index.name)' has a predicate that cannot be expressed in SQL: \(error)",
        cause: error)
    }
  }
}
