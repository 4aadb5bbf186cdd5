import Foundation
import Synchronization

/// Turns values of one kind into values of another, and back if it can.
///
/// Foundation lacks the class on Linux. A transformable attribute names the transformer that makes data of its values.
/// See https://developer.apple.com/documentation/foundation/valuetransformer
open class ValueTransformer: NSObject {
  public override init() { super.init() }

  /// The class of what `transformedValue(_:)` answers.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether `reverseTransformedValue(_:)` works. Default: true.
  open class func allowsReverseTransformation() -> Bool { true }

  /// The other form of a value. Default: the value itself.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// The value of which `transformedValue(_:)` made another. Default: what `transformedValue(_:)` makes of it.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    precondition(Self.allowsReverseTransformation(), "\(type(of: self)) does not allow the reverse transformation.")
    return transformedValue(value)
  }
}

/// What a transformer is registered as.
/// See https://developer.apple.com/documentation/foundation/nsvaluetransformername
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// false for true, and true for false.
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
  /// Whether there is no value.
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
  /// Whether there is a value.
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
  /// An object for its keyed archive, of whatever class it is: for stores from before 2019.
  public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
  /// An object for its keyed archive, if it is of an allowed class.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
  @available(*, unavailable, message: "Foundation on Linux cannot read archives without keys.")
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
}

/// The transformers by their names.
extension ValueTransformer {
  private struct Registered: @unchecked Sendable {
    // Sendable: a transformer is asked from any thread, on Apple's systems too, and has to be made for that.
    let transformer: ValueTransformer
  }

  private static let registered = Mutex<[NSValueTransformerName: Registered]>([
    .negateBooleanTransformerName: Registered(
      transformer: BooleanTransformer { NSNumber(value: !(($0 as? NSNumber)?.boolValue ?? false)) }),
    .isNilTransformerName: Registered(transformer: BooleanTransformer { NSNumber(value: $0 == nil) }),
    .isNotNilTransformerName: Registered(transformer: BooleanTransformer { NSNumber(value: $0 != nil) }),
    .keyedUnarchiveFromDataTransformerName: keyed, .secureUnarchiveFromDataTransformerName: secure,
    // Models name the class as well.
    NSValueTransformerName("NSSecureUnarchiveFromDataTransformer"): secure,
  ])

  // A program may take the names of Foundation's own away.
  private static let keyed = Registered(transformer: KeyedUnarchiveFromDataTransformer())
  private static let secure = Registered(transformer: NSSecureUnarchiveFromDataTransformer())

  /// One of Foundation's own two that archive.
  package static func standard(_ name: NSValueTransformerName) -> ValueTransformer {
    named(name) ?? (name == .keyedUnarchiveFromDataTransformerName ? keyed : secure).transformer
  }

  /// Gives a transformer a name; nil takes the name's transformer away.
  public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    let entry = transformer.map(Registered.init)
    registered.withLock { $0[name] = entry }
  }

  /// The names that have a transformer.
  public class func valueTransformerNames() -> [NSValueTransformerName] { registered.withLock { Array($0.keys) } }

  /// The transformer with a name, or else a new one of the class with that name, which takes the name.
  package static func named(_ name: NSValueTransformerName) -> ValueTransformer? {
    if let known = registered.withLock({ $0[name] }) { return known.transformer }
    guard let type = ProgramClasses.type(named: name.rawValue, below: ValueTransformer.self) else { return nil }
    let made = Registered(transformer: AnyClassInitializer.object.make(type))
    registered.withLock { $0[name] = made }
    return made.transformer
  }
}

/// Lets an initializer of an extension return another object; a class's own initializer cannot replace `self`.
private protocol TransformerFinding {}

extension ValueTransformer: TransformerFinding {}

extension TransformerFinding {
  fileprivate init?(found transformer: ValueTransformer?) {
    guard let same = transformer as? Self else { return nil }
    self = same
  }
}

extension ValueTransformer {
  /// The transformer that is registered with a name; nil if there is none and no transformer's class is called so.
  public convenience init?(forName name: NSValueTransformerName) {
    self.init(found: Self.named(name))
  }
}

/// The answers of Foundation's own transformers that tell yes from no.
private final class BooleanTransformer: ValueTransformer {
  private let answer: @Sendable (Any?) -> NSNumber

  init(_ answer: @escaping @Sendable (Any?) -> NSNumber) {
    self.answer = answer
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override func transformedValue(_ value: Any?) -> Any? { answer(value) }
}
