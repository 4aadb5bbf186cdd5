import Foundation

/// Foundation's types as symbols name them: some are declared in another module than the one that programs import. Read
/// from the types of this program, which the same toolchain built.
enum FoundationTypes {
  static let module: ImportedModule = {
    var module = ImportedModule("Foundation")
    for type in types {
      let parts = String(reflecting: type).split(separator: ".")
      guard parts.count == 2 else { continue }
      module.add(String(parts[1]), kind: type is AnyObject.Type ? "C" : "V", home: String(parts[0]))
    }
    for name in ["NSCoding", "NSSecureCoding", "NSCopying", "NSMutableCopying", "NSObjectProtocol"] {
      module.add(name, kind: "P", home: "Foundation")
    }
    module.alias("TimeInterval", of: "Double")
    module.alias("NSInteger", of: "Int")
    module.alias("NSUInteger", of: "UInt")
    module.alias("NSRange", of: "_NSRange")
    return module
  }()

  private static let types: [Any.Type] = [
    // Values.
    Date.self, Data.self, UUID.self, URL.self, Decimal.self, Locale.self, Calendar.self, TimeZone.self,
    DateComponents.self, DateInterval.self, IndexSet.self, IndexPath.self, CharacterSet.self, AttributedString.self,
    URLComponents.self, PersonNameComponents.self, Notification.self, CGFloat.self, CGPoint.self,
    CGSize.self, CGRect.self, _NSRange.self,
    // Objects.
    NSObject.self, NSNumber.self, NSDecimalNumber.self, NSString.self, NSMutableString.self, NSAttributedString.self,
    NSMutableAttributedString.self, NSData.self, NSMutableData.self, NSDate.self, NSURL.self, NSUUID.self,
    NSArray.self, NSMutableArray.self, NSDictionary.self, NSMutableDictionary.self, NSSet.self, NSMutableSet.self,
    NSCountedSet.self, NSOrderedSet.self, NSMutableOrderedSet.self, NSIndexSet.self, NSIndexPath.self, NSValue.self,
    NSNull.self, NSError.self, NSPredicate.self, NSSortDescriptor.self, NSTimeZone.self, NSLocale.self,
    NSCalendar.self, NSDateComponents.self, NSRegularExpression.self,
  ]
}
