import Foundation
import StrataManagedModel
import StrataPredicates

/// What a fetch can return: managed objects, their ids, dictionaries, a count.
/// See https://developer.apple.com/documentation/coredata/nsfetchrequestresult
public protocol NSFetchRequestResult {}

extension NSManagedObject: NSFetchRequestResult {}

extension NSManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
// A dictionary can be asked for as Swift's own, and results of any type be cast to it.
extension Dictionary: NSFetchRequestResult where Key == String, Value == Any {}

/// What kind of thing a fetch returns.
/// See https://developer.apple.com/documentation/coredata/nsfetchrequestresulttype
public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let managedObjectResultType: NSFetchRequestResultType = []
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
