import StrataManagedModel
import StrataRowStore

/// Recreates the values that triggers maintain.
extension MigrationWriter {
  /// R-trees with the boxes of existing rows.
  var spatial: [SQLStatement] {
    let statements = SchemaWriter(schema: destination).spatialIndexes()
    return statements
      + destination.tables.flatMap { table in
        table.family.flatMap { layout in layout.entity.indexes.compactMap { boxes($0, of: layout, in: table.name) } }
      }
  }

  private func boxes(_ index: NSFetchIndexDescription, of layout: EntityLayout, in table: String) -> SQLStatement? {
    let writer = SchemaWriter(schema: destination)
    let columns = index.elements.filter { $0.collationType == .rTree }
      .compactMap { $0.path.flatMap { writer.column($0, of: layout)?.name } }
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
    guard newDerived.contains(where: { trigger.text.contains("_\($0)_") }),
      let work = trigger.text.firstRange(of: "BEGIN UPDATE "), let end = trigger.text.firstRange(of: "; SELECT "),
      trigger.text[end.upperBound...].hasPrefix("NSCoreDataDATriggerInsertUpdated")
    else { return nil }
    return SQLStatement(
      "UPDATE "
        + trigger.text[work.upperBound..<end.lowerBound].replacing(" SET ", with: " AS NEW SET ", maxReplacements: 1))
  }

  /// `Entity_attribute` of each derived attribute that is new or whose derivation changed.
  private var newDerived: [String] {
    difference.entities.flatMap { change in
      change.properties.compactMap { property in
        guard let derived = property.destination as? NSDerivedAttributeDescription else { return nil }
        let before = (property.source as? NSDerivedAttributeDescription)?.derivation
        let entity = derived.declaringEntity?.name ?? ""
        return before == derived.derivation ? nil : "\(entity)_\(derived.name)"
      }
    }
  }
}
