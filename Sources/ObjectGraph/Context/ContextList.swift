import Synchronization

/// The contexts of a coordinator, which does not keep them alive; for any thread.
///
/// No context is released while the list is locked: that may run its deinitializer, which asks the coordinator for the
/// stores of its objects.
package final class ContextList: Sendable {
  private let references = Mutex<[ContextReference]>([])

  package init() {}

  package func append(_ context: NSManagedObjectContext) {
    references.withLock { references in
      references.removeAll(where: \.hasEnded)
      references.append(ContextReference(context))
    }
  }

  /// The contexts that are alive.
  package var contexts: [NSManagedObjectContext] { references.withLock { $0 }.compactMap(\.context) }

  /// The contexts that merge others' saves automatically.
  /// - Parameter origin: a context to leave out.
  package func merging(except origin: ObjectIdentifier?) -> [NSManagedObjectContext] {
    references.withLock { $0 }.compactMap(\.mergingContext).filter { ObjectIdentifier($0) != origin }
  }

  /// Whether a context merges others' saves automatically.
  package var hasMerging: Bool { references.withLock { $0.contains(where: \.merges) } }
}
