/// How accessors read and write a type's values: with `NSManagedObject`'s unboxed functions for the model's own types,
/// and with overloads that the compiler chooses for all others.
enum ValueAccess {
  case integer(String, isOptional: Bool)
  case boolean(isOptional: Bool)
  case real(String, isOptional: Bool)
  case text(isOptional: Bool)
  case date(isOptional: Bool)
  case set, orderedSet, mutableSet, mutableOrderedSet
  case any(String, isOptional: Bool)
  case primitive(isOptional: Bool, zero: String?)

  /// - Parameter spelling: spells a type.
  init(_ type: SwiftType, isPrimitive: Bool, spelling: (SwiftType) -> String) {
    var (inner, isOptional) = (type, false)
    if case .optional(let wrapped) = type { (inner, isOptional) = (wrapped, true) }
    let name = inner.systemName
    if isPrimitive {
      self = .primitive(isOptional: isOptional, zero: isOptional ? nil : Self.zero(of: name))
      return
    }
    switch name {
    case "Bool": self = .boolean(isOptional: isOptional)
    case "String": self = .text(isOptional: isOptional)
    case "Date": self = .date(isOptional: isOptional)
    case "NSSet": self = .set
    case "NSOrderedSet": self = .orderedSet
    case "NSMutableSet": self = .mutableSet
    case "NSMutableOrderedSet": self = .mutableOrderedSet
    case let name? where Self.integers.contains(name): self = .integer(name, isOptional: isOptional)
    case let name? where Self.reals.contains(name): self = .real(name, isOptional: isOptional)
    default: self = .any(spelling(inner), isOptional: isOptional)
    }
  }

  private static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]
  private static let reals: Set<String> = ["Double", "Float", "CGFloat"]

  private static func zero(of name: String?) -> String? {
    guard let name else { return nil }
    if name == "Bool" { return "false" }
    if name == "String" { return "\"\"" }
    return integers.contains(name) || reals.contains(name) ? "0" : nil
  }

  /// The expression that reads the value; `key` is an expression too.
  func getter(_ key: String) -> String {
    switch self {
    case .integer("Int64", isOptional: true): "_integer(\(key))"
    case .integer("Int64", isOptional: false): "_integer(\(key)) ?? 0"
    case .integer(let name, isOptional: true): "_integer(\(key)).map { \(name)(truncatingIfNeeded: $0) }"
    case .integer(let name, isOptional: false): "\(name)(truncatingIfNeeded: _integer(\(key)) ?? 0)"
    case .boolean(isOptional: true): "_integer(\(key)).map { $0 != 0 }"
    case .boolean(isOptional: false): "(_integer(\(key)) ?? 0) != 0"
    case .real("Double", isOptional: true): "_double(\(key))"
    case .real("Double", isOptional: false): "_double(\(key)) ?? 0"
    case .real(let name, isOptional: true): "_double(\(key)).map { \(name)($0) }"
    case .real(let name, isOptional: false): "\(name)(_double(\(key)) ?? 0)"
    case .text(let isOptional): isOptional ? "_string(\(key))" : "_string(\(key)) ?? \"\""
    case .date(let isOptional): isOptional ? "_date(\(key))" : "_requiredDate(\(key))"
    case .set: "_set(\(key))"
    case .orderedSet: "_orderedSet(\(key))"
    case .mutableSet: "_mutableSet(\(key))"
    case .mutableOrderedSet: "_mutableOrderedSet(\(key))"
    case .any(let type, let isOptional): "_value\(isOptional ? "IfAny" : "")(\(key), as: (\(type)).self)"
    case .primitive(let isOptional, let zero):
      isOptional ? "_primitiveIfAny(\(key))" : zero.map { "_primitiveIfAny(\(key)) ?? \($0)" } ?? "_primitive(\(key))"
    }
  }

  /// The statement that sets `value`.
  func setter(_ key: String) -> String {
    switch self {
    case .integer("Int64", isOptional: _): "_setInteger(value, \(key))"
    case .integer(_, isOptional: true): "_setInteger(value.map { Int64(truncatingIfNeeded: $0) }, \(key))"
    case .integer(_, isOptional: false): "_setInteger(Int64(truncatingIfNeeded: value), \(key))"
    case .boolean(isOptional: true): "_setInteger(value.map { $0 ? 1 : 0 }, \(key))"
    case .boolean(isOptional: false): "_setInteger(value ? 1 : 0, \(key))"
    case .real("Double", isOptional: _): "_setDouble(value, \(key))"
    case .real(_, isOptional: true): "_setDouble(value.map { Double($0) }, \(key))"
    case .real(_, isOptional: false): "_setDouble(Double(value), \(key))"
    case .text: "_setString(value, \(key))"
    case .date: "_setDate(value, \(key))"
    case .set, .orderedSet, .mutableSet, .mutableOrderedSet: "_setMembers(value, \(key))"
    case .any: "_setValue(value, \(key))"
    case .primitive: "_setPrimitive(value, \(key))"
    }
  }
}

extension SwiftType {
  /// The name of a type of Swift or Foundation; nil for others.
  var systemName: String? {
    guard case .nominal(let nominal, let arguments) = self, arguments.isEmpty, case .module(let home) = nominal.context,
      ["Swift", "Foundation", "FoundationEssentials"].contains(home)
    else { return nil }
    return nominal.name
  }
}
