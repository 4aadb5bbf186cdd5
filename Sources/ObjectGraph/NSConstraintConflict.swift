import Foundation
import RowStore

/// Objects that share values that must be unique: several of one save, or one of them and a row of the store.
/// See https://developer.apple.com/documentation/coredata/nsconstraintconflict
open class NSConstraintConflict: NSObject {
  /// The names of the properties that must be unique together.
  public let constraint: [String]
  /// Their values.
  public let constraintValues: [String: Any]
  /// The object of the row that has the values already; nil if the objects are of one save.
  public let databaseObject: NSManagedObject?
  /// The values of that row.
  public let databaseSnapshot: [String: Any]?
  /// The objects that are to be saved.
  public let conflictingObjects: [NSManagedObject]
  /// For each of these its values before it was changed; empty for one that is new or was not changed.
  // Apple's header has NSNull there, which the type of its Swift property cannot hold.
  public let conflictingSnapshots: [[AnyHashable: Any]]
  /// The row as the store had it.
  let stored: Row?

  public convenience init(
    constraint contraint: [String], database databaseObject: NSManagedObject?,
    databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
    conflictingSnapshots: [Any]
  ) {
    self.init(
      constraint: contraint, database: databaseObject, databaseSnapshot as? [String: Any], stored: nil,
      conflicting: conflictingObjects, conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] })
  }

  /// A conflict of objects of a save, or of one and a row.
  convenience init(_ names: [String], stored: (object: NSManagedObject, row: Row)?, _ objects: [NSManagedObject]) {
    let snapshots = objects.map { object in object.committedRow.map { object.snapshot(of: $0) } ?? [:] }
    self.init(
      constraint: names, database: stored?.object, stored.map { $0.object.snapshot(of: $0.row) }, stored: stored?.row,
      conflicting: objects, snapshots)
  }

  private init(
    constraint: [String], database: NSManagedObject?, _ databaseSnapshot: [String: Any]?, stored: Row?,
    conflicting: [NSManagedObject], _ snapshots: [[AnyHashable: Any]]
  ) {
    self.constraint = constraint
    databaseObject = database
    self.databaseSnapshot = databaseSnapshot
    conflictingObjects = conflicting
    conflictingSnapshots = snapshots
    self.stored = stored
    var values: [String: Any] = [:]
    if let object = conflicting.first {
      for name in constraint { values[name] = object.modeledValue(forKey: name) ?? NSNull() }
    }
    constraintValues = values
    super.init()
  }

  open override var description: String {
    let objects = conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
    return "NSConstraintConflict (\(Unmanaged.passUnretained(self).toOpaque())) for constraint "
      + "(\(constraint.joined(separator: ", "))): database: \(databaseObject.map { "\($0.objectID)" } ?? "nil"), "
      + "conflictedObjects: (\(objects))"
  }
}
