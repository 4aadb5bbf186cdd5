import StrataManagedModel
import StrataRowStore

/// Writes the statements that insert, update and delete rows. All rows of one shape share a text.
package struct ChangeWriter: Sendable {
  package let schema: StoreSchema
  var dialect: any SQLDialect { schema.dialect }

  package init(schema: StoreSchema) { self.schema = schema }

  /// Adds a row. Where its siblings are ordered it gets no position, so it follows those that have one: looking up
  /// the last position for each row would make a save of many siblings quadratic.
  package func insert(_ layout: EntityLayout) -> RowStatement {
    let insertion = insertion(of: layout)
    return RowStatement(text: dialect.finished("INSERT \(insertion.text)"), parameters: insertion.parameters)
  }

  /// Everything after INSERT, to be completed by the caller; its placeholders are not numbered yet.
  func insertion(of layout: EntityLayout) -> RowStatement {
    let table = schema.table(of: layout)
    let written = table.written()
    let names = schema.rowColumns.names + written.map(\.name)
    let parameters = [.key, .entity, .version] + written.map(\.parameter)
    let values = repeatElement("?", count: names.count).joined(separator: ", ")
    return RowStatement(
      text: "INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(values))", parameters: parameters)
  }

  /// Changes some slots of a row if it is still at the expected version.
  /// - Parameter slots: bits, slot 0 the lowest of the first word. Slots that are not stored are left out.
  package func update(_ layout: EntityLayout, slots: [UInt64]) -> RowStatement {
    let table = schema.table(of: layout)
    var assignments = ["\(schema.rowColumns.version) = ?"]
    var parameters: [RowParameter] = [.version]
    for column in table.written(slots: slots) {
      assignments.append("\(column.name) = ?")
      parameters.append(column.parameter)
      // Until the new owner places the row, it follows those that have a position.
      if let order = column.order { assignments.append("\(order) = NULL") }
    }
    let list = assignments.joined(separator: ", ")
    return RowStatement(
      text: dialect.finished("UPDATE \(table.name) SET \(list) WHERE \(atKey) AND \(atVersion)"),
      parameters: parameters + [.key, .expectedVersion])
  }

  /// Sets some slots of the row whose key is in parameter 1 to NULL, without a new version.
  /// - Returns: nil if none of them has a column.
  package func clear(_ layout: EntityLayout, slots: [Int]) -> String? {
    let table = schema.table(of: layout)
    let assignments = slots.compactMap { table.columns[$0].map { "\($0.name) = NULL" } }
    guard !assignments.isEmpty else { return nil }
    return dialect.finished("UPDATE \(table.name) SET \(assignments.joined(separator: ", ")) WHERE \(atKey)")
  }

  /// Sets the version in parameter 1 in the rows whose keys are in the list in parameter 2, if it is still the one in
  /// parameter 3.
  package func updateVersions(_ layout: EntityLayout) -> String {
    let rows = dialect.isMember(schema.rowColumns.key, ofKeys: nil)
    return dialect.finished(
      "UPDATE \(schema.table(of: layout).name) SET \(atVersion) WHERE \(rows) AND \(atVersion)")
  }

  /// Removes a row.
  /// - Parameter checksVersion: whether it must still be at the expected version.
  package func delete(_ layout: EntityLayout, checksVersion: Bool) -> RowStatement {
    let text = "DELETE FROM \(schema.table(of: layout).name) WHERE \(atKey)"
    return checksVersion
      ? RowStatement(text: dialect.finished("\(text) AND \(atVersion)"), parameters: [.key, .expectedVersion])
      : RowStatement(text: dialect.finished(text), parameters: [.key])
  }

  private var atKey: String { "\(schema.rowColumns.key) = ?" }
  private var atVersion: String { "\(schema.rowColumns.version) = ?" }

  /// Removes the rows whose keys are in the list in parameter 1.
  /// - Parameter checksVersion: whether only rows at the version in parameter 2 are removed.
  package func deleteMany(_ layout: EntityLayout, checksVersion: Bool) -> String {
    let rows = dialect.isMember(schema.rowColumns.key, ofKeys: nil)
    return dialect.finished(
      "DELETE FROM \(schema.table(of: layout).name) WHERE \(rows)\(checksVersion ? " AND \(atVersion)" : "")")
  }

  /// The position after all others: 2048 for the first member, and 1024 more for each that follows.
  func endPosition(_ order: String, in table: String, where condition: String) -> String {
    "(SELECT \(dialect.ifNull("MAX(\(order))", "1024")) + 1024 FROM \(table) WHERE \(condition))"
  }
}
