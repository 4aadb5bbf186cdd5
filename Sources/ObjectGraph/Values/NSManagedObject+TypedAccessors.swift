import Foundation
import StrataManagedModel
import StrataRuntime

/// The accessors behind `@NSManaged` declarations whose type is not one of the model's scalars: the compiler picks the
/// best match. A value of another type than declared stops the program.
extension NSManagedObject {
  // MARK: Attributes stored as objects

  @inlinable
  public final func _value<T>(_ key: borrowing _ManagedKey, as type: T.Type) -> T {
    guard let value = _boxed(key) else { return _absent(key) }
    guard let typed = value as? T ?? Self._decimal(of: value) else { _stop(key, value, T.self) }
    return typed
  }

  @inlinable
  public final func _valueIfAny<T>(_ key: borrowing _ManagedKey, as type: T.Type) -> T? {
    guard let value = _boxed(key) else { return nil }
    guard let typed = value as? T ?? Self._decimal(of: value) else { _stop(key, value, T.self) }
    return typed
  }

  @inlinable
  public final func _setValue<T>(_ value: T?, _ key: borrowing _ManagedKey) { _setBoxed(value, key) }

  /// Returns a date that is never nil.
  public final func _requiredDate(_ key: borrowing _ManagedKey) -> Date { _date(key) ?? _absent(key) }

  // MARK: Enumerations and option sets stored as numbers or strings

  @inlinable
  public final func _value<T: RawRepresentable>(_ key: borrowing _ManagedKey, as type: T.Type) -> T
  where T.RawValue: FixedWidthInteger {
    let raw = _integer(key) ?? 0
    return T(rawValue: T.RawValue(truncatingIfNeeded: raw)) ?? _anyCase(key, raw)
  }

  @inlinable
  public final func _valueIfAny<T: RawRepresentable>(_ key: borrowing _ManagedKey, as type: T.Type) -> T?
  where T.RawValue: FixedWidthInteger {
    _integer(key).flatMap { T(rawValue: T.RawValue(truncatingIfNeeded: $0)) }
  }

  @inlinable
  public final func _setValue<T: RawRepresentable>(_ value: T?, _ key: borrowing _ManagedKey)
  where T.RawValue: FixedWidthInteger {
    _setInteger(value.map { Int64(truncatingIfNeeded: $0.rawValue) }, key)
  }

  @inlinable
  public final func _value<T: RawRepresentable>(_ key: borrowing _ManagedKey, as type: T.Type) -> T
  where T.RawValue == String {
    let raw = _string(key) ?? ""
    return T(rawValue: raw) ?? _anyCase(key, raw)
  }

  @inlinable
  public final func _valueIfAny<T: RawRepresentable>(_ key: borrowing _ManagedKey, as type: T.Type) -> T?
  where T.RawValue == String {
    _string(key).flatMap { T(rawValue: $0) }
  }

  @inlinable
  public final func _setValue<T: RawRepresentable>(_ value: T?, _ key: borrowing _ManagedKey)
  where T.RawValue == String {
    _setString(value?.rawValue, key)
  }

  // MARK: Relationships

  @inlinable
  public final func _value<T: NSManagedObject>(_ key: borrowing _ManagedKey, as type: T.Type) -> T {
    guard let object = _object(key) else { return _absent(key) }
    guard let typed = object as? T else { _stop(key, object, T.self) }
    return typed
  }

  @inlinable
  public final func _valueIfAny<T: NSManagedObject>(_ key: borrowing _ManagedKey, as type: T.Type) -> T? {
    guard let object = _object(key) else { return nil }
    guard let typed = object as? T else { _stop(key, object, T.self) }
    return typed
  }

  @inlinable
  public final func _setValue<T: NSManagedObject>(_ value: T?, _ key: borrowing _ManagedKey) { _setObject(value, key) }

  @inlinable
  public final func _value<T: NSManagedObject>(_ key: borrowing _ManagedKey, as type: Set<T>.Type) -> Set<T> {
    var members = Set<T>()
    let shared = _forEachObject(key) { object, count in
      if members.isEmpty { members = _emptySet(count) }
      // Most objects are of this very class, which avoids searching superclasses.
      if Swift.type(of: object) == T.self {
        members.insert(unsafeDowncast(object, to: T.self))
      } else {
        guard let typed = object as? T else { _stop(key, object, T.self) }
        members.insert(typed)
      }
    } sharing: {
      _SharedSetOf(members)
    }
    if let shared, let same = shared as? _SharedSetOf<T> { return same.members }
    return members
  }

  /// Returns a set with room for a number of members.
  ///
  /// Must not be specialized for a class: Swift would search every conformance in the program for the class's
  /// `Hashable`, which takes half a millisecond. Here it is known.
  public final func _emptySet<T: NSManagedObject>(_ capacity: Int) -> Set<T> { Set(minimumCapacity: capacity) }

