import Foundation
import StrataManagedModel

/// Values of types without nil, for objects that could not be read. A program sees them only until it handles the error.
extension NSManagedObject {
  /// Returns zero, or an object without values, for a property whose declared type has no nil; nil for a type that the
  /// framework does not know.
  final func valueWhereUnread<T>(_ name: String) -> T? {
    if let type = T.self as? any ZeroWhereUnread.Type { return type.whereUnread as? T }
    guard let slot = layout.slot(named: name), let destination = layout.slots[slot].relationship?.destination,
      let context
    else { return nil }
    return context.objectClass(of: destination).init(entity: context.model.entity(of: destination), insertInto: nil)
      as? T
  }
}

/// A type with a value that stands for one that could not be read.
private protocol ZeroWhereUnread {
  static var whereUnread: Any { get }
}

extension Date: ZeroWhereUnread { static var whereUnread: Any { Date(timeIntervalSinceReferenceDate: 0) } }
extension Decimal: ZeroWhereUnread { static var whereUnread: Any { Decimal.zero } }
extension String: ZeroWhereUnread { static var whereUnread: Any { "" } }
extension URL: ZeroWhereUnread { static var whereUnread: Any { URL(fileURLWithPath: "/dev/null") } }
extension UUID: ZeroWhereUnread {
  static var whereUnread: Any { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
extension NSNumber: ZeroWhereUnread {
  // The class decides, not the declared type: a decimal number is one too.
  static var whereUnread: Any { self == NSDecimalNumber.self ? NSDecimalNumber.zero : NSNumber(value: 0) }
}
extension NSData: ZeroWhereUnread { static var whereUnread: Any { NSData() } }
extension NSDate: ZeroWhereUnread { static var whereUnread: Any { NSDate(timeIntervalSinceReferenceDate: 0) } }
extension NSString: ZeroWhereUnread { static var whereUnread: Any { NSString() } }
