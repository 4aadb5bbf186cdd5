import Foundation
import StrataManagedModel
import StrataObjectGraph

/// The values of a row of an incremental store, and its version.
///
/// Values are by property name: attributes as objects have them, to-one relationships as `NSManagedObjectID` or
/// `NSNull`, to-many relationships as collections of `NSManagedObjectID`. A relationship that is left out is requested
/// when it is needed.
///
/// See <https://developer.apple.com/documentation/coredata/nsincrementalstorenode>
open class NSIncrementalStoreNode: NSObject {
  /// The ID of the object.
  public let objectID: NSManagedObjectID

  /// The version of the row, which increases with each change. Saving an object that was read with another version is a
  /// conflict.
  public private(set) var version: UInt64

  private var values: [String: Any]

  /// Creates a node.
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    self.version = version
  }

  /// Replaces the values and the version.
  public func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// Returns the value of a property; nil if the node does not have it, `NSNull` for a to-one relationship without an
  /// object.
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
