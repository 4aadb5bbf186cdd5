import StrataManagedModel
import StrataRowStore

/// New rows that may meet stored ones with the same unique values.
extension BulkWriter {
  /// Adds a row, or keeps the one that is there: then nothing is changed. Answers the key and the Z_ENT of a new row.
  package func insertOrKeep(_ layout: EntityLayout) -> RowStatement {
    let insert = ChangeWriter(schema: schema, dialect: dialect).insert(layout)
    return RowStatement(
      text: insert.text + " ON CONFLICT DO NOTHING RETURNING Z_PK, Z_ENT", parameters: insert.parameters)
  }

  /// Adds a row, or gives the one that is there its values; answers the key and the Z_ENT of the row. There is no answer
  /// if the row that is there is of an entity that does not have the attributes.
  /// - Parameter slots: the slots that a row that is there takes over, as bits.
  package func insertOrUpdate(_ layout: EntityLayout, slots: some Collection<UInt64>) -> RowStatement {
    let insert = ChangeWriter(schema: schema, dialect: dialect).insert(layout)
    let words = Array(slots)
    let table = schema.table(of: layout)
    var assignments = ["Z_OPT = Z_OPT + 1"]
    for (slot, column) in table.columns.enumerated() {
      guard let column, !column.isDerived, words[slot >> 6] >> UInt64(slot & 63) & 1 != 0 else { continue }
      assignments.append("\(column.name) = excluded.\(column.name)")
    }
    let family = layout.familyNumbers.map(schema.storedNumber).sorted().map(String.init).joined(separator: ", ")
    return RowStatement(
      text: insert.text + " ON CONFLICT DO UPDATE SET \(assignments.joined(separator: ", "))"
        + " WHERE Z_ENT IN (\(family)) RETURNING Z_PK, Z_ENT",
      parameters: insert.parameters)
  }
}
