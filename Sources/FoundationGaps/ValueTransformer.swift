import Foundation
import StrataRuntime
import StrataSupport
import Synchronization

/// Transforms values of one kind into values of another, and back if possible.
///
/// ```swift
/// final class LinesTransformer: ValueTransformer {
///   override func transformedValue(_ value: Any?) -> Any? {
///     (value as? [String]).map { Data($0.joined(separator: "\n").utf8) }
///   }
///   override func reverseTransformedValue(_ value: Any?) -> Any? {
///     (value as? Data).map {
///       String(decoding: $0, as: UTF8.self).components(separatedBy: "\n")
///     }
///   }
/// }
///
/// let name = NSValueTransformerName("Lines")
/// ValueTransformer.setValueTransformer(LinesTransformer(), forName: name)
/// let comments = NSAttributeDescription()
/// comments.name = "comments"
/// comments.type = .transformable
/// comments.valueTransformerName = name.rawValue
/// ```
///
/// Foundation on Linux lacks this class. A transformable attribute names the transformer that turns its values into
/// data.
///
/// See <https://developer.apple.com/documentation/foundation/valuetransformer>
open class ValueTransformer: NSObject {
  /// Creates a transformer.
  public override init() { super.init() }

  /// Returns the class of the values that `transformedValue(_:)` returns.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Returns whether `reverseTransformedValue(_:)` works. Default: true.
  open class func allowsReverseTransformation() -> Bool { true }

  /// Returns the transformed value. Default: the value itself.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Returns the value that `transformedValue(_:)` would transform into the given one. Default: the result of
  /// `transformedValue(_:)`.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    precondition(Self.allowsReverseTransformation(), "\(type(of: self)) does not allow the reverse transformation.")
    return transformedValue(value)
  }
}

/// Returns the name of a value transformer class, for an attribute's `valueTransformerName`: `Books.LinesTransformer`.
///
/// Foundation's function on Linux stops the program for nested and private classes. This one names them too:
/// `Books.Shelf.LinesTransformer`.
public func NSStringFromClass(_ aClass: ValueTransformer.Type) -> String {
  if aClass == ValueTransformer.self { return "NSValueTransformer" }
  if aClass == NSSecureUnarchiveFromDataTransformer.self { return "NSSecureUnarchiveFromDataTransformer" }
  return ProgramClasses.name(of: aClass)
}

/// The name that a value transformer is registered under.
///
/// See <https://developer.apple.com/documentation/foundation/nsvaluetransformername>
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name as a string.
  public let rawValue: String
  /// Creates a name from a string.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a name from a string.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Negates a Boolean.
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
  /// Returns whether the value is nil.
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
  /// Returns whether the value is not nil.
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
  /// Unarchives an object of any class from a keyed archive, for stores from before 2019.
  public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
  /// Unarchives an object of an allowed class from a keyed archive.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
  @available(*, unavailable, message: "Foundation on Linux cannot read archives without keys.")
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
}

/// The transformers by name.
extension ValueTransformer {
  private struct Registered: @unchecked Sendable {
    // Sendable: transformers are used from any thread, on Apple's systems too, and must support that.
    let transformer: ValueTransformer
  }

  private static let registered = Mutex<[NSValueTransformerName: Registered]>([
    .negateBooleanTransformerName: Registered(
      transformer: BooleanTransformer { NSNumber(value: !(($0 as? NSNumber)?.boolValue ?? false)) }),
    .isNilTransformerName: Registered(transformer: BooleanTransformer { NSNumber(value: $0 == nil) }),
    .isNotNilTransformerName: Registered(transformer: BooleanTransformer { NSNumber(value: $0 != nil) }),
    .keyedUnarchiveFromDataTransformerName: keyed, .secureUnarchiveFromDataTransformerName: secure,
    // Models use the class name as well.
    NSValueTransformerName("NSSecureUnarchiveFromDataTransformer"): secure,
  ])

  // A program may replace the names of Foundation's own.
  private static let keyed = Registered(transformer: KeyedUnarchiveFromDataTransformer())
  private static let secure = Registered(transformer: NSSecureUnarchiveFromDataTransformer())

  /// Returns one of Foundation's two archiving transformers.
  package static func standard(_ name: NSValueTransformerName) -> ValueTransformer {
    named(name) ?? (name == .keyedUnarchiveFromDataTransformerName ? keyed : secure).transformer
  }

  /// Registers a transformer under a name; nil removes the registration.
  public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    let entry = transformer.map(Registered.init)
    let former = registered.withLock { all in
      defer { all[name] = entry }
      return all[name]
    }
    // Released outside the lock, which its deinitializer may need.
    withExtendedLifetime(former) {}
  }

  /// Returns the names of all registered transformers.
  public class func valueTransformerNames() -> [NSValueTransformerName] { registered.withLock { Array($0.keys) } }

  /// Returns the transformer with a name, or a new instance of the class with that name, which is registered under it.
  package static func named(_ name: NSValueTransformerName) -> ValueTransformer? {
    if let known = registered.withLock({ $0[name] }) { return known.transformer }
    guard let type = ProgramClasses.type(named: name.rawValue, below: ValueTransformer.self) else { return nil }
    guard let make = ProgramClasses.maker(of: type), let transformer = make() as? ValueTransformer else {
      Diagnostics.warnOnce(
        "The value transformer class '\(name.rawValue)' is not registered by the model plugin with an initializer without "
          + "arguments, so it cannot be instantiated. Register one with ValueTransformer.setValueTransformer(_:forName:)."
      )
      return nil
    }
    let made = Registered(transformer: transformer)
    // Another thread may have made one in the meantime.
    return registered.withLock { all in
      let known = all[name] ?? made
      all[name] = known
      return known
    }.transformer
  }
}

/// Lets an initializer in an extension return another object; a class's own initializer cannot replace `self`.
private protocol TransformerFinding {}

extension ValueTransformer: TransformerFinding {}

extension TransformerFinding {
  fileprivate init?(found transformer: ValueTransformer?) {
    guard let same = transformer as? Self else { return nil }
    self = same
  }
}

extension ValueTransformer {
  /// Creates a reference to the transformer that is registered under a name, or to one of the class of that name; nil
  /// if there is neither.
  public convenience init?(forName name: NSValueTransformerName) {
    self.init(found: Self.named(name))
  }
}

/// Foundation's transformers with Boolean results.
private final class BooleanTransformer: ValueTransformer {
  private let transform: @Sendable (Any?) -> NSNumber

  init(_ transform: @escaping @Sendable (Any?) -> NSNumber) {
    self.transform = transform
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override func transformedValue(_ value: Any?) -> Any? { transform(value) }
}
