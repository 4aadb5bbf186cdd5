/// The entities of a store: their attributes and relationships.
public final class Schema: @unchecked Sendable {
  // Sendable: nothing changes after the initializer.

  /// The version of a schema.
  public struct Version: Codable, Comparable, Hashable, Sendable, CustomStringConvertible {
    /// Differs between schemas of which one does not support the other's files.
    public let major: Int
    /// Differs between schemas that support each other's files.
    public let minor: Int
    /// Differs between corrections of a schema.
    public let patch: Int

    /// Makes a version of its three numbers.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    /// `1.0.0`.
    public var description: String { "\(major).\(minor).\(patch)" }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
    }
  }

  /// A persisted property of a model, or an index or uniqueness constraint. `@Model` lists them.
  public struct PropertyMetadata {
    package let name: String
    package let keypath: AnyKeyPath
    package let defaultValue: Any?
    package let metadata: (any SchemaProperty)?

    /// Makes the entry for a property.
    ///
    /// - Parameters:
    ///   - name: the property's name.
    ///   - keypath: the key path from the model.
    ///   - defaultValue: the property's initial value; nil if the declaration does not have one.
    ///   - metadata: the options of `@Attribute` or `@Relationship`; nil if the property has neither.
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
    ) {
      (self.name, self.keypath, self.defaultValue, self.metadata) = (name, keypath, defaultValue, metadata)
    }
  }

  /// The version of the format of encoded schemas.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// The version of the format that the schema is encoded in.
  public let encodingVersion = schemaEncodingVersion

  /// The schema's version.
  public let version: Version
  /// The entities, by name.
  public let entities: [Entity]

  /// Makes a schema without entities.
  public convenience init() { self.init([]) }

  /// Makes a schema of classes, and of those that their relationships lead to.
  ///
  /// A class that cannot be stored stops the program: its declaration has to be corrected.
  public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
    self.init(types, version: version)
  }

  /// Makes a schema of classes, and of those that their relationships lead to.
  ///
  /// A class that cannot be stored stops the program: its declaration has to be corrected.
  public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
    self.version = version
    do {
      let tables = try Self.tables(reachableFrom: types)
      let finder = try InverseFinder(tables)
      entities = tables.map { Entity($0, inverses: finder.inverses(of: $0)) }.sorted { $0.name < $1.name }
    } catch {
      fatalError("The schema cannot be stored: \(error)")
    }
  }

  /// The entities by name.
  public var entitiesByName: [String: Entity] { Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) }) }

  /// Returns the entity of a class; nil if the schema does not have it.
  public func entity<T>(for type: T.Type) -> Entity? where T: PersistentModel { entities.first { $0.model == type } }

  /// Returns the name of a class's entity.
  public static func entityName<T>(for type: T.Type) -> String where T: PersistentModel { name(of: type) }

  private static func tables(reachableFrom types: [any PersistentModel.Type]) throws -> [ModelTable] {
    var found: [ModelTable] = []
    var waiting = types
    while let type = waiting.popLast() {
      if found.contains(where: { $0.model == type }) { continue }
      let table = try ModelTable.of(type)
      if let other = found.first(where: { name(of: $0.model) == name(of: type) }) {
        throw SwiftDataError.unknownSchema.because(
          "\(String(reflecting: other.model)) and \(String(reflecting: type)) have the same name, and so the same entity."
        )
      }
      found.append(table)
      waiting += table.relationships.map(\.destination) + [table.superclass?.model].compactMap(\.self)
    }
    return found
  }
}

extension Schema: Hashable {
  public static func == (lhs: Schema, rhs: Schema) -> Bool {
    lhs.version == rhs.version && lhs.entities == rhs.entities
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(version) }
}

/// An attribute or a relationship of an entity, or an index or uniqueness constraint.
public protocol SchemaProperty: Decodable, Encodable, Hashable {
  /// The property's name.
  var name: String { get set }

  /// The property's name in an earlier version of the schema; the same as the name if it has not changed.
  var originalName: String { get set }

  /// The type of the values.
  var valueType: any Any.Type { get set }

  /// Whether the property is an attribute.
  var isAttribute: Bool { get }

  /// Whether the property is a relationship.
  var isRelationship: Bool { get }

  /// Whether the store does not keep the property.
  var isTransient: Bool { get }

  /// Whether the property may have no value.
  var isOptional: Bool { get }

  /// Whether no two objects have the same value.
  var isUnique: Bool { get }
}

extension SchemaProperty {
  /// Whether the property is an attribute: false.
  public var isAttribute: Bool { false }

  /// Whether the property is a relationship: false.
  public var isRelationship: Bool { false }

  /// Whether the store does not keep the property: false.
  public var isTransient: Bool { false }

  /// Whether the property may have no value: false.
  public var isOptional: Bool { false }
}
