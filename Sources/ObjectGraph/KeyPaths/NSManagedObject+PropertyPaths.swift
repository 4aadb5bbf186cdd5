import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import Synchronization

/// Swift key paths of managed objects as property names.
extension NSManagedObject: PropertyPathRoot {
  /// Returns the properties that a key path from the class reads, such as `region.name` for `\Quake.region?.name`.
  ///
  /// The model plugin registers the key path of each `@NSManaged` property. A key path that is made of anything else has no
  /// name, even if a getter returns the value of a property. No model needs to be in use; if one is, it must have the
  /// properties.
  package static func propertyPath(of keyPath: AnyKeyPath) throws(UnreadableKeyPathError) -> PropertyPath {
    try KeyPathNames.path(of: keyPath, from: self)
  }

  /// Returns the paths of the properties that a key path reads, whatever it computes from them; nil if no model in use
  /// has the class.
  static func readPaths(of keyPath: AnyKeyPath) -> [[String]]? {
    guard let entity = ObjectClasses.entity(of: self) ?? ObjectClasses.entity(below: self), let layout = entity.layout
    else { return nil }
    return withExtendedLifetime(entity.managedObjectModel) {
      ReadRecorder.readPaths(of: keyPath, on: layout, in: entity.managedObjectModel)
    }
  }
}

/// The names of key paths, each determined once.
private enum KeyPathNames {
  /// A key path as a dictionary key.
  private struct Known: Hashable, @unchecked Sendable {
    // Sendable: a key path is immutable.
    let keyPath: AnyKeyPath
  }

  /// The names according to models, and according to declarations where no model has the class.
  private static let (memory, declared) = (Memory(), Memory())

  private final class Memory: Sendable {
    let paths = Mutex<[Known: Result<PropertyPath, UnreadableKeyPathError>]>([:])
  }

  static func path(
    of keyPath: AnyKeyPath, from root: NSManagedObject.Type
  ) throws(UnreadableKeyPathError) -> PropertyPath {
    let known = Known(keyPath: keyPath)
    if let found = memory.paths.withLock({ $0[known] }) { return try found.get() }
    let entity = ObjectClasses.entity(of: root) ?? ObjectClasses.entity(below: root)
    let cache = entity == nil ? declared : memory
    if entity == nil, let found = cache.paths.withLock({ $0[known] }) { return try found.get() }
    let found = Result { () throws(UnreadableKeyPathError) in try read(keyPath, from: root, entity) }
    cache.paths.withLock { $0[known] = found }
    return try found.get()
  }

  private static func read(
    _ keyPath: AnyKeyPath, from root: NSManagedObject.Type, _ entity: NSEntityDescription?
  ) throws(UnreadableKeyPathError) -> PropertyPath {
    guard ManagedProperties.isKnown(root) else {
      throw UnreadableKeyPathError(
        keyPath,
        "The class \(root) is not registered. Build its target with the plugin CoreDataModel, and do not make the class "
          + "private.")
    }
    guard var names = ManagedProperties.names(of: keyPath, from: root) else {
      throw UnreadableKeyPathError(
        keyPath,
        "It is not made of @NSManaged properties alone, or of too many. Use a property of the model, or its name in a format "
          + "string.")
    }
    if names.isEmpty { return PropertyPath([]) }
    var owner = entity
    var property: NSPropertyDescription?
    for (index, name) in names.enumerated() {
      guard let current = owner else { break }
      property = current.propertiesByName[name] ?? primitive(name, of: current)
      if let property { names[index] = property.name }
      guard let property else {
        throw UnreadableKeyPathError(
          keyPath,
          "The entity '\(current.name ?? "")' has no property '\(name)'. A store does not have computed properties: use the "
            + "ones that they are computed from.")
      }
      owner = (property as? NSRelationshipDescription)?.destinationEntity
    }
    // Without a model, every attribute may be optional in the store.
    let mayBeNil = !keyPath.isOptional && (property as? NSAttributeDescription)?.isOptional ?? (entity == nil)
    return PropertyPath(names, nilValue: mayBeNil ? keyPath.zero : nil)
  }

  /// The property whose primitive value an accessor such as `primitiveTitle` returns.
  private static func primitive(_ name: String, of entity: NSEntityDescription) -> NSPropertyDescription? {
    guard name.hasPrefix("primitive"), let first = name.dropFirst(9).first, first.isUppercase else { return nil }
    return entity.propertiesByName[first.lowercased() + name.dropFirst(10)]
  }
}

extension AnyKeyPath {
  /// The value that `@NSManaged` accessors return for nil if the declared type is not optional.
  fileprivate var zero: PredicateValue? {
    switch type(of: self).valueType {
    case is any BinaryInteger.Type: .integer(0)
    case is any BinaryFloatingPoint.Type: .real(0)
    case is Bool.Type: .bool(false)
    case is String.Type: .string("")
    case let type as any RawRepresentable.Type: Self.zero(of: type)
    default: nil
    }
  }

  /// The raw value 0, if the type has it.
  private static func zero<Value: RawRepresentable>(of type: Value.Type) -> PredicateValue? {
    guard let number = Value.RawValue.self as? any BinaryInteger.Type,
      let zero = number.init(exactly: 0) as? Value.RawValue, Value(rawValue: zero) != nil
    else { return nil }
    return .integer(0)
  }

  /// The property names of the key path, joined by dots: `title` for `\Book.title`, `self` for `\Double.self`. Nil for a
  /// key path that is not made of properties of managed objects.
  ///
  /// Swift's own property of this name only knows Objective-C properties, and so always returns nil on Linux. Where
  /// CoreData is imported, this one takes precedence.
  public var _kvcKeyPathString: String? {
    if let found = try? propertyPath { return found.names.isEmpty ? "self" : found.names.joined(separator: ".") }
    guard let root = Self.rootType as? NSManagedObject.Type else { return isIdentity ? "self" : nil }
    // Properties that the class has and the model lacks have names too.
    if let names = ManagedProperties.names(of: self, from: root) { return names.joined(separator: ".") }
    return ComputedProperties.name(of: self, from: root)
  }

  private var isIdentity: Bool { Self.rootType == Self.valueType && self == Self.identity(of: Self.rootType) }

  private static func identity<Root>(of type: Root.Type) -> AnyKeyPath { \Root.self }
}
