import Foundation
import StrataSupport

/// The reason a row source failed.
package struct StoreError: Error, CustomStringConvertible {
  package enum Code: Sendable {
    /// Another writer held the store longer than the time-out.
    case busy
    /// Rows of the batch have another version or are deleted: see `conflicts`.
    case conflict
    /// A uniqueness constraint would be violated: see `conflicts`.
    case constraint
    /// The file is damaged or is not a store.
    case corrupt
    /// The disk or a quota is full.
    case full
    case incompatibleModel
    /// The model that an older store was written with cannot be found.
    case missingSourceModel
    /// No mapping from the store's model to this one can be inferred: see the cause.
    case missingMapping
    /// A migration failed; the store is unchanged.
    case migration
    /// Rows would violate a uniqueness constraint of the new model; the store is unchanged.
    case migrationConstraint
    case notOpen
    /// No store accepts a new row, or a relationship would cross stores: see `rows`.
    case unassignable
    /// The coordinator has no store to save to.
    case noStores
    case permission
    case readOnly
    /// The source cannot express the query, such as a transient property in SQL.
    case unsupported
    case io
  }

  package var code: Code
  /// The operation, the file, the reason of the failure and a remedy.
  package var message: String
  /// The underlying error of the database engine.
  package var cause: (any Error)?
  package var conflicts: [RowConflict]
  /// The known rows of a failure other than a conflict.
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

/// An error of a store's database engine.
package protocol EngineFailure: Error {
  /// SQLite's extended result code.
  var engineCode: Int32 { get }
}

/// A row that the store has in another state than the batch expects.
package struct RowConflict: Sendable {
  /// The row's ID in the batch.
  package var id: RowID
  /// The version that the batch is based on; 0 for an inserted row.
  package var expectedVersion: Int64
  /// The row in the store; nil if it was deleted. For a constraint, the row that already has the values.
  package var stored: Row?
  /// For a constraint, the names of its properties.
  package var constraint: [String]

  package init(id: RowID, expectedVersion: Int64, stored: Row?, constraint: [String] = []) {
    self.id = id
    self.expectedVersion = expectedVersion
    self.stored = stored
    self.constraint = constraint
  }
}

extension StoreError {
  /// The refusal of a batch whose rows are in conflict with stored ones; nil if none are.
  /// - Parameters:
  ///   - store: the store's path or address; nil for a store without one.
  ///   - versions: rows that were changed or removed since they were read.
  ///   - constraints: rows with the unique values of others.
  package static func refusal(
    byStore store: String?, versions: [RowConflict], constraints: [RowConflict]
  ) -> StoreError? {
    let operation = store.map { "Cannot write the store '\($0)'" } ?? "Cannot save"
    if !versions.isEmpty {
      return StoreError(
        .conflict,
        "\(operation): another writer changed or removed \(counted(versions.count, "row")) since "
          + "\(versions.count == 1 ? "it was" : "they were") read. Nothing was changed; refresh the objects or choose a "
          + "merge policy.",
        conflicts: versions + constraints)
    }
    if constraints.isEmpty { return nil }
    let names = Set(constraints.map { $0.constraint.joined(separator: ", ") }).sorted()
    return StoreError(
      .constraint,
      "\(operation): other rows already have the values of "
        + "\(counted(constraints.count, "row")) in "
        + "\(names.map { "(\($0))" }.joined(separator: ", ")), which must be unique. Nothing was changed.",
      conflicts: constraints)
  }
}
