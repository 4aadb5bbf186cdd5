import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// A statement that writes many rows at once: each parameter is an array with a value for each row.
package struct ArrayStatement: Hashable, Sendable {
  package let text: String
  /// What each array holds.
  package let parameters: [RowParameter]
}

/// Writes the statements that insert, update and delete rows. All batches of one shape share a text.
package struct ArrayWriter: Sendable {
  private let schema: StoreSchema
  private let inserts = MemoCache<Int, ArrayStatement>()
  private let updates = MemoCache<UpdateKey, ArrayStatement>()

  private struct UpdateKey: Hashable {
    var entity: Int
    var slots: [UInt64]
  }

  package init(schema: StoreSchema) { self.schema = schema }

  /// Adds rows.
  package func insert(_ layout: EntityLayout) -> ArrayStatement {
    inserts.value(layout.number) {
      let (columns, parameters) = insertion(of: layout)
      let values = parameters.enumerated().map { value($1, number: $0, of: layout) }
      return ArrayStatement(
        text: "INSERT INTO \(schema.table(of: layout).name) (\(columns.joined(separator: ", "))) "
          + "SELECT \(values.joined(separator: ", ")) FROM \(source(parameters.count))", parameters: parameters)
    }
  }

  /// The columns of a new row, and what goes into each.
  package func insertion(of layout: EntityLayout) -> (columns: [String], parameters: [RowParameter]) {
    let names = schema.rowColumns
    var columns = [names.key, names.entity, names.version]
    var parameters: [RowParameter] = [.key, .entity, .version]
    for (slot, column) in schema.table(of: layout).columns.enumerated() {
      guard let column, !column.isDerived else { continue }
      columns.append(column.name)
      parameters.append(.slot(slot))
      guard let entity = column.entityColumn else { continue }
      columns.append(entity)
      parameters.append(.slotEntity(slot))
    }
    return (columns, parameters)
  }

  /// What an update of some slots of a table `t` assigns, beginning with the next version.
  /// - Parameters:
  ///   - parameters: is appended what goes into each of its parameters.
  ///   - value: a parameter in SQL, of which there are so many before it.
  package func assignments(
    _ layout: EntityLayout, slots: [UInt64], _ parameters: inout [RowParameter],
    value: (RowParameter, _ number: Int) -> String
  ) -> String {
    let (table, names) = (schema.table(of: layout), schema.rowColumns)
    var assignments = ["\(names.version) = t.\(names.version) + 1"]
    for (slot, column) in table.columns.enumerated() {
      guard let column, !column.isDerived, slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0 else { continue }
      assignments.append("\(column.name) = \(value(.slot(slot), parameters.count))")
      parameters.append(.slot(slot))
      // Until the new owner places the row, it comes behind those that have a position.
      if let order = column.orderColumn { assignments.append("\(order) = NULL") }
      guard let entity = column.entityColumn else { continue }
      assignments.append("\(entity) = \(value(.slotEntity(slot), parameters.count))")
      parameters.append(.slotEntity(slot))
    }
    return assignments.joined(separator: ", ")
  }

  /// Changes some slots of rows that are still at the expected versions, and returns the keys of these.
  /// - Parameter slots: bits, slot 0 the lowest of the first word. Slots that are not stored are left out.
  package func update(_ layout: EntityLayout, slots: [UInt64]) -> ArrayStatement {
    updates.value(UpdateKey(entity: layout.number, slots: slots)) {
      let (table, names) = (schema.table(of: layout), schema.rowColumns)
      var parameters: [RowParameter] = [.key, .expectedVersion]
      let assignments = assignments(layout, slots: slots, &parameters) { value($0, number: $1, of: layout) }
      return ArrayStatement(
        text: """
          UPDATE \(table.name) AS t SET \(assignments) FROM \(source(parameters.count)) \
          WHERE t.\(names.key) = v.c0 AND t.\(names.version) = v.c1 RETURNING t.\(names.key)
          """, parameters: parameters)
    }
  }

  /// Removes rows that are still at the expected versions, NULL being any, and returns their keys, and the values that
  /// the history keeps.
  /// - Parameter kept: the columns of these values.
  package func delete(_ layout: EntityLayout, keeping kept: [String]) -> ArrayStatement {
    let names = schema.rowColumns
    let returned = ([names.key] + kept).map { "t.\($0)" }.joined(separator: ", ")
    return ArrayStatement(
      text: """
        DELETE FROM \(schema.table(of: layout).name) AS t USING \(source(2)) \
        WHERE t.\(names.key) = v.c0 AND (v.c1 IS NULL OR t.\(names.version) = v.c1) RETURNING \(returned)
        """, parameters: [.key, .expectedVersion])
  }

  private func source(_ count: Int) -> String {
    let arrays = (1...count).map { "$\($0)" }.joined(separator: ", ")
    let columns = (0..<count).map { "c\($0)" }.joined(separator: ", ")
    return "unnest(\(arrays)) AS v (\(columns))"
  }

  /// Decimal numbers cross as texts.
  private func value(_ parameter: RowParameter, number: Int, of layout: EntityLayout) -> String {
    if case .slot(let slot) = parameter, layout.slots[slot].kind == .decimal { return "v.c\(number)::numeric" }
    return "v.c\(number)"
  }
}
