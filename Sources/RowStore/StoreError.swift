import Foundation

/// Why a source of rows could not do what it was asked.
package struct StoreError: Error, CustomStringConvertible {
  package enum Code: Sendable {
    /// Another writer kept the store for longer than the time-out.
    case busy
    /// Rows of the batch are at another version, or gone: see `conflicts`.
    case conflict
    /// Two rows would share the values of a uniqueness constraint: see `conflicts`.
    case constraint
    /// The file is damaged or is not a store.
    case corrupt
    /// The disk or a quota is full.
    case full
    case incompatibleModel
    /// The model that an older store was written with is not to be found.
    case missingSourceModel
    /// There is no way from the store's model to this one that could be inferred: see the cause.
    case missingMapping
    /// A migration failed; the store is as it was.
    case migration
    /// Rows would break a uniqueness constraint of the new model; the store is as it was.
    case migrationConstraint
    case notOpen
    /// A relationship would lead from one store to another.
    case external
    /// No store can take a new row: see `rows`.
    case unassignable
    case permission
    case readOnly
    /// The plan asks what this source cannot say, such as a transient property in SQL.
    case unsupported
    case io
  }

  package var code: Code
  /// What was tried, on which file, why it failed and what would help.
  package var message: String
  /// The engine's own error.
  package var cause: (any Error)?
  package var conflicts: [RowConflict]
  /// The rows that a failure other than a conflict is about, as far as they are known.
  package var rows: [RowID]

  package init(
    _ code: Code, _ message: String, cause: (any Error)? = nil, conflicts: [RowConflict] = [], rows: [RowID] = []
  ) {
    self.code = code
    self.message = message
    self.cause = cause
    self.conflicts = conflicts
    self.rows = rows
  }

  package var description: String { message }
}

/// What the database of a store said.
package protocol EngineFailure: Error {
  /// SQLite's extended result code.
  var engineCode: Int32 { get }
}

/// A row of a batch that the store has in another state than the batch supposes.
package struct RowConflict: Sendable {
  /// The row of the batch.
  package var id: RowID
  /// The version that the batch was based on; 0 for an inserted row.
  package var expectedVersion: Int64
  /// The row in the store; nil if it is gone. For a constraint, the row that already has the values.
  package var stored: Row?
  /// For a constraint, its property names.
  package var constraint: [String]

  package init(id: RowID, expectedVersion: Int64, stored: Row?, constraint: [String] = []) {
    self.id = id
    self.expectedVersion = expectedVersion
    self.stored = stored
    self.constraint = constraint
  }
}
