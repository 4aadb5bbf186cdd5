import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import Synchronization

/// Swift key paths of managed objects by the names of their properties.
extension NSManagedObject: PropertyPathRoot {
  /// The properties that a key path from the class reads, such as `region.name` for `\Quake.region?.name`. Found out by
  /// reading the key path on a probe, once for each key path.
  ///
  /// A property that is not in the model counts for the one that it hands through unchanged, and for nothing else: there
  /// is no name for what is computed. Before any model with the class is in use, what its `@NSManaged` declarations say
  /// takes the model's place.
  package static func propertyPath(of keyPath: AnyKeyPath) throws(UnreadableKeyPathError) -> PropertyPath {
    try KeyPathNames.path(of: keyPath, from: self)
  }

  /// The paths of the properties that a key path reads, whatever it makes of them; nil if no model in use has the class.
  static func readPaths(of keyPath: AnyKeyPath) -> [[String]]? {
    guard let entity = ObjectClasses.entity(of: self) ?? ObjectClasses.entity(below: self), let layout = entity.layout
    else { return nil }
    return withExtendedLifetime(entity.managedObjectModel) {
      KeyPathReading(keyPath, layout, entity.managedObjectModel).readPaths()
    }
  }
}

/// The names of key paths, each found out once.
private enum KeyPathNames {
  /// A key path as a key of the memory.
  private struct Known: Hashable, @unchecked Sendable {
    // Sendable: a key path never changes.
    let keyPath: AnyKeyPath
  }

  /// What models say, and what declarations say as long as no model does.
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
      let found = read(keyPath, layout, entity.managedObjectModel)
      memory.paths.withLock { $0[known] = found }
      return try found.get()
    }
    if let found = declared.paths.withLock({ $0[known] }) { return try found.get() }
    guard let model = DeclaredModel.ofClass(root), let layout = model.entities.first?.layout else {
      throw UnreadableKeyPathError(
        keyPath, "No entity of a model in use has the class \(root). Load the persistent stores first.")
    }
    let found = read(keyPath, layout, model)
    declared.paths.withLock { $0[known] = found }
    return try found.get()
  }

  private static func read(
    _ keyPath: AnyKeyPath, _ layout: EntityLayout, _ model: NSManagedObjectModel
  ) -> Result<PropertyPath, UnreadableKeyPathError> {
    withExtendedLifetime(model) {
      Result { () throws(UnreadableKeyPathError) in try KeyPathReading(keyPath, layout, model).path() }
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
