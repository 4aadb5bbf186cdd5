import StrataRuntime
import Synchronization

/// The persisted properties of a model class, read once from its metadata.
final class ModelTable: Sendable {
  let model: any PersistentModel.Type
  /// The table of the superclass; nil if that is not a model.
  let superclass: ModelTable?
  /// The properties that the class itself declares.
  let properties: [ModelProperty]
  /// The properties of the superclasses, and the class's own.
  let allProperties: [ModelProperty]
  /// The names of the properties in each uniqueness constraint.
  let uniquenessConstraints: [[String]]
  /// The names of the properties in each index.
  let indexes: [[String]]
  private let byKeyPath: [Key: ModelProperty]

  /// A key path, which does not change.
  private struct Key: Hashable, @unchecked Sendable { let keyPath: AnyKeyPath }

  private static let known = Mutex<[ObjectIdentifier: ModelTable]>([:])

  /// Returns the table of a class.
  /// - Throws: `SwiftDataError.unknownSchema` if a property has a type that cannot be stored.
  static func of(_ model: any PersistentModel.Type) throws -> ModelTable {
    if let table = known.withLock({ $0[ObjectIdentifier(model)] }) { return table }
    // The metadata evaluates initial values, which is the program's code: not under the lock.
    let table = try ModelTable(model)
    return known.withLock { known in
      if let other = known[ObjectIdentifier(model)] { return other }
      known[ObjectIdentifier(model)] = table
      return table
    }
  }

  private init(_ model: any PersistentModel.Type) throws {
    self.model = model
    superclass = try model.superclass.map(ModelTable.of)
    let entries = model.schemaMetadata
    properties = try entries.filter { !$0.isDeclaration }.map { try ModelProperty.make($0, of: model) }
    let declarations = entries.compactMap { $0.metadata as? any PropertyLists }
    uniquenessConstraints =
      properties.filter { $0.metadata.metadata?.isUnique == true }.map { [$0.name] }
      + declarations.filter(\.isUnique).flatMap(\.propertyLists)
    indexes = declarations.filter { !$0.isUnique }.flatMap(\.propertyLists)
    allProperties = (superclass?.allProperties ?? []) + properties
    var byKeyPath: [Key: ModelProperty] = [:]
    for property in properties { byKeyPath[Key(keyPath: property.keyPath)] = property }
    if let superclass {
      let keyPaths = model._persistedKeyPaths
      byKeyPath.merge(superclass.byKeyPath) { own, _ in own }
      for property in superclass.allProperties {
        if let keyPath = keyPaths[property.name] { byKeyPath[Key(keyPath: keyPath)] = property }
      }
    }
    self.byKeyPath = byKeyPath
  }

  /// Returns the property at a key path from the class or a superclass; nil for other key paths.
  subscript(keyPath: AnyKeyPath) -> ModelProperty? { byKeyPath[Key(keyPath: keyPath)] }

  /// The relationships that the class itself declares.
  var relationships: [ModelRelationship] { properties.compactMap { $0 as? ModelRelationship } }

  /// The property of the name.
  func property(named name: String) -> ModelProperty? { allProperties.first { $0.name == name } }
}

extension Schema.PropertyMetadata {
  /// Whether it is an index or a uniqueness constraint, which is not a property.
  var isDeclaration: Bool { keypath == \Schema.encodingVersion }
}

extension PersistentModel {
  /// The superclass; nil if that is not a model.
  static var superclass: (any PersistentModel.Type)? {
    TypeNames.superclass(of: Self.self) as? any PersistentModel.Type
  }
}
