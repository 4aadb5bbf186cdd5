import Foundation
import ManagedModel
import Predicates
import RowStore
import Synchronization

/// Swift key paths of managed objects by the names of their properties.
extension NSManagedObject: PropertyPathRoot {
  /// The properties that a key path from the class reads, such as `region.name` for `\Quake.region?.name`. Found out by
  /// reading the key path on a probe, once for each key path.
  ///
  /// A property that is not in the model counts for the one that it hands through unchanged, and for nothing else: there
  /// is no name for what is computed. The class needs an entity in a model that a coordinator uses.
  package static func propertyPath(of keyPath: AnyKeyPath) throws(UnreadableKeyPathError) -> PropertyPath {
    try KeyPathNames.path(of: keyPath, from: self)
  }
}

/// The names of key paths, each found out once.
private enum KeyPathNames {
  /// A key path as a key of the memory.
  private struct Known: Hashable, @unchecked Sendable {
    // Sendable: a key path never changes.
    let keyPath: AnyKeyPath
  }

  private static let memory = Mutex<[Known: Result<PropertyPath, UnreadableKeyPathError>]>([:])

  static func path(
    of keyPath: AnyKeyPath, from root: NSManagedObject.Type
  ) throws(UnreadableKeyPathError) -> PropertyPath {
    let known = Known(keyPath: keyPath)
    if let found = memory.withLock({ $0[known] }) { return try found.get() }
    // Not remembered: the model may come later.
    guard let entity = ObjectClasses.entity(of: root) ?? ObjectClasses.entity(below: root), let layout = entity.layout
    else {
      throw UnreadableKeyPathError(
        keyPath, "No entity of a model in use has the class \(root). Load the persistent stores first.")
    }
    let found = withExtendedLifetime(entity.managedObjectModel) {
      Result { () throws(UnreadableKeyPathError) in
        try KeyPathReading(keyPath, layout, entity.managedObjectModel).path()
      }
    }
    memory.withLock { $0[known] = found }
    return try found.get()
  }
}
