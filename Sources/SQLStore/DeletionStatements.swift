import ManagedModel
import RowStore
import SQLText
import SQLiteEngine

/// What removes a row of an entity, and its key from the tables of pairs.
final class DeletionStatements {
  private let whatever: Statement
  private let atVersion: Statement
  private let unlinking: [Statement]

  init(_ layout: EntityLayout, _ changes: ChangeWriter, _ connection: Connection) throws {
    whatever = try connection.statement(changes.delete(layout, checksVersion: false).text)
    atVersion = try connection.statement(changes.delete(layout, checksVersion: true).text)
    unlinking = try changes.unlink(layout).map(connection.statement)
  }

  /// Whether the row was there, and at the version that it must have.
  func run(_ deletion: RowDeletion, on connection: Connection) throws -> Bool {
    let statement = deletion.version == nil ? whatever : atVersion
    statement.bind(deletion.id.key, at: 1)
    if let version = deletion.version { statement.bind(version, at: 2) }
    try statement.run()
    guard connection.changes > 0 else { return false }
    for statement in unlinking {
      statement.bind(deletion.id.key, at: 1)
      try statement.run()
    }
    return true
  }
}
