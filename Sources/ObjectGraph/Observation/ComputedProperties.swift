import Foundation
import StrataRuntime
import Synchronization

/// A computed property of a managed object class, by name.
///
/// Only for code that the model plugin generates.
public struct _ComputedProperty {
  let name: String
  let keyPath: AnyKeyPath
  /// Sets the value; returns false for a value of another type. nil for a read-only property.
  let set: ((NSManagedObject, Any?) -> Bool)?
  /// Whether key-value coding may call it for a property of the model.
  private let mayBeAccessor: Bool

  /// - Parameter isAccessor: whether key-value coding may call it for a property of the model with its name.
  public init<Root: NSManagedObject, Value>(
    _ name: StaticString, _ keyPath: KeyPath<Root, Value>, isAccessor: Bool = true
  ) {
    (self.name, self.keyPath, set, mayBeAccessor) = ("\(name)", keyPath, nil, isAccessor)
  }

  /// - Parameter isAccessor: whether key-value coding may call it for a property of the model with its name.
  public init<Root: NSManagedObject, Value>(
    _ name: StaticString, _ keyPath: ReferenceWritableKeyPath<Root, Value>, isAccessor: Bool = true
  ) {
    (self.name, self.keyPath, mayBeAccessor) = ("\(name)", keyPath, isAccessor)
    set = { object, value in
      // A number of another type is converted through NSNumber, as in key-value coding.
      guard let root = object as? Root, let value = value as? Value ?? (value as? NSNumber) as? Value else {
        return false
      }
      root[keyPath: keyPath] = value
      return true
    }
  }
}

/// The computed properties of the program's classes, as registered by generated code: keys of key-value coding that are
/// not in a model.
enum ComputedProperties {
  typealias List = @Sendable () -> [_ComputedProperty]

  private struct Known: @unchecked Sendable {
    // Sendable: key paths are immutable, and setters are called on their objects' queues.
    var lists: [List] = []
    var byClass: [ObjectIdentifier: Properties] = [:]
    /// The properties of each class looked up so far, including inherited ones.
    private var allByClass: [ObjectIdentifier: Properties] = [:]

    /// Returns the properties of a class and its superclasses; the class's own take precedence.
    mutating func allProperties(of type: AnyClass) -> Properties {
      if !lists.isEmpty { read() }
      if let found = allByClass[ObjectIdentifier(type)] { return found }
      var all = Properties()
      for properties in propertiesByLevel(of: type) { all.byName.merge(properties.byName) { own, _ in own } }
      allByClass[ObjectIdentifier(type)] = all
      return all
    }

    /// Returns one element for the class and each of its superclasses that has properties, the class's own first.
    mutating func propertiesByLevel(of type: AnyClass) -> [Properties] {
      if !lists.isEmpty { read() }
      if byClass.isEmpty { return [] }
      return TypeNames.line(of: type).prefix { $0 != NSManagedObject.self }.compactMap { byClass[ObjectIdentifier($0)] }
    }

    /// Reads the lists registered since the last call.
    private mutating func read() {
      for property in lists.flatMap({ $0() }) {
        guard let type = Swift.type(of: property.keyPath).rootType as? AnyClass else { continue }
        byClass[ObjectIdentifier(type), default: Properties()].byName[property.name] = property
      }
      lists = []
      allByClass = [:]
    }
  }
  private static let known = Mutex(Known())

  /// How many lists were registered; caches of what follows from them carry it.
  static let registrations = Atomic(1)

  static func register(_ list: @escaping List) {
    known.withLock { $0.lists.append(list) }
    registrations.add(1, ordering: .releasing)
  }

  /// Reads the records of all modules, and returns the number of lists.
  static func registeredCount() -> Int {
    ProgramRecords.register()
    return registrations.load(ordering: .acquiring)
  }

  /// Returns the names of the accessors of a class and its superclasses. Reads no newly loaded modules, as `property`.
  static func names(of type: AnyClass) -> [String] {
    known.withLock { $0.allProperties(of: type) }.byName.values.filter(\.isAccessor).map(\.name)
  }

