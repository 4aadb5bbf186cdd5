import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import Synchronization

/// Swift key paths of managed objects as property names.
extension NSManagedObject: PropertyPathRoot {
  /// Returns the properties that a key path from the class reads, such as `region.name` for `\Quake.region?.name`.
  /// Determined by reading the key path on a probe, once per key path.
  ///
  /// A property that is not in the model stands for the property whose value it returns unchanged; a computed value has
  /// no name. As long as no model with the class is in use, its `@NSManaged` declarations take the model's place.
  package static func propertyPath(of keyPath: AnyKeyPath) throws(UnreadableKeyPathError) -> PropertyPath {
    try KeyPathNames.path(of: keyPath, from: self)
  }

  /// Returns the paths of the properties that a key path reads, whatever it computes from them; nil if no model in use
  /// has the class.
  static func readPaths(of keyPath: AnyKeyPath) -> [[String]]? {
    guard let entity = ObjectClasses.entity(of: self) ?? ObjectClasses.entity(below: self), let layout = entity.layout
    else { return nil }
    return withExtendedLifetime(entity.managedObjectModel) {
      KeyPathReading(keyPath, of: layout, in: entity.managedObjectModel).readPaths()
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
    if let entity = ObjectClasses.entity(of: root) ?? ObjectClasses.entity(below: root), let layout = entity.layout {
      let found = read(keyPath, of: layout, in: entity.managedObjectModel)
      memory.paths.withLock { $0[known] = found }
      return try found.get()
    }
    if let found = declared.paths.withLock({ $0[known] }) { return try found.get() }
    guard let model = DeclaredModel.ofClass(root), let layout = model.entities.first?.layout else {
      throw UnreadableKeyPathError(
        keyPath, "No entity of a model in use has the class \(root). Load the persistent stores first.")
    }
    let found = read(keyPath, of: layout, in: model)
    declared.paths.withLock { $0[known] = found }
    return try found.get()
  }

  private static func read(
    _ keyPath: AnyKeyPath, of layout: EntityLayout, in model: NSManagedObjectModel
  ) -> Result<PropertyPath, UnreadableKeyPathError> {
    withExtendedLifetime(model) {
      Result { () throws(UnreadableKeyPathError) in try KeyPathReading(keyPath, of: layout, in: model).path() }
    }
  }
}

extension AnyKeyPath {
  /// The property names of the key path, joined by dots: `title` for `\Book.title`. Nil for a key path that is not made
  /// of managed or computed properties.
  ///
  /// Swift's own property of this name only knows Objective-C properties, and so always returns nil on Linux. Where
  /// CoreData is imported, this one takes precedence.
  public var _kvcKeyPathString: String? {
    if let found = try? propertyPath { return found.names.isEmpty ? "self" : found.names.joined(separator: ".") }
    guard let root = Self.rootType as? NSManagedObject.Type else { return nil }
    return ComputedProperties.name(of: self, from: root)
  }
}
