import Foundation
import StrataRowStore

/// A conflict over a uniqueness constraint: between several objects of a save, or between one and a stored row.
///
/// See <https://developer.apple.com/documentation/coredata/nsconstraintconflict>
open class NSConstraintConflict: NSObject {
  /// The names of the properties whose combined values must be unique.
  public let constraint: [String]
  /// The values of these properties.
  public let constraintValues: [String: Any]
  /// The object whose stored row has these values; nil if the conflict is within the save.
  public let databaseObject: NSManagedObject?
  /// The values of that row.
  public let databaseSnapshot: [String: Any]?
  /// The objects that are being saved.
  public let conflictingObjects: [NSManagedObject]
  // Apple's header has NSNull for objects that are new or unchanged, which the type of its Swift property cannot hold.

  /// The original values of each of these objects; empty for an object that is new or unchanged.
  public let conflictingSnapshots: [[AnyHashable: Any]]
  /// The stored row.
  let stored: Row?

  /// Creates an empty conflict, for subclasses.
  public override init() {
    (constraint, constraintValues, conflictingObjects, conflictingSnapshots) = ([], [:], [], [])
    (databaseObject, databaseSnapshot, stored) = (nil, nil, nil)
    super.init()
  }

  /// Creates a conflict.
  /// - Parameters:
  ///   - contraint: the names of the properties whose combined values must be unique.
  ///   - databaseObject: the object whose stored row has the values; nil if the conflict is within the save.
  ///   - databaseSnapshot: the values of that row.
  ///   - conflictingObjects: the objects that are being saved.
  ///   - conflictingSnapshots: the original values of each of these objects.
  public init(
    // Apple's spelling.
    constraint contraint: [String], database databaseObject: NSManagedObject?,
    databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
    conflictingSnapshots: [Any]
  ) {
    constraint = contraint
    constraintValues = Self.values(of: contraint, conflictingObjects)
    self.databaseObject = databaseObject
    self.databaseSnapshot = databaseSnapshot as? [String: Any]
    self.conflictingObjects = conflictingObjects
    self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
    stored = nil
    super.init()
  }

  /// Creates a conflict among objects of a save, or between one and a row.
  init(_ names: [String], stored: (object: NSManagedObject, row: Row)?, _ objects: [NSManagedObject]) {
    constraint = names
    constraintValues = Self.values(of: names, objects)
    databaseObject = stored?.object
    databaseSnapshot = stored.map { $0.object.snapshot(of: $0.row) }
    conflictingObjects = objects
    conflictingSnapshots = objects.map { object in object.committedRow.map { object.snapshot(of: $0) } ?? [:] }
    self.stored = stored?.row
    super.init()
  }

  private static func values(of names: [String], _ objects: [NSManagedObject]) -> [String: Any] {
    guard let object = objects.first else { return [:] }
    return names.reduce(into: [:]) { $0[$1] = object.modeledValue(forKey: $1) ?? NSNull() }
  }

  /// A description of the constraint and the objects.
  open override var description: String {
    let objects = conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
    return "NSConstraintConflict (\(Unmanaged.passUnretained(self).toOpaque())) for constraint "
      + "(\(constraint.joined(separator: ", "))): database: \(databaseObject.map { "\($0.objectID)" } ?? "nil"), "
      + "conflictedObjects: (\(objects))"
  }
}
