import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Indexes: of keys of other rows, of Z_ENT, of fetch indexes and of uniqueness.
extension SchemaWriter {
  /// All indexes, those of a table together.
  /// - Throws: `.unsupported` for a fetch index whose predicate SQL cannot say.
  package func indexes() throws -> [SQLStatement] {
    var names: Set<String> = []
    return try schema.tables.flatMap { try indexes(of: $0, &names) } + schema.joins.map(index)
  }

  /// The indexes of the table that an entity's hierarchy shares, with their names: for a bulk insert into an empty table
  /// they are dropped and made again.
  package func indexes(of layout: EntityLayout) throws -> [SQLStatement] {
    var names: Set<String> = []
    return try schema.tables.filter { $0.root.number == layout.rootNumber }.flatMap { try indexes(of: $0, &names) }
  }

  private func indexes(of table: RootTable, _ names: inout Set<String>) throws -> [SQLStatement] {
    var indexes = table.references.map { plainIndex(table.name, $0) }
    if table.family.count > 1 { indexes.append(plainIndex(table.name, "Z_ENT")) }
    for layout in table.family {
      for index in layout.entity.indexes {
        guard let columns = columns(of: index, layout) else { continue }
        let name = TableNames.unique("Z_\(layout.name)_\(index.name)", &names)
        let condition = try partialCondition(of: index, layout)
        indexes.append("CREATE INDEX \(dialect.identifier(name)) ON \(table.name) (\(columns))\(condition)")
      }
    }
    for layout in table.family {
      for constraint in layout.entity.uniqueNames {
        guard let columns = uniqueColumns(constraint, layout) else { continue }
        let name = TableNames.unique("Z_\(layout.name)_UNIQUE_\(constraint.joined(separator: "_"))", &names)
        indexes.append("CREATE UNIQUE INDEX \(dialect.identifier(name)) ON \(table.name) (\(columns))")
      }
    }
    return indexes
  }

  private func plainIndex(_ table: String, _ column: String) -> SQLStatement {
    "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column))"
  }

  private func index(of join: JoinTable) -> SQLStatement {
    "CREATE INDEX \(join.name)_\(join.other)_INDEX ON \(join.name) (\(join.other), \(join.own))"
  }

  /// The columns of a fetch index; nil for one without columns, one that already is there because it is of one to-one
  /// relationship alone, and one that is an R-tree.
  private func columns(of index: NSFetchIndexDescription, _ layout: EntityLayout) -> String? {
    var columns: [String] = []
    var isToOne = false
    for element in index.elements where element.collationType == .binary {
      guard let column = element.path.flatMap({ self.column($0, layout) }) else { continue }
      columns.append("\(column.name) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
      isToOne = column.kind == .toOne
    }
    return columns.isEmpty || (columns.count == 1 && isToOne) ? nil : columns.joined(separator: ", ")
  }

  private func uniqueColumns(_ constraint: [String], _ layout: EntityLayout) -> String? {
    let columns = constraint.compactMap { column($0, layout) }
    guard columns.count == constraint.count, !columns.isEmpty else { return nil }
    return columns.map { "\($0.name) COLLATE BINARY ASC" }.joined(separator: ", ")
  }

  func column(_ name: String, _ layout: EntityLayout) -> SlotColumn? {
    layout.slot(named: name).flatMap { schema.table(of: layout).columns[$0] }
  }

  private func partialCondition(of index: NSFetchIndexDescription, _ layout: EntityLayout) throws -> String {
    guard let predicate = index.partialIndexPredicate else { return "" }
    let scope = QueryScope(of: layout, table: schema.table(of: layout).name, isNamed: false)
    // The condition of an index takes neither bindings nor queries.
    let writer = PredicateCompiler(schema: schema, dialect: dialect, store: 0, longestSpelled: .max)
    let condition = try writer.condition(try tree(of: predicate, index, layout), in: scope)
    guard !scope.isJoined else {
      throw StoreError(
        .unsupported,
        "The index '\(layout.name).\(index.name)' depends on other objects; its predicate may name attributes only.")
    }
    return " WHERE \(condition.inlined)"
  }

  private func tree(
    of predicate: NSPredicate, _ index: NSFetchIndexDescription, _ layout: EntityLayout
  ) throws -> PredicateNode {
    do { return layout.flattened(try predicate.tree) } catch {
      throw StoreError(
        .unsupported, "The index '\(layout.name).\(index.name)' has a predicate that SQL cannot say: \(error)",
        cause: error)
    }
  }
}
