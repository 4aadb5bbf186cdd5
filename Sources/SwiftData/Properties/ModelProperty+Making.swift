import Foundation

extension ModelProperty {
  /// Makes the property for an entry of a model's metadata.
  /// - Throws: `SwiftDataError.unknownSchema` for a type that no property can have.
  static func make(_ metadata: Schema.PropertyMetadata, of model: any PersistentModel.Type) throws -> ModelProperty {
    let type = Swift.type(of: metadata.keypath).valueType
    let (wrapped, isOptional) = ((type as? any OptionalValue.Type)?.wrappedType ?? type, type is any OptionalValue.Type)
    let options = metadata.metadata as? Schema.Attribute
    let property =
      if options?.isTransformable == true {
        transformable(type, metadata, isOptional)
      } else if let wrapped = wrapped as? any PersistentModel.Type {
        toOne(wrapped, metadata, isOptional)
      } else if let wrapped = wrapped as? any RelationshipCollection.Type {
        toMany(wrapped, metadata, isOptional)
      } else if let wrapped = wrapped as? any StoredValue.Type {
        attribute(wrapped, metadata, isOptional)
      } else if let wrapped = wrapped as? any (RawRepresentable & Codable).Type {
        rawAttribute(wrapped, metadata, isOptional)
      } else if let type = type as? any Codable.Type {
        coded(type, metadata, isOptional)
      } else {
        nil as ModelProperty?
      }
    guard let property else {
      throw SwiftDataError.unknownSchema.because(
        "the property '\(metadata.name)' of \(model) has the type \(type), which no attribute can have: "
          + "declare it @Transient, or keep its parts in properties of their own.")
    }
    return property
  }

  private static func toOne<Destination: PersistentModel>(
    _: Destination.Type, _ metadata: Schema.PropertyMetadata, _ isOptional: Bool
  ) -> ModelProperty { ToOneRelationship<Destination>(metadata, isOptional: isOptional) }

  private static func toMany<Models: RelationshipCollection>(
    _: Models.Type, _ metadata: Schema.PropertyMetadata, _ isOptional: Bool
  ) -> ModelProperty { ToManyRelationship<Models.PersistentElement>(metadata, isOptional: isOptional) }

  private static func attribute<Value: StoredValue>(
    _: Value.Type, _ metadata: Schema.PropertyMetadata, _ isOptional: Bool
  ) -> ModelProperty { isOptional ? OptionalAttribute<Value>(metadata) : RequiredAttribute<Value>(metadata) }

  private static func coded<Value: Codable>(
    _: Value.Type, _ metadata: Schema.PropertyMetadata, _ isOptional: Bool
  ) -> ModelProperty { CodedAttribute<Value>(metadata, isOptional: isOptional) }

  private static func transformable(
    _ type: any Any.Type, _ metadata: Schema.PropertyMetadata, _ isOptional: Bool
  ) -> ModelProperty {
    func make<Value>(_: Value.Type) -> ModelProperty { TransformableAttribute<Value>(metadata, isOptional: isOptional) }
    return _openExistential(type, do: make)
  }

  private static func rawAttribute<Value: RawRepresentable>(
    _: Value.Type, _ metadata: Schema.PropertyMetadata, _ isOptional: Bool
  ) -> ModelProperty? {
    func make<Raw: StoredValue>(_: Raw.Type) -> ModelProperty {
      isOptional ? OptionalRawAttribute<Value, Raw>(metadata) : RawAttribute<Value, Raw>(metadata)
    }
    if let raw = Value.RawValue.self as? any StoredValue.Type { return make(raw) }
    return (Swift.type(of: metadata.keypath).valueType as? any Codable.Type).map { coded($0, metadata, isOptional) }
  }
}

/// An optional, of whatever type.
protocol OptionalValue {
  static var wrappedType: any Any.Type { get }
  /// The value; nil for none.
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: any Any.Type { Wrapped.self }
  var wrapped: Any? { self }
}
