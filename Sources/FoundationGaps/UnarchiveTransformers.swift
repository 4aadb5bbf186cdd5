import Foundation

/// A value transformer between keyed archives and objects of allowed classes.
///
/// It is used for transformable attributes that name no transformer. A subclass can allow classes of the program's own.
///
/// ```swift
/// final class ZoneTransformer: NSSecureUnarchiveFromDataTransformer {
///   override class var allowedTopLevelClasses: [AnyClass] {
///     super.allowedTopLevelClasses + [NSTimeZone.self]
///   }
/// }
/// // Before the store is opened. The attribute names it "Zone".
/// ValueTransformer.setValueTransformer(
///   ZoneTransformer(), forName: NSValueTransformerName("Zone"))
/// ```
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
    return unarchived(data, contents, requiringSecureCoding: true) { reader in
      reader.decodeObject(
        of: Self.allowedTopLevelClasses + [ArchivedDecimal.self], forKey: NSKeyedArchiveRootObjectKey)
    }
  }

  /// Returns the keyed archive of an object.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let object = value.flatMap(archivable) else { return nil }
    let isAllowed = Self.allowedTopLevelClasses.contains { type in
      (type as? NSObject.Type).map { object.isKind(of: $0) } ?? false
    }
    guard isAllowed else { return nil }
    return archive(of: object, requiringSecureCoding: true)
  }
}

/// Decodes a keyed archive of an object of any class; in reverse, it encodes one.
package final class KeyedUnarchiveFromDataTransformer: ValueTransformer {
  package override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, let contents = ArchiveContents(data), contents.isReadable else { return nil }
    return unarchived(data, contents, requiringSecureCoding: false) {
      $0.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }
  }

  package override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let object = value.flatMap(archivable) else { return nil }
    return archive(of: object, requiringSecureCoding: false)
  }
}

/// Returns the keyed archive of an object; nil for one that cannot be archived, such as collections nested too deeply.
private func archive(of object: NSObject, requiringSecureCoding isSecure: Bool) -> Data? {
  guard let exchanged = try? DecimalExchange.archiving.exchanged(object) ?? object else { return nil }
  let writer = NSKeyedArchiver(requiringSecureCoding: isSecure)
  writer.encode(exchanged, forKey: NSKeyedArchiveRootObjectKey)
  writer.finishEncoding()
  return writer.error == nil ? writer.encodedData : nil
}

/// Returns the object in a keyed archive; nil if it cannot be read.
private func unarchived(
  _ data: Data, _ contents: ArchiveContents, requiringSecureCoding isSecure: Bool,
  read: (NSKeyedUnarchiver) -> Any?
) -> Any? {
  guard let reader = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
  reader.requiresSecureCoding = isSecure
  reader.decodingFailurePolicy = .setErrorAndReturn
  reader.setClass(ArchivedDecimal.self, forClassName: ArchivedDecimal.className)
  guard let object = read(reader), reader.error == nil else { return nil }
  return contents.hasDecimals ? (try? DecimalExchange.unarchiving.exchanged(object)) ?? object : object
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
