// swift-format-ignore-file: AvoidRetroactiveConformances

import Foundation

// Programs for Apple's systems write `date as CVarArg`; there every object is an argument. On Linux, Foundation
// conforms only strings. `NSObject` as a whole cannot be conformed, because `NSString` would have two conformances.

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSNull: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSData: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSUUID: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSURL: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSOrderedSet: @retroactive CVarArg, @retroactive _CVarArgObject {}

extension _CVarArgObject {
  /// The description as a string, for `%@` of `String(format:)`. A predicate takes the value itself.
  public var _cVarArgObject: any CVarArg { String(describing: self) as NSString }

  /// Asked for by C functions alone, which cannot take an object: Foundation's formatting takes `_cVarArgObject`.
  public var _cVarArgEncoding: [Int] {
    fatalError("A \(Self.self) cannot be passed to a C function: pass its description, or use String(format:).")
  }
}
