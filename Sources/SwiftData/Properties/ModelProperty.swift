import CoreData
import Foundation

/// A persisted property of a model: how its values are read and written.
class ModelProperty: @unchecked Sendable {
  // Sendable: nothing changes after the initializer, and key paths and default values are not mutated.

  let metadata: Schema.PropertyMetadata
  /// The type of the values, without an optional around it.
  let valueType: any Any.Type
  let isOptional: Bool

  var name: String { metadata.name }
  var keyPath: AnyKeyPath { metadata.keypath }

  init(_ metadata: Schema.PropertyMetadata, _ valueType: any Any.Type, isOptional: Bool) {
    (self.metadata, self.valueType, self.isOptional) = (metadata, valueType, isOptional)
  }

  /// Writes the value of an object that had no managed object yet.
  func write(_ value: Any, of object: ModelObject) { preconditionFailure("\(Self.self) does not write values") }
}

/// An attribute whose values have a type that is known where they are used.
class ModelAttribute<Value>: ModelProperty, @unchecked Sendable {
  // Sendable: as its superclass.

  func value(of object: ModelObject) -> Value { preconditionFailure("\(Self.self) does not read values") }

  func setValue(_ value: Value, of object: ModelObject) {
    preconditionFailure("\(Self.self) does not write values")
  }

  override func write(_ value: Any, of object: ModelObject) {
    // Not `as?` first, which takes an optional apart.
    guard let value = identical(value, to: Value.self) ?? value as? Value else {
      preconditionFailure("'\(name)' is a \(Value.self), not \(value)")
    }
    setValue(value, of: object)
  }

  /// Stops the program: a required attribute has no value, which only a deleted object has.
  func stop(_ object: ModelObject) -> Never {
    fatalError(
      "The required attribute '\(name)' of \(object.entity.name ?? "a model") has no value: "
        + (object.managedObjectContext == nil || object.isDeleted ? "the model was deleted." : "the store has NULL."))
  }
}

/// An attribute that can be stored, whatever the type of its property.
protocol StoredAttribute: ModelProperty {
  var attributeType: NSAttributeType { get }

  /// The initial value as the managed object's model has it; nil without an initial value.
  var defaultValue: Any? { get }
}

/// A required attribute.
final class RequiredAttribute<Value: StoredValue>: ModelAttribute<Value>, StoredAttribute, @unchecked Sendable {
  // Sendable: as its superclass.

  private let key: _ManagedKey
  var attributeType: NSAttributeType { Value.attributeType }
  var defaultValue: Any? { metadata.defaultValue }

  init(_ metadata: Schema.PropertyMetadata) {
    key = _ManagedKey(metadata.name)
    super.init(metadata, Value.self, isOptional: false)
  }

  override func value(of object: ModelObject) -> Value {
    guard let value = Value.read(key, of: object) else { stop(object) }
    return value
  }

  override func setValue(_ value: Value, of object: ModelObject) { Value.write(value, key, of: object) }
}

/// An attribute that may have no value.
final class OptionalAttribute<Value: StoredValue>: ModelAttribute<Value?>, StoredAttribute, @unchecked Sendable {
  // Sendable: as its superclass.

  private let key: _ManagedKey
  var attributeType: NSAttributeType { Value.attributeType }
  var defaultValue: Any? { metadata.defaultValue }

  init(_ metadata: Schema.PropertyMetadata) {
    key = _ManagedKey(metadata.name)
    super.init(metadata, Value.self, isOptional: true)
  }

  override func value(of object: ModelObject) -> Value? { Value.read(key, of: object) }

  override func setValue(_ value: Value?, of object: ModelObject) { Value.write(value, key, of: object) }
}

/// A required attribute of an enumeration or another type with a raw value.
final class RawAttribute<Value: RawRepresentable, Raw: StoredValue>: ModelAttribute<Value>, StoredAttribute,
  @unchecked Sendable
{
  // Sendable: as its superclass.

  private let key: _ManagedKey
  var attributeType: NSAttributeType { Raw.attributeType }
  var defaultValue: Any? { (metadata.defaultValue as? Value)?.rawValue }

  init(_ metadata: Schema.PropertyMetadata) {
    key = _ManagedKey(metadata.name)
    super.init(metadata, Value.self, isOptional: false)
  }

  override func value(of object: ModelObject) -> Value {
    guard let raw = Raw.read(key, of: object) else { stop(object) }
    guard let value = (raw as? Value.RawValue).flatMap(Value.init(rawValue:)) else {
      fatalError("The attribute '\(name)' of \(object.entity.name ?? "a model") is \(raw), which no \(Value.self) has.")
    }
    return value
  }

  override func setValue(_ value: Value, of object: ModelObject) { Raw.write(value.rawValue as? Raw, key, of: object) }
}

/// An attribute of an enumeration or another type with a raw value, which may have no value.
final class OptionalRawAttribute<Value: RawRepresentable, Raw: StoredValue>: ModelAttribute<Value?>, StoredAttribute,
  @unchecked Sendable
{
  // Sendable: as its superclass.

  private let key: _ManagedKey
  var attributeType: NSAttributeType { Raw.attributeType }
  var defaultValue: Any? { (metadata.defaultValue as? Value)?.rawValue }

  init(_ metadata: Schema.PropertyMetadata) {
    key = _ManagedKey(metadata.name)
    super.init(metadata, Value.self, isOptional: true)
  }

  override func value(of object: ModelObject) -> Value? {
    (Raw.read(key, of: object) as? Value.RawValue).flatMap(Value.init(rawValue:))
  }

  override func setValue(_ value: Value?, of object: ModelObject) {
    Raw.write(value?.rawValue as? Raw, key, of: object)
  }
}
