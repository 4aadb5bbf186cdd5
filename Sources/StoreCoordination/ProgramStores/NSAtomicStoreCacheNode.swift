import Foundation
import StrataObjectGraph

/// A row of an atomic store, as values by property name.
///
/// Attributes have the types that objects have. A to-one relationship is the other node, a to-many relationship a set
/// of nodes, or an ordered set or an array if it is ordered. A missing value is absent or `NSNull`. Subclasses can
/// store more.
///
/// See <https://developer.apple.com/documentation/coredata/nsatomicstorecachenode>
open class NSAtomicStoreCacheNode: NSObject {
  /// The ID of the object.
  public let objectID: NSManagedObjectID

  /// The values by property name.
  open var propertyCache: NSMutableDictionary?

  /// Creates a node without values.
  public init(objectID moid: NSManagedObjectID) { objectID = moid }

  /// Returns the value of a property from the property cache.
  open func value(forKey key: String) -> Any? { propertyCache?.object(forKey: key) }

  /// Sets the value of a property in the property cache; nil removes it.
  open func setValue(_ value: Any?, forKey key: String) {
    let cache = propertyCache ?? NSMutableDictionary()
    propertyCache = cache
    if let value { cache.setObject(value, forKey: NSString(string: key)) } else { cache.removeObject(forKey: key) }
  }
}