  @inlinable
  public final func _valueIfAny<T: NSManagedObject>(_ key: borrowing _ManagedKey, as type: Set<T>.Type) -> Set<T>? {
    _value(key, as: type)
  }

  @inlinable
  public final func _setValue<T: NSManagedObject>(_ value: Set<T>?, _ key: borrowing _ManagedKey) {
    _setObjects(value.map { Array($0) } ?? [], key)
  }

  // MARK: Fetched properties

  @inlinable
  public final func _value<T: NSManagedObject>(_ key: borrowing _ManagedKey, as type: [T].Type) -> [T] {
    let value = value(forKey: key.name)
    guard let value else { return [] }
    guard let objects = value as? [T] else { _stop(key, value, [T].self) }
    return objects
  }

  @inlinable
  public final func _valueIfAny<T: NSManagedObject>(_ key: borrowing _ManagedKey, as type: [T].Type) -> [T]? {
    _value(key, as: type)
  }

  @inlinable
  public final func _setValue<T: NSManagedObject>(_ value: [T]?, _ key: borrowing _ManagedKey) {
    setValue(value, forKey: key.name)
  }

  // MARK: Primitive values

  /// Whether the entity has a property with the name of a primitive accessor, such as `primitiveKind`: then the accessor
  /// is the property's own.
  public final func _isModeled(_ key: borrowing _ManagedKey) -> Bool { key.isProperty(in: heldLayout) }

  @inlinable
  public final func _primitive<T>(_ key: borrowing _ManagedKey) -> T { _primitiveIfAny(key) ?? _absent(key) }

  @inlinable
  public final func _primitiveIfAny<T>(_ key: borrowing _ManagedKey) -> T? {
    guard let value = primitiveValue(forKey: key.name) else { return nil }
    guard let typed = value as? T else { _stop(key, value, T.self) }
    return typed
  }

  @inlinable
  public final func _setPrimitive<T>(_ value: T?, _ key: borrowing _ManagedKey) {
    setPrimitiveValue(value, forKey: key.name)
  }

  // MARK: Missing values

  /// Returns the value of a nil property whose type is not optional: empty if the type can be, as in Apple's framework.
  public final func _absent<T>(_ key: borrowing _ManagedKey) -> T {
    if let empty = (T.self as? any EmptyWhereNil.Type)?.init() as? T { return empty }
    if isUnread, let value: T = valueWhereUnread(key.name) { return value }
    fatalError(
      "Property '\(key.name)' of entity '\(layout.name)' is nil, but its type \(T.self) has no nil: declare it as optional, set it in awakeFromInsert(), or give it a default value in the model. A batch insert does not call awakeFromInsert(): its rows need the value."
    )
  }

  /// Stops the program for a raw value without a case; a key path recorder accepts any case.
  public final func _anyCase<T: RawRepresentable>(_ key: borrowing _ManagedKey, _ raw: T.RawValue) -> T
  where T.RawValue == String {
    if context?.registry.recorder != nil || isUnread {
      if let first = (T.self as? any CaseIterable.Type)?.first as? T { return first }
      if let first = PlainCases.first(of: T.self) { return first }
    }
    _stop(key, raw, T.self)
  }

  public final func _anyCase<T: RawRepresentable>(_ key: borrowing _ManagedKey, _ raw: Int64) -> T
  where T.RawValue: FixedWidthInteger {
    let numbers = (0..<1000).lazy.map { T.RawValue(truncatingIfNeeded: $0) }
    if context?.registry.recorder != nil || isUnread, let first = numbers.compactMap(T.init(rawValue:)).first {
      return first
    }
    _stop(key, raw, T.self)
  }

  /// Converts another number for a property declared as decimal. On Apple's systems any number object passes.
  public static func _decimal<T>(of value: Any) -> T? {
    guard T.self == NSDecimalNumber.self, let number = value as? NSNumber else { return nil }
    return NSDecimalNumber(decimal: number.decimalValue) as? T
  }

  /// Stops the program for a value that is not of the declared type.
  public final func _stop<T>(_ key: borrowing _ManagedKey, _ value: Any, _ type: T.Type) -> Never {
    fatalError(
      "Unacceptable type of value for property '\(key.name)' of entity '\(layout.name)'; declared type = \(type); given type = \(Swift.type(of: value)); value = \(value)."
    )
  }
}

/// The types that Swift bridges a nil object to.
private protocol EmptyWhereNil { init() }
extension Array: EmptyWhereNil {}
extension Set: EmptyWhereNil {}
extension Dictionary: EmptyWhereNil {}
extension Data: EmptyWhereNil {}

extension CaseIterable {
  fileprivate static var first: Self? { allCases.first }
}
