import Foundation
import StrataObjectGraph

/// A row of an atomic store, by the names of its properties.
///
/// Attributes are values of the types that objects have; a to-one relationship is the other node, a to-many relationship a
/// set of nodes (an ordered set or an array keeps its order). What has no value is absent, or `NSNull`. Subclasses may
/// keep more. See https://developer.apple.com/documentation/coredata/nsatomicstorecachenode
open class NSAtomicStoreCacheNode: NSObject {
  /// Which object the node is the row of.
  public let objectID: NSManagedObjectID

  /// The values by the names of the properties.
  open var propertyCache: NSMutableDictionary?

  public init(objectID moid: NSManagedObjectID) { objectID = moid }

  /// The value of a property: what the property cache has.
  open func value(forKey key: String) -> Any? { propertyCache?.object(forKey: key) }

  /// Sets the value of a property in the property cache; nil takes it out.
  open func setValue(_ value: Any?, forKey key: String) {
    let cache = propertyCache ?? NSMutableDictionary()
    propertyCache = cache
    if let value { cache.setObject(value, forKey: NSString(string: key)) } else { cache.removeObject(forKey: key) }
  }
}
