import StrataManagedModel

/// R-tree indexes: tables of boxes that triggers keep in step with the rows.
extension SchemaWriter {
  /// The tables and triggers of all R-tree indexes. See https://sqlite.org/rtree.html
  package func spatialIndexes() -> [SQLStatement] {
    schema.tables.flatMap { table in
      table.family.flatMap { layout in
        layout.indexes.flatMap { spatialIndex($0, of: layout, in: table.name) }
      }
    }
  }

  private func spatialIndex(
    _ index: IndexLayout, of layout: EntityLayout, in table: String
  ) -> [SQLStatement] {
    let columns = index.elements.filter { $0.collationType == .rTree }
      .compactMap { column($0.path, of: layout)?.name }
    guard !columns.isEmpty else { return [] }
    let name = dialect.identifier("Z_RT_\(layout.name)_\(index.name)")
    let bounds = columns.flatMap { [dialect.identifier(joining: $0, "MIN"), dialect.identifier(joining: $0, "MAX")] }
    let values = columns.flatMap { ["NEW.\($0)", "NEW.\($0)"] }.joined(separator: ", ")
    let write =
      "INSERT OR REPLACE INTO \(name) (Z_PK, \(bounds.joined(separator: ", "))) VALUES (NEW.Z_PK, \(values))"
    func trigger(_ suffix: String, after event: String, action: String) -> SQLStatement {
      let name = dialect.identifier("Z_RT_\(layout.name)_\(index.name)_\(suffix)")
      return "CREATE TRIGGER \(name) AFTER \(event) ON \(table) FOR EACH ROW BEGIN \(action) ; END"
    }
    let declared = bounds.map { "\($0) FLOAT" }.joined(separator: ", ")
    return [
      "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(declared))",
      trigger("INSERT", after: "INSERT", action: write),
      trigger("UPDATE", after: "UPDATE OF \(columns.joined(separator: ", "))", action: write),
      trigger("DELETE", after: "DELETE", action: "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK"),
    ]
  }
}
