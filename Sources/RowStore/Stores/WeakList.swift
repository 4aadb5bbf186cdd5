import Synchronization

/// A list of objects that it does not keep alive. Any thread may use it.
///
/// No object is released while the list is locked: its deinitializer could run there, and may call any code, even code that
/// uses the list.
package final class WeakList<Object: AnyObject & Sendable>: Sendable {
  private struct Reference: Sendable {
    let id: ObjectIdentifier
    weak var object: Object?
  }
  private let references = Mutex<[Reference]>([])

  package init() {}

  /// The objects that are alive, in the order in which they were inserted.
  package var objects: [Object] { references.withLock { $0 }.compactMap(\.object) }

  /// Inserts an object, unless it is in the list.
  /// - Returns: whether it was inserted.
  @discardableResult
  package func insert(_ new: Object) -> Bool {
    // Keeps the objects alive until the lock is released.
    var living: [Object] = []
    defer { withExtendedLifetime(living) {} }
    return references.withLock { references in
      references.removeAll { reference in
        guard let object = reference.object else { return true }
        living.append(object)
        return false
      }
      if living.contains(where: { $0 === new }) { return false }
      references.append(Reference(id: ObjectIdentifier(new), object: new))
      return true
    }
  }

  /// Removes an object.
  package func remove(_ object: Object) {
    references.withLock { $0.removeAll { $0.id == ObjectIdentifier(object) } }
  }
}
