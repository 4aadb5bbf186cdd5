import Foundation
import StrataObjectGraph

extension NSPersistentContainer {
  /// Runs a block with a new context of ``newBackgroundContext()``, on its queue, and again with another one as long as its
  /// save is in conflict with what others saved. Not part of Apple's framework.
  ///
  /// Each run begins with what is stored by then. So the block fetches what it changes, and has no effects but those on its
  /// context: it may run several times. It saves once, at its end: what an earlier save stored would be stored again. After a
  /// conflict, the runs of this container's callers wait for each other, and cannot cause each other's conflicts again; the
  /// first runs of other callers can.
  ///
  /// ```swift
  /// try await container.performBackgroundTask(
  ///   retryingConflicts: 10
  /// ) { context in
  ///   let request = Tag.fetchRequest()
  ///   request.predicate = NSPredicate(format: "name == %@", "swift")
  ///   // Another caller may create the tag between this fetch and the save.
  ///   let tag = try context.fetch(request).first ?? Tag(context: context)
  ///   tag.name = "swift"
  ///   try context.save()
  /// }
  /// ```
  /// - Parameters:
  ///   - retries: the number of times that the block runs again, at most.
  ///   - block: the work, with a save whose errors it throws.
  /// - Returns: the result of the block's last run.
  /// - Throws: the error of the block's last run: one of the codes 133020 and 133021 after too many conflicts;
  ///   `CancellationError` if the task was canceled after a conflict, also while it waited for other callers.
  public func performBackgroundTask<T: Sendable>(
    retryingConflicts retries: Int, _ block: @escaping @Sendable (NSManagedObjectContext) throws -> T
  ) async throws -> T {
    guard retries > 0 else { return try await performBackgroundTask(block) }
    do {
      return try await performBackgroundTask(block)
    } catch let error as CocoaError where error.isConflict {
      try await retryQueue.enter()
      defer { retryQueue.leave() }
      for _ in 1..<retries {
        try Task.checkCancellation()
        do { return try await performBackgroundTask(block) } catch let error as CocoaError where error.isConflict {}
      }
      try Task.checkCancellation()
      return try await performBackgroundTask(block)
    }
  }
}

extension CocoaError {
  /// Whether a save failed because of what others saved.
  fileprivate var isConflict: Bool { code == .managedObjectMerge || code == .managedObjectConstraintMerge }
}