  /// Returns a class's property with a name; its own takes precedence over a superclass's.
  ///
  /// Reads no newly loaded modules: the caller does, with `registeredCount()` or `ProgramRecords.register()`.
  static func property(_ name: String, of type: AnyClass) -> _ComputedProperty? {
    known.withLock { $0.allProperties(of: type).byName[name] }
  }

  /// Returns the name of the property that a key path refers to.
  static func name(of keyPath: AnyKeyPath, from type: AnyClass) -> String? {
    ProgramRecords.register()
    for properties in known.withLock({ $0.propertiesByLevel(of: type) }) {
      if let found = properties.byName.first(where: { $0.value.keyPath == keyPath }) { return found.key }
    }
    return nil
  }

  private struct Properties: @unchecked Sendable {
    // Sendable: as `Known`.
    var byName: [String: _ComputedProperty] = [:]
  }
}

extension NSManagedObject {
  /// Registers the computed properties of a module's classes.
  ///
  /// Only for code that the model plugin generates. The list is made when a key that no model has is first requested.
  /// - Parameter list: isolated to the main actor, as classes may be; it only names properties.
  public static func _registerComputedProperties(_ list: @escaping @MainActor @Sendable () -> [_ComputedProperty]) {
    // Creating a key path reads none of the actor's state, so any thread may do it.
    ComputedProperties.register(IsolatedList.unisolated(list))
  }

  /// Returns the value of a computed property; nil if the class does not have it.
  func computedValue(forKey key: String) -> Any?? {
    ProgramRecords.register()
    return ComputedProperties.property(key, of: type(of: self)).map(value)
  }

  /// Returns the value of a computed property.
  func value(of property: _ComputedProperty) -> Any? { self[keyPath: property.keyPath].flatMap(Self.unwrapped) }

  /// Sets a computed property; returns false if the class does not have it, or it cannot be set.
  func setComputedValue(_ value: Any?, forKey key: String) -> Bool {
    ProgramRecords.register()
    guard let set = ComputedProperties.property(key, of: type(of: self))?.set else { return false }
    guard set(self, value) else {
      fatalError("Unacceptable type of value for the property \"\(key)\" of \(type(of: self)): \(value as Any).")
    }
    return true
  }

  /// Unwraps an optional, and boxes a number as an `NSNumber`, as key-value coding does.
  private static func unwrapped(_ value: Any) -> Any? {
    guard case Optional<Any>.some(let value) = value as Any? else { return nil }
    if let optional = value as? any MaybeNil { return optional.content.flatMap(unwrapped) }
    switch value {
    case let flag as Bool: return NSNumber(value: flag)
    case let number as any BinaryInteger: return NSNumber(value: Int64(truncatingIfNeeded: number))
    case let number as any BinaryFloatingPoint: return NSNumber(value: Double(number))
    default: return value
    }
  }
}

private protocol MaybeNil {
  static var contentType: Any.Type { get }
  var content: Any? { get }
}
extension Optional: MaybeNil {
  fileprivate static var contentType: Any.Type { Wrapped.self }
  fileprivate var content: Any? { map { $0 } }
}

extension _ComputedProperty {
  /// Whether the property is an accessor of a property of the model with its name: its type must have a form in
  /// Objective-C. A Swift enumeration, for example, in front of a string attribute is not an accessor.
  var isAccessor: Bool {
    guard mayBeAccessor else { return false }
    let type = type(of: keyPath).valueType
    if type is any (BinaryInteger & FixedWidthInteger).Type || type is any BinaryFloatingPoint.Type { return true }
    return type == Bool.self || Self.isObject((type as? any MaybeNil.Type)?.contentType ?? type)
  }

  private static func isObject(_ type: Any.Type) -> Bool {
    if type is AnyClass || type == Any.self { return true }
    let bridged: [Any.Type] = [
      String.self, Date.self, Data.self, URL.self, UUID.self, Decimal.self, IndexSet.self, IndexPath.self, Locale.self,
    ]
    return bridged.contains { $0 == type } || type is any BridgedCollection.Type
  }
}

private protocol BridgedCollection {}
extension Array: BridgedCollection {}
extension Set: BridgedCollection {}
extension Dictionary: BridgedCollection {}
