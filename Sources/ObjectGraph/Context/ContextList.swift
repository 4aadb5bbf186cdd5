import Synchronization

/// A coordinator's contexts, which the list does not keep alive. Any thread may use it.
///
/// No context is released while the list is locked: its deinitializer could run there, and asks the coordinator for the
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

  /// Removes a context that got another coordinator, and what this one wanted it to merge.
  package func remove(_ context: NSManagedObjectContext) {
    references.withLock { references in references.removeAll { $0.id == ObjectIdentifier(context) } }
    context.mergeQueue.removeAll()
  }

  /// The contexts that are alive.
  package var contexts: [NSManagedObjectContext] { references.withLock { $0 }.compactMap(\.context) }

  /// The living contexts that merge others' saves automatically.
  /// - Parameter origin: the context that saved, which is left out. It is not retained: the caller may hold a lock that its
  ///   deinitializer needs.
  package func merging(except origin: ObjectIdentifier?) -> [NSManagedObjectContext] {
    references.withLock { $0 }.filter { $0.id != origin }.compactMap(\.mergingContext)
  }

  /// Whether any context merges others' saves automatically.
  package var hasMergingContext: Bool { references.withLock { $0.contains(where: \.isMerging) } }
}
