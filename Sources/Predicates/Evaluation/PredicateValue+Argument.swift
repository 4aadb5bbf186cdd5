import Foundation

/// Converts predicate arguments.
extension PredicateValue {
  /// Converts an argument to a constant; nil if a predicate cannot contain it. Objects other than values become
  /// references.
  package init?(argument: Any?) {
    if let argument {
      if let value = Self.common(argument) {
        self = value
        return
      }
      if let object = Self.object(argument) {
        self.init(object: object)
        return
      }
    }
    guard let argument = Self.unwrapped(argument) else {
      self = .null
      return
    }
    if let list = Self.plainList(argument) {
      self = .list(list)
    } else if let object = Self.object(argument) {
      self.init(object: object)
    } else {
      self.init(plain: argument)
    }
  }

  /// Converts the most common types by comparing the type itself: a failed cast costs thousands of instructions, and a
  /// successful one hundreds.
  private static func common(_ argument: Any) -> PredicateValue? { opened(argument) }

  /// Returns an argument that is an object. To cast a value to `AnyObject` would box it, and a list with all its members;
  /// to cast an object takes thousands of instructions.
  static func object(_ argument: Any) -> AnyObject? {
    if let object = openedObject(argument) { return object }
    // An object in an Any in an Any, as a generic sequence hands out.
    return type(of: argument) is AnyObject.Type ? argument as AnyObject : nil
  }

  private static func openedObject<T>(_ argument: T) -> AnyObject? {
    // A reference to a class of Swift's is an AnyObject as it stands.
    T.self is AnyClass ? unsafeBitCast(argument, to: AnyObject.self) : nil
  }

  private static func opened<T>(_ argument: T) -> PredicateValue? {
    // The types are identical, so the bit casts are safe.
    if T.self == String.self { return .string(unsafeBitCast(argument, to: String.self)) }
    if T.self == Int.self { return .integer(Int64(unsafeBitCast(argument, to: Int.self))) }
    if T.self == Double.self { return .real(unsafeBitCast(argument, to: Double.self)) }
    if T.self == Date.self { return .date(unsafeBitCast(argument, to: Date.self)) }
    if T.self == Bool.self { return .bool(unsafeBitCast(argument, to: Bool.self)) }
    if T.self == Int64.self { return .integer(unsafeBitCast(argument, to: Int64.self)) }
    if T.self == Int32.self { return .integer(Int64(unsafeBitCast(argument, to: Int32.self))) }
    if T.self == Int16.self { return .integer(Int64(unsafeBitCast(argument, to: Int16.self))) }
    return nil
  }

  /// Converts a list of one plain type without inspecting each member.
  private static func plainList(_ argument: Any) -> [PredicateValue]? {
    let type = type(of: argument)
    if type == [String].self { return (argument as? [String])?.map(PredicateValue.string) }
    if type == [Int].self { return (argument as? [Int])?.map { .integer(Int64($0)) } }
    if type == [Int64].self { return (argument as? [Int64])?.map(PredicateValue.integer) }
    return nil
  }

  private static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let type = type(of: value)
    // A type's first cast to a protocol searches all conformances of the program: 0.1 ms.
    if type == String.self || type == Date.self || type == Double.self || type == Int.self { return value }
    if type == AnyHashable.self, let hashable = value as? AnyHashable { return unwrapped(hashable.base) }
    guard let optional = value as? any OptionalArgument else { return value }
    return optional.argument.flatMap(unwrapped)
  }

  private init?(object: AnyObject) {
    switch object {
    case is NSNull: self = .null
    case let number as NSDecimalNumber: self = .decimal(number.decimalValue)
    case let number as NSNumber: self.init(number: number)
    case let string as NSString: self = .string(string as String)
    case let date as NSDate: self = .date(date as Date)
    case let data as NSData: self = .data(data as Data)
    case let uuid as NSUUID: self = .uuid(uuid as UUID)
    case let url as NSURL: self = .url(url as URL)
    case let array as NSArray: self.init(members: array)
    case let set as NSSet: self.init(unordered: set)
    case let set as NSOrderedSet: self.init(members: set)
    case let object as NSObject: self = .constant(ofExpression: object) ?? .reference(PredicateReference(object))
    default: return nil
    }
  }

  private init(number: NSNumber) {
    if type(of: number) == type(of: NSNumber(value: true)) {
      self = .bool(number.boolValue)
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .real(number.doubleValue)
    case UInt8(ascii: "Q"): self.init(integer: number.uint64Value)
    default: self = .integer(number.int64Value)
    }
  }

  private init?(plain: Any) {
    switch plain {
    case let string as String: self = .string(string)
    case let flag as Bool: self = .bool(flag)
    case let integer as Int: self = .integer(Int64(integer))
    case let real as Double: self = .real(real)
    case let date as Date: self = .date(date)
    case let decimal as Decimal: self = .decimal(decimal)
    case let uuid as UUID: self = .uuid(uuid)
    case let url as URL: self = .url(url)
    case let data as Data: self = .data(data)
    case let integer as any BinaryInteger: self.init(integer: integer)
    case let real as any BinaryFloatingPoint: self.init(real: real)
    case let string as any StringProtocol: self = .string(String(string))
    case let character as Character: self = .string(String(character))
    case let set as Set<AnyHashable>: self.init(unordered: set)
    case let list as any Sequence where Mirror(reflecting: plain).displayStyle == .collection: self.init(members: list)
    default: return nil
    }
  }

  private init(integer: some BinaryInteger) {
    self =
      if let small = Int64(exactly: integer) { .integer(small) } else {
        Decimal(string: String(integer)).map(PredicateValue.decimal) ?? .real(Double(integer))
      }
  }

  private init(real: some BinaryFloatingPoint) { self = .real(Double(real)) }

  private init?(members: some Sequence) {
    var values: [PredicateValue] = []
    for member in members {
      guard let value = PredicateValue(argument: member) else { return nil }
      values.append(value)
    }
    self = .list(values)
  }

  /// The members of a set sorted by value, so that equal sets make equal trees.
  private init?(unordered members: some Sequence) {
    self.init(members: members)
    guard case .list(let values) = self else { return }
    self = .list(values.sorted { Self.order($0, $1) == .orderedAscending })
  }
}

/// Any `Optional`, to unwrap one inside of an `Any`.
private protocol OptionalArgument { var argument: Any? { get } }

extension Optional: OptionalArgument {
  fileprivate var argument: Any? { self }
}
