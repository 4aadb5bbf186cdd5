extension Schema {
  /// A relationship of an entity.
  public final class Relationship: SchemaProperty, CustomDebugStringConvertible {
    /// The effect of an object's deletion on the destination of a relationship.
    public enum DeleteRule: String, Codable {
      /// Nothing: the destination refers to an object that does not exist.
      case noAction
      /// The destination no longer refers to the object.
      case nullify
      /// The destination is deleted too.
      case cascade
      /// The object cannot be deleted while there is a destination.
      case deny
    }

    /// An option of a relationship.
    public struct Option: Codable, Hashable, Sendable, CustomDebugStringConvertible {
      private enum Kind: Codable, Hashable { case unique }

      private let kind: Kind

      /// No two objects have the same destination.
      public static var unique: Self { Self(kind: .unique) }

      /// `unique`.
      public var debugDescription: String { "\(kind)" }
    }

    /// The relationship's name.
    public var name = ""
    /// The relationship's name in an earlier version of the schema; the same as the name if it has not changed.
    public var originalName: String
    /// The relationship's options.
    public var options: [Option]
    /// The type of the values.
    public var valueType: any Any.Type = Any.self
    /// The name of the destination's entity.
    public var destination = ""
    /// The name of the inverse; nil if the relationship has no inverse.
    public var inverseName: String?
    /// The key path of the inverse; nil if the relationship has no inverse.
    public var inverseKeyPath: AnyKeyPath?
    /// The key path of the relationship.
    public var keypath: AnyKeyPath?
    /// The effect of an object's deletion on the destination.
    public var deleteRule: DeleteRule
    /// The least number of models that the relationship may have.
    public var minimumModelCount: Int?
    /// The greatest number of models that the relationship may have; 0 or nil for no limit.
    public var maximumModelCount: Int?
    /// A text that changes the entity's version hash.
    public var hashModifier: String?

    /// Makes the options of a relationship.
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil, hashModifier: String? = nil
    ) {
      (self.options, self.deleteRule, inverseKeyPath) = (options, deleteRule, inverse)
      (self.minimumModelCount, self.maximumModelCount) = (minimumModelCount, maximumModelCount)
      (self.originalName, self.hashModifier) = (originalName ?? "", hashModifier)
    }

    /// Whether the relationship has at most one destination.
    public var isToOneRelationship: Bool { !(valueType is any RelationshipCollection.Type) }

    /// Whether it is a relationship: true.
    public var isRelationship: Bool { true }

    /// Whether the relationship may have no destination.
    public var isOptional: Bool { valueType is any ExpressibleByNilLiteral.Type }

    /// Whether no two objects have the same destination.
    public var isUnique: Bool { options.contains(.unique) }

    private enum CodingKeys: CodingKey {
      case name, originalName, options, destination, inverseName, deleteRule, minimumModelCount, maximumModelCount
      case hashModifier
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName = try container.decode(String.self, forKey: .originalName)
      options = try container.decode([Option].self, forKey: .options)
      destination = try container.decode(String.self, forKey: .destination)
      inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
      deleteRule = try container.decode(DeleteRule.self, forKey: .deleteRule)
      minimumModelCount = try container.decodeIfPresent(Int.self, forKey: .minimumModelCount)
      maximumModelCount = try container.decodeIfPresent(Int.self, forKey: .maximumModelCount)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(originalName, forKey: .originalName)
      try container.encode(options, forKey: .options)
      try container.encode(destination, forKey: .destination)
      try container.encodeIfPresent(inverseName, forKey: .inverseName)
      try container.encode(deleteRule, forKey: .deleteRule)
      try container.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
      try container.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
    }

    public static func == (lhs: Relationship, rhs: Relationship) -> Bool {
      lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
        && lhs.destination == rhs.destination && lhs.inverseName == rhs.inverseName
        && lhs.inverseKeyPath == rhs.inverseKeyPath && lhs.deleteRule == rhs.deleteRule
        && lhs.minimumModelCount == rhs.minimumModelCount && lhs.maximumModelCount == rhs.maximumModelCount
        && lhs.hashModifier == rhs.hashModifier
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(destination)
      hasher.combine(deleteRule)
    }

    /// The name, the destination and the delete rule.
    public var debugDescription: String { "Schema.Relationship(\(name), \(destination), \(deleteRule))" }
  }
}
