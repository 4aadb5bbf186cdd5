import StrataManagedModel
import StrataRowStore

/// Insertions that may collide with stored rows over unique values.
extension BulkWriter {
  /// Adds a row unless a stored one has its unique values. Returns the key and the Z_ENT of a new row.
  /// - Throws: `.unsupported` where the engine has no such statement.
  package func insertOrKeep(_ layout: EntityLayout) throws -> RowStatement {
    try insertion(of: layout, meeting: .keepStored)
  }

  /// Adds a row, or gives its values to the stored row with the same unique values. Returns the key and the Z_ENT of
  /// either row; nothing if the stored one belongs to an entity without these attributes.
  /// - Parameter slots: the slots that a stored row takes over, as bits.
  /// - Throws: `.unsupported` where the engine has no such statement.
  package func insertOrUpdate(_ layout: EntityLayout, slots: some Collection<UInt64>) throws -> RowStatement {
    let words = Array(slots)
    let table = schema.table(of: layout)
    var assignments = [nextVersion]
    for (slot, column) in table.columns.enumerated() {
      guard let column, !column.isDerived, words[slot >> 6] >> UInt64(slot & 63) & 1 != 0 else { continue }
      assignments.append("\(column.name) = excluded.\(column.name)")
    }
    let family = layout.subtreeNumbers.map(schema.storedNumber).sorted().map(String.init).joined(separator: ", ")
    return try insertion(
      of: layout,
      meeting: .update(
        assignments: assignments.joined(separator: ", "), condition: "\(schema.rowColumns.entity) IN (\(family))"))
  }

  private func insertion(of layout: EntityLayout, meeting resolution: ConflictResolution) throws -> RowStatement {
    guard let clause = dialect.conflictClause(resolution) else {
      throw StoreError(
        .unsupported, "A batch insert of '\(layout.name)' was refused: the engine cannot resolve conflicts of rows.")
    }
    let insertion = ChangeWriter(schema: schema).insertion(of: layout)
    let names = schema.rowColumns
    return RowStatement(
      text: dialect.finished("INSERT \(insertion.text) \(clause) RETURNING \(names.key), \(names.entity)"),
      parameters: insertion.parameters)
  }
}
