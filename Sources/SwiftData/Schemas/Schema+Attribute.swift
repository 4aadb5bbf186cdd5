import CoreData

extension Schema {
  /// An attribute of an entity.
  public class Attribute: SchemaProperty, CustomDebugStringConvertible {
    /// An option of an attribute.
    public struct Option: Codable, Hashable, Sendable, CustomDebugStringConvertible {
      private enum Kind: Codable, Hashable {
        case unique, externalStorage, ephemeral, preserveValueOnDeletion, spotlight, allowsCloudEncryption
        case transformable(by: String)
      }

      private let kind: Kind

      private init(_ kind: Kind) { self.kind = kind }

      /// No two objects have the same value.
      public static var unique: Self { Self(.unique) }

      /// The store may keep large values in files of their own.
      public static var externalStorage: Self { Self(.externalStorage) }

      /// The store does not keep the value; a context tracks its changes.
      public static var ephemeral: Self { Self(.ephemeral) }

      /// The history of a deletion has the value.
      public static var preserveValueOnDeletion: Self { Self(.preserveValueOnDeletion) }

      /// Part of the schema, without an effect on Linux.
      public static var spotlight: Self { Self(.spotlight) }

      /// Part of the schema, without an effect on Linux.
      public static var allowsCloudEncryption: Self { Self(.allowsCloudEncryption) }

      /// The value transformer of the given name turns the value into one that the store can keep.
      public static func transformable(by transformerName: String) -> Self {
        Self(.transformable(by: transformerName))
      }

      /// A value transformer of the given class turns the value into one that the store can keep.
      public static func transformable(by transformerType: ValueTransformer.Type) -> Self {
        Self(.transformable(by: NSStringFromClass(transformerType)))
      }

      /// As `transformable(by:)`, and registers an object of the class: Foundation on Linux finds no class by its name.
      ///
      /// `@Model` puts this in the place of `transformable(by:)`.
      public static func _transformable<Transformer: ValueTransformer>(
        by type: Transformer.Type, _ make: @autoclosure () -> Transformer
      ) -> Self {
        let name = NSValueTransformerName(NSStringFromClass(type))
        if ValueTransformer(forName: name) == nil { ValueTransformer.setValueTransformer(make(), forName: name) }
        return transformable(by: type)
      }

      /// `unique`.
      public var debugDescription: String { "\(kind)" }

      /// The name of the value transformer; nil for other options.
      package var transformerName: String? { if case .transformable(let name) = kind { name } else { nil } }
    }

    /// The attribute's name.
    public var name: String
    /// The attribute's name in an earlier version of the schema; the same as the name if it has not changed.
    public var originalName: String
    /// The attribute's options.
    public var options: [Option]
    /// The type of the values.
    public var valueType: any Any.Type
    /// The attribute's value in a new object; nil if it has no value.
    public var defaultValue: Any?
    /// A text that changes the entity's version hash.
    public var hashModifier: String?
    /// Whether the attribute may have no value.
    public var isOptional = false
    /// The type of the stored values.
    var storedType = NSAttributeType.undefinedAttributeType
    /// The value in a new object as the store has it.
    var storedDefault: Any?

    /// Makes the options of an attribute.
    public convenience init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      self.init(
        name: "", originalName: originalName, options: options, valueType: Any.self, hashModifier: hashModifier)
    }

    /// Makes an attribute.
    public init(
      name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
      defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      (self.name, self.originalName, self.options) = (name, originalName ?? name, options)
      (self.valueType, self.defaultValue, self.hashModifier) = (valueType, defaultValue, hashModifier)
    }

    /// Whether it is an attribute: true.
    public var isAttribute: Bool { true }

    /// Whether it is a relationship: false.
    public var isRelationship: Bool { false }

    /// Whether the store does not keep the value.
    public var isTransient: Bool { options.contains(.ephemeral) }

    /// Whether a value transformer turns the values into others.
    public var isTransformable: Bool { options.contains { $0.transformerName != nil } }

    /// Whether no two objects have the same value.
    public var isUnique: Bool { options.contains(.unique) }

    private enum CodingKeys: CodingKey {
      case name, originalName, options, hashModifier, isOptional
    }

    public required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName = try container.decode(String.self, forKey: .originalName)
      options = try container.decode([Option].self, forKey: .options)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
      isOptional = try container.decode(Bool.self, forKey: .isOptional)
      valueType = Any.self
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(originalName, forKey: .originalName)
      try container.encode(options, forKey: .options)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
      try container.encode(isOptional, forKey: .isOptional)
    }

    public static func == (lhs: Attribute, rhs: Attribute) -> Bool {
      lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
        && lhs.valueType == rhs.valueType && lhs.hashModifier == rhs.hashModifier && lhs.isOptional == rhs.isOptional
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(originalName)
      hasher.combine(options)
    }

    /// The name and the options.
    public var debugDescription: String { "Schema.Attribute(\(name), \(options), \(valueType))" }
  }
}
