import Foundation

/// A value transformer between keyed archives and objects of allowed classes.
///
/// It is used for transformable attributes that name no transformer. A subclass can allow classes of the program's own.
///
/// See <https://developer.apple.com/documentation/foundation/nssecureunarchivefromdatatransformer>
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes of objects that can be unarchived.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
      NSUUID.self, NSNull.self,
    ]
  }

  /// Returns the object in a keyed archive; nil if it is not of an allowed class.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, let contents = ArchiveContents(data), contents.isReadable,
      contents.isAllowed(Self.allowedTopLevelClasses)
    else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: Self.allowedTopLevelClasses, from: data)
  }

  /// Returns the keyed archive of an object.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let object = value.flatMap(archivable) else { return nil }
    let isAllowed = Self.allowedTopLevelClasses.contains { type in
      (type as? NSObject.Type).map { object.isKind(of: $0) } ?? false
    }
    guard isAllowed else { return nil }
    return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }
}

/// Decodes a keyed archive of an object of any class; in reverse, it encodes one.
package final class KeyedUnarchiveFromDataTransformer: ValueTransformer {
  package override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, ArchiveContents(data)?.isReadable == true,
      let reader = try? NSKeyedUnarchiver(forReadingFrom: data)
    else { return nil }
    reader.requiresSecureCoding = false
    reader.decodingFailurePolicy = .setErrorAndReturn
    return reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
  }

  package override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let object = value.flatMap(archivable) else { return nil }
    return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
  }
}

/// Returns the object that represents a value in an archive.
private func archivable(_ value: Any) -> NSObject? {
  switch value {
  case let value as NSObject: value
  case let value as [Any]: NSArray(array: value)
  case let value as [String: Any]: NSDictionary(dictionary: value)
  case let value as Set<AnyHashable>: NSSet(set: value)
  case let value as String: NSString(string: value)
  case let value as Data: NSData(data: value)
  case let value as Date: NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
  case let value as URL: NSURL(string: value.absoluteString)
  case let value as UUID: NSUUID(uuidString: value.uuidString)
  case let value as NSNumber: value
  default: nil
  }
}
