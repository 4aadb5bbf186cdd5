import Foundation
import StrataManagedModel
import StrataObjectGraph

/// The values of a row of an incremental store, and its version.
///
/// Values are by the names of properties: attributes as objects have them, to-one relationships as `NSManagedObjectID` or
/// `NSNull`, to-many relationships as collections of `NSManagedObjectID`. A relationship that is left out is asked for
/// when it is needed. See https://developer.apple.com/documentation/coredata/nsincrementalstorenode
open class NSIncrementalStoreNode: NSObject {
  /// Which object the node is the row of.
  public let objectID: NSManagedObjectID

  /// A number that grows with each change of the row: a save that was based on another one is a conflict.
  public private(set) var version: UInt64

  private var values: [String: Any]

  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    self.version = version
  }

  /// Replaces values and version.
  public func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// The value of a property; nil if the node does not have it, `NSNull` for a to-one relationship that leads nowhere.
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
