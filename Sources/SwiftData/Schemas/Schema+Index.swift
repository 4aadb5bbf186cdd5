extension Schema {
  /// The indexes of a model, as `#Index` declares them.
  public final class Index<T>: SchemaProperty, CustomDebugStringConvertible where T: PersistentModel {
    /// An index of a list of properties.
    public enum Types<P> where P: PersistentModel {
      /// A sorted index.
      case binary([PartialKeyPath<P>])
      /// An index of ranges in as many dimensions as there are properties.
      case rtree([PartialKeyPath<P>])
    }

    /// The keys of the encoded indexes.
    public enum CodingKeys: CodingKey {
      case indices
    }

    /// An index by the names of its properties.
    fileprivate struct Names: Codable, Hashable {
      var names: [String]
      var isRTree: Bool
    }

    /// The indexes.
    public let indices: [Types<T>]
    /// The name of the declaration.
    public var name = "SwiftData.Schema.Index"
    /// The same as the name.
    public var originalName = "SwiftData.Schema.Index"
    /// The type of the values: the model.
    public var valueType: any Any.Type = T.self

    /// Makes sorted indexes, one for each list.
    public init(_ binaryIndices: [PartialKeyPath<T>]...) { indices = binaryIndices.map { .binary($0) } }

    /// Makes indexes.
    public init(_ indices: Types<T>...) { self.indices = indices }

    /// Whether no two objects have the same value: false.
    public var isUnique: Bool { false }

    fileprivate var names: [Names] {
      indices.map {
        switch $0 {
        case .binary(let keyPaths): Names(names: keyPaths.map(T.name), isRTree: false)
        case .rtree(let keyPaths): Names(names: keyPaths.map(T.name), isRTree: true)
        }
      }
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      indices = try container.decode([Names].self, forKey: .indices).map {
        let keyPaths = try $0.names.map { try T.keyPath(named: $0, in: container, .indices) }
        return $0.isRTree ? .rtree(keyPaths) : .binary(keyPaths)
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(names, forKey: .indices)
    }

    public static func == (lhs: Index, rhs: Index) -> Bool { lhs.names == rhs.names }

    public func hash(into hasher: inout Hasher) { hasher.combine(names) }

    /// The names of the indexed properties.
    public var debugDescription: String { "Schema.Index(\(names.map(\.names)))" }
  }

  /// The uniqueness constraints of a model, as `#Unique` declares them.
  public final class Unique<T>: SchemaProperty, CustomDebugStringConvertible where T: PersistentModel {
    /// The keys of the encoded constraints.
    public enum CodingKeys: CodingKey {
      case constraints
    }

    /// Lists of properties. No two objects have the same values for all properties of a list.
    public let constraints: [[PartialKeyPath<T>]]
    /// The name of the declaration.
    public var name = "SwiftData.Schema.Unique"
    /// The same as the name.
    public var originalName = "SwiftData.Schema.Unique"
    /// The type of the values: the model.
    public var valueType: any Any.Type = T.self

    /// Makes constraints, one for each list.
    public init(_ constraints: [PartialKeyPath<T>]...) { self.constraints = constraints }

    /// Whether no two objects have the same value: true.
    public var isUnique: Bool { true }

    fileprivate var names: [[String]] { constraints.map { $0.map(T.name) } }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      constraints = try container.decode([[String]].self, forKey: .constraints).map {
        try $0.map { try T.keyPath(named: $0, in: container, .constraints) }
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(names, forKey: .constraints)
    }

    public static func == (lhs: Unique, rhs: Unique) -> Bool { lhs.names == rhs.names }

    public func hash(into hasher: inout Hasher) { hasher.combine(names) }

    /// The names of the properties.
    public var debugDescription: String { "Schema.Unique(\(names))" }
  }
}

/// Lists of properties: indexes or uniqueness constraints.
protocol PropertyLists: SchemaProperty {
  var propertyLists: [[String]] { get }
}

extension Schema.Index: PropertyLists {
  var propertyLists: [[String]] { names.map(\.names) }
}

extension Schema.Unique: PropertyLists {
  var propertyLists: [[String]] { names }
}

extension PersistentModel {
  /// The name of a persisted property; a path to another model's property is described.
  fileprivate static func name(of keyPath: PartialKeyPath<Self>) -> String {
    _persistedKeyPaths.first { $0.value == keyPath }?.key ?? "\(keyPath)"
  }

  fileprivate static func keyPath<Key>(
    named name: String, in container: KeyedDecodingContainer<Key>, _ key: Key
  ) throws -> PartialKeyPath<Self> {
    let keyPath = _persistedKeyPaths[name] as? PartialKeyPath<Self>
    guard let keyPath else {
      let message = "\(Self.self) has no property '\(name)'"
      throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: message)
    }
    return keyPath
  }
}
