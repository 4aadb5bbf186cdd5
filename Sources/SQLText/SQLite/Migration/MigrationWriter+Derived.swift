import StrataManagedModel
import StrataRowStore

/// Recreates the values that triggers maintain.
extension MigrationWriter {
  /// R-trees with the boxes of existing rows.
  var spatial: [SQLStatement] {
    let statements = SchemaWriter(schema: destination).spatialIndexes()
    return statements
      + destination.tables.flatMap { table in
        table.family.flatMap { layout in layout.indexes.compactMap { boxes($0, of: layout, in: table.name) } }
      }
  }

  private func boxes(_ index: IndexLayout, of layout: EntityLayout, in table: String) -> SQLStatement? {
    let writer = SchemaWriter(schema: destination)
    let columns = index.elements.filter { $0.collationType == .rTree }
      .compactMap { writer.column($0.path, of: layout)?.name }
    guard !columns.isEmpty else { return nil }
    let name = writer.dialect.identifier("Z_RT_\(layout.name)_\(index.name)")
    return "INSERT INTO \(name) SELECT Z_PK, \(columns.flatMap { [$0, $0] }.joined(separator: ", ")) FROM \(table)"
  }

  /// The first values of new derived attributes, and the triggers of all.
  func derivations() throws -> [SQLStatement] {
    let triggers = try SchemaWriter(schema: destination).derivations()
    return triggers.compactMap(firstValue) + triggers
  }

  /// Does for all rows what a trigger does for an inserted one, with NEW as the table's alias.
  private func firstValue(of trigger: SQLStatement) -> SQLStatement? {
    guard difference.newDerivations.contains(where: { trigger.text.contains("_\($0)_\($1)_") }),
      let work = trigger.text.firstRange(of: "BEGIN UPDATE "), let end = trigger.text.firstRange(of: "; SELECT "),
      trigger.text[end.upperBound...].hasPrefix("NSCoreDataDATriggerInsertUpdated")
    else { return nil }
    return SQLStatement(
      "UPDATE "
        + trigger.text[work.upperBound..<end.lowerBound].replacing(" SET ", with: " AS NEW SET ", maxReplacements: 1))
  }
}
