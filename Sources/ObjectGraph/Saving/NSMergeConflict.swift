import Foundation
import StrataManagedModel
import StrataRowStore

/// A conflict between an object that is being saved and changes that others saved since it was read.
///
/// Snapshots hold attributes, and to-one relationships as IDs, with `NSNull` for nil. They never hold to-many
/// relationships.
///
/// See <https://developer.apple.com/documentation/coredata/nsmergeconflict>
open class NSMergeConflict: NSObject {
  /// The object that is being saved.
  public let sourceObject: NSManagedObject
  /// The values that the object's changes are based on; nil if it was never saved.
  public let objectSnapshot: [String: Any]?
  // Nothing caches rows between the contexts and the store, so the row found in the store is always what the
  // coordinator has just read, and never a third state.

  /// The coordinator's current values; nil if the row was deleted.
  public let cachedSnapshot: [String: Any]?
  /// The store's values if the coordinator was out of date; nil if the object was.
  public let persistedSnapshot: [String: Any]?
  /// The current version of the row; 0 if it was deleted.
  public let newVersionNumber: Int
  /// The version that the object's changes are based on.
  public let oldVersionNumber: Int
  /// The stored row.
  let stored: Row?

  /// Creates a conflict.
  /// - Parameters:
  ///   - srcObject: the object that is being saved.
  ///   - newvers: the current version of the row; 0 if it was deleted.
  ///   - oldvers: the version that the object's changes are based on.
  ///   - cachesnap: the coordinator's current values; nil if the row was deleted.
  ///   - persnap: the store's values if the coordinator was out of date.
  public init(
    source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
    cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
  ) {
    sourceObject = srcObject
    objectSnapshot = srcObject.committedRow.map(srcObject.snapshot)
    (newVersionNumber, oldVersionNumber) = (newvers, oldvers)
    (cachedSnapshot, persistedSnapshot) = (cachesnap, persnap)
    stored = nil
  }

  init(_ object: NSManagedObject, _ conflict: RowConflict) {
    sourceObject = object
    objectSnapshot = object.committedRow.map(object.snapshot)
    newVersionNumber = Int(conflict.stored?.version ?? 0)
    oldVersionNumber = Int(conflict.expectedVersion)
    cachedSnapshot = conflict.stored.map(object.snapshot)
    persistedSnapshot = nil
    stored = conflict.stored
  }

  /// A description of the object and its versions.
  open override var description: String {
    let new = newVersionNumber == 0 ? "<deleted>" : "\(newVersionNumber)"
    let stored = persistedSnapshot.map { "new database row = \($0)" } ?? "new cached row = \(cachedSnapshot ?? [:])"
    return "NSMergeConflict (\(Unmanaged.passUnretained(self).toOpaque())) for \(type(of: sourceObject)) with objectID "
      + "'\(sourceObject.objectID)' with oldVersion = \(oldVersionNumber) and newVersion = \(new) and old object "
      + "snapshot = \(objectSnapshot ?? [:]) and \(stored)"
  }
}

extension NSManagedObject {
  /// Returns the values of one of the object's rows by name.
  func snapshot(of row: Row) -> [String: Any] {
    var values: [String: Any] = [:]
    for (slot, property) in row.layout.slots.enumerated() where !property.isTransient {
      note(slot, in: &values) { publicValue(of: row, slot: $0) }
    }
    return values
  }
}
