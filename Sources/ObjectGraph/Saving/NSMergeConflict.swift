import Foundation
import StrataManagedModel
import StrataRowStore

/// An object that is to be saved, and that others have saved since it was read.
///
/// Snapshots hold attributes, and to-one relationships as ids; NSNull stands for nil. To-many relationships are never
/// in them. See https://developer.apple.com/documentation/coredata/nsmergeconflict
open class NSMergeConflict: NSObject {
  /// The object.
  public let sourceObject: NSManagedObject
  /// The values that the object's changes are based on; nil if it was never saved.
  public let objectSnapshot: [String: Any]?
  /// The values that the coordinator knows by now; nil if the row is gone.
  // Rows are not kept between the contexts and the store, so what was found there is always what the coordinator has
  // just learned, and never a third state.
  public let cachedSnapshot: [String: Any]?
  /// The values in the store, if the coordinator itself was behind it; nil if the object was behind the coordinator.
  public let persistedSnapshot: [String: Any]?
  /// The version of the row now; 0 if it was deleted.
  public let newVersionNumber: Int
  /// The version that the object's changes are based on.
  public let oldVersionNumber: Int
  /// The row as the store had it.
  let stored: Row?

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

  open override var description: String {
    let new = newVersionNumber == 0 ? "<deleted>" : "\(newVersionNumber)"
    let stored = persistedSnapshot.map { "new database row = \($0)" } ?? "new cached row = \(cachedSnapshot ?? [:])"
    return "NSMergeConflict (\(Unmanaged.passUnretained(self).toOpaque())) for \(type(of: sourceObject)) with objectID "
      + "'\(sourceObject.objectID)' with oldVersion = \(oldVersionNumber) and newVersion = \(new) and old object "
      + "snapshot = \(objectSnapshot ?? [:]) and \(stored)"
  }
}

extension NSManagedObject {
  /// Values of a row of the object's by name.
  func snapshot(of row: Row) -> [String: Any] {
    var values: [String: Any] = [:]
    for (slot, property) in row.layout.slots.enumerated() where !property.isTransient {
      note(slot, in: &values) { publicValue(row, $0) }
    }
    return values
  }
}
