import CoreData
import Foundation
import StrataSupport

/// An attribute of a type that has no column of its own, such as `[String]`: the store has a binary property list of it.
final class CodedAttribute<Value: Codable>: ModelAttribute<Value>, StoredAttribute, @unchecked Sendable {
  // Sendable: as its superclass.

  private let key: _ManagedKey
  var attributeType: NSAttributeType { .binaryDataAttributeType }
  var defaultValue: Any? { (metadata.defaultValue as? Value).flatMap { data(of: $0) } }

  init(_ metadata: Schema.PropertyMetadata, isOptional: Bool) {
    key = _ManagedKey(metadata.name)
    super.init(metadata, Value.self, isOptional: isOptional)
  }

  override func value(of object: ModelObject) -> Value {
    guard let data = object._valueIfAny(key, as: Data.self) else {
      guard let none = noValue else { stop(object) }
      return none
    }
    do { return try Self.decode(data) } catch {
      guard let value = noValue ?? metadata.defaultValue as? Value else {
        fatalError("The attribute '\(name)' of \(object.entity.name ?? "a model") cannot be decoded: \(error)")
      }
      Diagnostics.warn(
        "the attribute '\(name)' of \(object.objectID.uriRepresentation()) cannot be decoded, and reads as \(value): \(error)"
      )
      return value
    }
  }

  override func setValue(_ value: Value, of object: ModelObject) { object._setValue(data(of: value), key) }

  /// nil as a value; nil for a required attribute.
  private var noValue: Value? { isOptional ? Any?.none as? Value : nil }

  // MARK: Coding

  private func data(of value: Value) -> Data? {
    if let optional = value as? any OptionalValue, optional.wrapped == nil { return nil }
    do { return try Self.encode(value) } catch {
      fatalError("'\(name)' cannot have the value \(value), which is not encodable as a property list: \(error)")
    }
  }

  /// The outermost value of a property list has to be a list or a dictionary. Whether a value has to be put into a list must not
  /// depend on the value: others encode themselves in different ways.
  private static var isCollection: Bool {
    let type = (Value.self as? any OptionalValue.Type)?.wrappedType ?? Value.self
    return type is any CodedCollection.Type
  }

  private static func encode(_ value: Value) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try isCollection ? encoder.encode(value) : encoder.encode([value])
  }

  private static func decode(_ data: Data) throws -> Value {
    let decoder = PropertyListDecoder()
    if isCollection { return try decoder.decode(Value.self, from: data) }
    guard let value = try decoder.decode([Value].self, from: data).first else {
      throw DecodingError.valueNotFound(Value.self, .init(codingPath: [], debugDescription: "The list is empty."))
    }
    return value
  }
}

/// A type that encodes itself as a list or a dictionary, whatever its value.
private protocol CodedCollection {}

extension Array: CodedCollection {}
extension Set: CodedCollection {}
extension Dictionary: CodedCollection {}

/// An attribute with a value transformer.
final class TransformableAttribute<Value>: ModelAttribute<Value>, StoredAttribute, @unchecked Sendable {
  // Sendable: as its superclass.

  var attributeType: NSAttributeType { .transformableAttributeType }
  var defaultValue: Any? { metadata.defaultValue }

  init(_ metadata: Schema.PropertyMetadata, isOptional: Bool) {
    super.init(metadata, Value.self, isOptional: isOptional)
  }

  override func value(of object: ModelObject) -> Value {
    let found = object.value(forKey: name)
    if let found {
      guard let value = found as? Value else {
        fatalError(
          "The attribute '\(name)' of \(object.entity.name ?? "a model") is a \(type(of: found)), not a \(Value.self)")
      }
      return value
    }
    guard isOptional, let none = Any?.none as? Value else { stop(object) }
    return none
  }

  override func setValue(_ value: Value, of object: ModelObject) {
    // An optional is taken apart.
    let plain: Any? = if case let wrapped as any OptionalValue = value as Any { wrapped.wrapped } else { value }
    object.setValue(plain, forKey: name)
  }
}
