import StrataManagedModel

/// R-tree indexes: a table of boxes, which triggers keep in step with the rows.
extension SchemaWriter {
  /// The tables and triggers of all R-tree indexes. See https://sqlite.org/rtree.html
  package func spatialIndexes() -> [SQLStatement] {
    schema.tables.flatMap { table in
      table.family.flatMap { layout in
        layout.entity.indexes.flatMap { spatialIndex($0, layout, in: table.name) }
      }
    }
  }

  private func spatialIndex(
    _ index: NSFetchIndexDescription, _ layout: EntityLayout, in table: String
  ) -> [SQLStatement] {
    let columns = index.elements.filter { $0.collationType == .rTree }
      .compactMap { $0.path.flatMap { column($0, layout)?.name } }
    guard !columns.isEmpty else { return [] }
    let name = dialect.identifier("Z_RT_\(layout.name)_\(index.name)")
    let bounds = columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] }
    let values = columns.flatMap { ["NEW.\($0)", "NEW.\($0)"] }.joined(separator: ", ")
    let write =
      "INSERT OR REPLACE INTO \(name) (Z_PK, \(bounds.joined(separator: ", "))) VALUES (NEW.Z_PK, \(values))"
    func trigger(_ suffix: String, _ event: String, _ action: String) -> SQLStatement {
      let name = dialect.identifier("Z_RT_\(layout.name)_\(index.name)_\(suffix)")
      return "CREATE TRIGGER \(name) AFTER \(event) ON \(table) FOR EACH ROW BEGIN \(action) ; END"
    }
    let declared = bounds.map { "\($0) FLOAT" }.joined(separator: ", ")
    return [
      "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(declared))",
      trigger("INSERT", "INSERT", write),
      trigger("UPDATE", "UPDATE OF \(columns.joined(separator: ", "))", write),
      trigger("DELETE", "DELETE", "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK"),
    ]
  }
}
