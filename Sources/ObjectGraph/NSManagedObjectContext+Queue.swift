import Foundation

/// The queues of contexts, and how a thread knows on whose it is.
enum ContextQueue {
  static let owner = DispatchSpecificKey<ObjectIdentifier>()
  private static let mainMark = DispatchSpecificKey<Bool>()

  static let main = DispatchQueue.main

  /// True; marks the queue when it is asked for.
  private static let isMainMarked = {
    main.setSpecific(key: mainMark, value: true)
    return true
  }()

  /// Under an asynchronous `main` the main queue runs on a thread that is not the main thread.
  static var isMain: Bool {
    Thread.isMainThread || isMainMarked && DispatchQueue.getSpecific(key: mainMark) == true
  }

  static func makePrivate() -> DispatchQueue { DispatchQueue(label: "NSManagedObjectContext", qos: .userInitiated) }
}

extension NSManagedObjectContext {
  /// The context whose block runs on this thread.
  @TaskLocal static var performing: NSManagedObjectContext?

  /// Whether the caller is on the context's queue.
  var isCurrent: Bool {
    switch concurrencyType {
    case .mainQueueConcurrencyType: ContextQueue.isMain
    case .privateQueueConcurrencyType: DispatchQueue.getSpecific(key: ContextQueue.owner) == ObjectIdentifier(self)
    }
  }

  /// Runs a block on the context's queue, later; afterwards the changes are processed.
  public func perform(_ block: @escaping () -> Void) {
    // The block goes to one queue and nobody keeps it.
    nonisolated(unsafe) let block = block
    queue.async {
      self.run(block)
      self.processPendingChanges()
      self.endUndoEvent()
    }
  }

  /// Runs a block on the context's queue and waits for it; at once if the caller is there already.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    if isCurrent { return try run(block) }
    return try queue.sync {
      defer { endUndoEvent() }
      return try run(block)
    }
  }

  /// Runs a block on the context's queue and returns what it returns; afterwards the changes are processed.
  /// - Parameter schedule: whether the block may run at once if the caller is on the context's queue already.
  public func perform<T, E: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: sending @escaping () throws(E) -> T
  ) async throws(E) -> sending T {
    // The block goes to one queue, its result comes back from there, and neither stays behind.
    nonisolated(unsafe) let block = block
    if schedule == .immediate, isCurrent { return try finish(Result { () throws(E) -> T in try block() }) }
    nonisolated(unsafe) let result: Result<T, E> = await withCheckedContinuation { continuation in
      queue.async {
        nonisolated(unsafe) let result = self.run { Result { () throws(E) -> T in try block() } }
        self.processPendingChanges()
        self.endUndoEvent()
        continuation.resume(returning: result)
      }
    }
    return try finish(result)
  }

  private func finish<T, E: Error>(_ result: sending Result<T, E>) throws(E) -> sending T {
    nonisolated(unsafe) let value = try result.get()
    return value
  }

  private func run<T>(_ block: () throws -> T) rethrows -> T {
    try Self.$performing.withValue(self) { try ConcurrencyDebug.enter(self, block) }
  }
}
