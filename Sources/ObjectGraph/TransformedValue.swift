import Foundation
import ManagedModel

/// The bytes of a transformable attribute: a keyed archive, which is what Apple's default transformer writes.
enum TransformedValue {
  static func encode(_ value: Any, of slot: PropertySlot) -> Data? {
    guard let object = bridged(value) else { return nil }
    return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }

  static func decode(_ bytes: UnsafeRawBufferPointer, of slot: PropertySlot) -> Any? {
    try? NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [
        NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
        NSUUID.self, NSNull.self, NSSet.self,
      ], from: Data(bytes))
  }

  private static func bridged(_ value: Any) -> Any? {
    switch value {
    case let value as [Any]: NSArray(array: value)
    case let value as [AnyHashable: Any]: NSDictionary(dictionary: value)
    case let value as String: NSString(string: value)
    case let value as NSObject: value
    default: nil
    }
  }
}
