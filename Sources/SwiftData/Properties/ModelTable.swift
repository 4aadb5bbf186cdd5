import Synchronization

/// The persisted properties of a model class, read once from its metadata.
final class ModelTable: Sendable {
  let model: any PersistentModel.Type
  let properties: [ModelProperty]
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
    func isRoot<Model: PersistentModel>(_: Model.Type) -> Bool { Model.Root.self == Model.self }
    guard isRoot(model) else {
      throw SwiftDataError.unknownSchema.because("\(model) is a subclass of a model, which a store cannot have yet.")
    }
    self.model = model
    let entries = model.schemaMetadata
    properties = try entries.filter { !$0.isDeclaration }.map { try ModelProperty.make($0, of: model) }
    let declarations = entries.compactMap { $0.metadata as? any PropertyLists }
    uniquenessConstraints =
      properties.filter { $0.metadata.metadata?.isUnique == true }.map { [$0.name] }
      + declarations.filter(\.isUnique).flatMap(\.propertyLists)
    indexes = declarations.filter { !$0.isUnique }.flatMap(\.propertyLists)
    byKeyPath = Dictionary(properties.map { (Key(keyPath: $0.keyPath), $0) }) { first, _ in first }
  }

  /// Returns the property at a key path; nil if it is not one of the class's own.
  subscript(keyPath: AnyKeyPath) -> ModelProperty? { byKeyPath[Key(keyPath: keyPath)] }

  var relationships: [ModelRelationship] { properties.compactMap { $0 as? ModelRelationship } }

  /// The property of the name.
  func property(named name: String) -> ModelProperty? { properties.first { $0.name == name } }
}

extension Schema.PropertyMetadata {
  /// Whether it is an index or a uniqueness constraint, which is not a property.
  var isDeclaration: Bool { keypath == \Schema.encodingVersion }
}
