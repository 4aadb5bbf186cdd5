import Synchronization

/// A list of objects that it does not keep alive. Any thread may use it.
///
/// No object is released while the list is locked: its deinitializer could run there, and may call any code, even code that
/// uses the list.
package final class WeakList<Object: AnyObject & Sendable>: Sendable {
  private let references = Mutex<[Reference]>([])

  package init() {}

  /// The objects that are alive, in the order in which they were inserted.
  package var objects: [Object] {
    var objects: [Object] = []
    for reference in references.withLock({ $0 }) {
      if let object = reference.object { objects.append(unsafeDowncast(object, to: Object.self)) }
    }
    return objects
  }

  /// Inserts an object, unless it is in the list.
  /// - Returns: whether it was inserted.
  @discardableResult
  package func insert(_ new: Object) -> Bool {
    // Keeps the objects alive until the lock is released.
    var living: [any AnyObject & Sendable] = []
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

/// Not a part of the generic type: then every read of a list would look up types at run time, which takes twenty times as long
/// as the rest.
private struct Reference: Sendable {
  let id: ObjectIdentifier
  weak var object: (any AnyObject & Sendable)?
}
