import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// A statement that writes many rows: each parameter is an array with a value for each row.
package struct ArrayStatement: Hashable, Sendable {
  package let text: String
  /// The contents of each array.
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
      return ArrayStatement(
        text: "INSERT INTO \(schema.table(of: layout).name) (\(columns.joined(separator: ", "))) "
          + "SELECT * FROM \(source(parameters.count))", parameters: parameters)
    }
  }

  /// The columns of a new row, and what goes into each.
  package func insertion(of layout: EntityLayout) -> (columns: [String], parameters: [RowParameter]) {
    let written = schema.table(of: layout).written()
    return (
      schema.rowColumns.names + written.map(\.name), [.key, .entity, .version] + written.map(\.parameter)
    )
  }

  /// The assignments of an update of some slots of a table `t`, beginning with the next version.
  /// - Parameters:
  ///   - parameters: the contents of each parameter are appended here.
  ///   - value: a parameter in SQL, by its index.
  package func assignments(
    _ layout: EntityLayout, slots: [UInt64], _ parameters: inout [RowParameter], value: (_ index: Int) -> String
  ) -> String {
    let (table, names) = (schema.table(of: layout), schema.rowColumns)
    var assignments = ["\(names.version) = t.\(names.version) + 1"]
    for column in table.written(slots: slots) {
      assignments.append("\(column.name) = \(value(parameters.count))")
      parameters.append(column.parameter)
      // Until the new owner places the row, it follows those that have a position.
      if let order = column.order { assignments.append("\(order) = NULL") }
    }
    return assignments.joined(separator: ", ")
  }

  /// Changes some slots of rows that are still at the expected versions, and returns the keys of these.
  /// - Parameter slots: bits, slot 0 the lowest of the first word. Slots that are not stored are left out.
  package func update(_ layout: EntityLayout, slots: [UInt64]) -> ArrayStatement {
    updates.value(UpdateKey(entity: layout.number, slots: slots)) {
      let (table, names) = (schema.table(of: layout), schema.rowColumns)
      var parameters: [RowParameter] = [.key, .expectedVersion]
      let assignments = assignments(layout, slots: slots, &parameters) { "v.c\($0)" }
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
}
