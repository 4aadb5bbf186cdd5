import Foundation
import StrataManagedModel
import StrataPredicates

/// A possible result of a fetch: managed objects, their IDs, dictionaries and numbers.
///
/// A marker protocol, so that `any NSFetchRequestResult` can be a result type itself. Swift cannot cast to a marker
/// protocol: cast to a class or a dictionary.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchrequestresult>
@_marker public protocol NSFetchRequestResult {}

extension NSManagedObject: NSFetchRequestResult {}

extension NSManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
// Dictionaries may be requested as Swift's own, and results of any type cast to it.
extension Dictionary: NSFetchRequestResult where Key == String, Value == Any {}

/// The kind of results of a fetch.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchrequestresulttype>
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt
  /// Creates a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Managed objects.
  public static let managedObjectResultType: NSFetchRequestResultType = []
  /// IDs of managed objects.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// Dictionaries with the request's `propertiesToFetch`.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// The number of objects.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
