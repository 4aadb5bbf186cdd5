import StrataManagedModel
import StrataRowStore

/// Writes what changes rows. Every text is the same for all rows of one shape.
package struct ChangeWriter: Sendable {
  /// The tables that are written to.
  package let schema: StoreSchema
  let dialect: SQLDialect

  /// - Parameter schema: where rows lie, with the numbers of the file.
  package init(schema: StoreSchema, dialect: SQLDialect = .sqlite) {
    self.schema = schema
    self.dialect = dialect
  }

  /// Adds a row. Where its siblings are ordered it has no place yet, which is behind those that have one: to look for the
  /// last place once a row would make a save of many siblings quadratic.
  package func insert(_ layout: EntityLayout) -> RowStatement {
    let table = schema.table(of: layout)
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    var values = ["?", "?", "?"]
    var parameters: [RowParameter] = [.key, .entity, .version]
    for (slot, column) in table.columns.enumerated() {
      guard let column, !column.isDerived else { continue }
      names.append(column.name)
      values.append("?")
      parameters.append(.slot(slot))
      guard let entity = column.entityColumn else { continue }
      names.append(entity)
      values.append("?")
      parameters.append(.slotEntity(slot))
    }
    return RowStatement(
      text: "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))",
      parameters: parameters)
  }

  /// Changes some slots of a row that is still at the expected version; no row is changed if it is not.
  /// - Parameter slots: bits, slot 0 the lowest of the first word. Slots that are not stored are left out.
  package func update(_ layout: EntityLayout, slots: [UInt64]) -> RowStatement {
    let table = schema.table(of: layout)
    var assignments = ["Z_OPT = ?"]
    var parameters: [RowParameter] = [.version]
    for (slot, column) in table.columns.enumerated() {
      guard let column, !column.isDerived, slots.indices.contains(slot >> 6),
        slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0
      else { continue }
      assignments.append("\(column.name) = ?")
      parameters.append(.slot(slot))
      // A new owner places the row anew: until it does, the row is behind those that have a place.
      if let order = column.orderColumn { assignments.append("\(order) = NULL") }
      guard let entity = column.entityColumn else { continue }
      assignments.append("\(entity) = ?")
      parameters.append(.slotEntity(slot))
    }
    let changes = assignments.joined(separator: ", ")
    return RowStatement(
      text: "UPDATE \(table.name) SET \(changes) WHERE Z_PK = ? AND Z_OPT = ?",
      parameters: parameters + [.key, .expectedVersion])
  }

  /// Removes a row.
  /// - Parameter checksVersion: whether it must still be at the expected version.
  package func delete(_ layout: EntityLayout, checksVersion: Bool) -> RowStatement {
    let text = "DELETE FROM \(schema.table(of: layout).name) WHERE Z_PK = ?"
    return checksVersion
      ? RowStatement(text: text + " AND Z_OPT = ?", parameters: [.key, .expectedVersion])
      : RowStatement(text: text, parameters: [.key])
  }

  /// Removes rows whose keys are a list in the first parameter.
  /// - Parameter checksVersion: whether they must still be at the version in the second; others stay.
  package func deleteMany(_ layout: EntityLayout, checksVersion: Bool) -> String {
    "DELETE FROM \(schema.table(of: layout).name) WHERE Z_PK IN (\(SQLDialect.members))"
      + (checksVersion ? " AND Z_OPT = ?" : "")
  }

  /// 2048 for the first, and 1024 more for each that follows.
  static func lastPlace(_ order: String, in table: String, where condition: String) -> String {
    "(SELECT IFNULL(MAX(\(order)), 1024) + 1024 FROM \(table) WHERE \(condition))"
  }
}
