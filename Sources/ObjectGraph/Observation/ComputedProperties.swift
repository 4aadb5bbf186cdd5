import Foundation
import Synchronization

/// A computed property of a managed object class, by name.
///
/// Only for code that the model plugin generates.
public struct _ComputedProperty {
  let name: String
  let keyPath: AnyKeyPath
  /// Sets the value; false for one of another type. nil of a property that only reads.
  let set: ((NSManagedObject, Any?) -> Bool)?

  public init<Root: NSManagedObject, Value>(_ name: StaticString, _ keyPath: KeyPath<Root, Value>) {
    (self.name, self.keyPath, set) = ("\(name)", keyPath, nil)
  }

  public init<Root: NSManagedObject, Value>(_ name: StaticString, _ keyPath: ReferenceWritableKeyPath<Root, Value>) {
    (self.name, self.keyPath) = ("\(name)", keyPath)
    set = { object, value in
      // A number of another type goes by way of NSNumber, as in key-value coding.
      guard let root = object as? Root, let value = value as? Value ?? (value as? NSNumber) as? Value else {
        return false
      }
      root[keyPath: keyPath] = value
      return true
    }
  }
}

/// The properties that the program's classes compute, as generated code tells of them: keys of key-value coding that are in
/// no model.
enum ComputedProperties {
  typealias List = @Sendable () -> [_ComputedProperty]

  private struct Known: @unchecked Sendable {
    // Sendable: key paths never change, and what sets values is used on their objects' queues.
    var lists: [List] = []
    var byClass: [ObjectIdentifier: Properties] = [:]

    /// Takes what was registered since somebody last asked.
    mutating func read() {
      for property in lists.flatMap({ $0() }) {
        guard let type = Swift.type(of: property.keyPath).rootType as? AnyClass else { continue }
        byClass[ObjectIdentifier(type), default: Properties()].byName[property.name] = property
      }
      lists = []
    }
  }
  private static let known = Mutex(Known())

  static func register(_ list: @escaping List) { known.withLock { $0.lists.append(list) } }

  /// The property of a class with a name; its own goes before that of a superclass.
  static func property(_ name: String, of type: AnyClass) -> _ComputedProperty? {
    for properties in properties(from: type) {
      if let found = properties.byName[name] { return found }
    }
    return nil
  }

  /// The name of the property that a key path is.
  static func name(of keyPath: AnyKeyPath, from type: AnyClass) -> String? {
    for properties in properties(from: type) {
      if let found = properties.byName.first(where: { $0.value.keyPath == keyPath }) { return found.key }
    }
    return nil
  }

  private struct Properties: @unchecked Sendable {
    // Sendable: as `Known`.
    var byName: [String: _ComputedProperty] = [:]
  }

  /// What a class and its superclasses compute, its own first.
  private static func properties(from type: AnyClass) -> [Properties] {
    let byClass = known.withLock { known in
      if !known.lists.isEmpty { known.read() }
      return known.byClass
    }
    if byClass.isEmpty { return [] }
    return sequence(first: type) { $0 == NSManagedObject.self ? nil : _getSuperclass($0) }
      .compactMap { byClass[ObjectIdentifier($0)] }
  }
}

extension NSManagedObject {
  /// Registers the computed properties of a module's classes.
  ///
  /// Only for code that the model plugin generates. It runs when the program is loaded, so the list is made only when a
  /// key that no model has is first requested.
  /// - Parameter list: isolated to the main actor, as classes may be; it only names properties.
  public static func _registerComputedProperties(_ list: @escaping @MainActor @Sendable () -> [_ComputedProperty]) {
    // A key path is made without anything of the actor's being read, so any thread may do it.
    ComputedProperties.register(unsafeBitCast(list, to: ComputedProperties.List.self))
  }

  /// The value of a property that the class computes; nil if there is no such one.
  func computedValue(forKey key: String) -> Any?? {
    guard let property = ComputedProperties.property(key, of: type(of: self)) else { return nil }
    return .some(self[keyPath: property.keyPath].flatMap(Self.unwrapped))
  }

  /// Sets a property that the class computes; false if it has none that can be set.
  func setComputedValue(_ value: Any?, forKey key: String) -> Bool {
    guard let set = ComputedProperties.property(key, of: type(of: self))?.set else { return false }
    guard set(self, value) else {
      fatalError("Unacceptable type of value for the property \"\(key)\" of \(type(of: self)): \(value as Any).")
    }
    return true
  }

  /// A value that is no optional, and a number as an `NSNumber`, as key-value coding has them.
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

private protocol MaybeNil { var content: Any? { get } }
extension Optional: MaybeNil { fileprivate var content: Any? { map { $0 } } }
