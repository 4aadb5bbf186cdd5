import Foundation
import StrataFoundationGaps
import StrataRowStore
import StrataRuntime

/// The queues of contexts.
enum ContextQueue {
  static let main = DispatchQueue.main
  static let others = PrivateQueues(label: "NSManagedObjectContext")
}

/// A running block of a context, and the blocks that wait for it.
final class ContextBlock: Sendable {
  let context: NSManagedObjectContext
  /// The block that called `performAndWait`.
  let outer: ContextBlock?
  /// Whether the main queue runs the block, or waits for it.
  let isOnMain: Bool

  init(_ context: NSManagedObjectContext, in outer: ContextBlock?, isOnMain: Bool) {
    self.context = context
    self.outer = outer
    self.isOnMain = isOnMain
  }

  /// The innermost block that the calling thread is in.
  static var current: ContextBlock? {
    strata_context_block().map { Unmanaged<ContextBlock>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` as this block.
  func run<T>(_ body: () throws -> T) rethrows -> T {
    try ReadBurst.run {
      let outer = strata_context_block()
      strata_set_context_block(Unmanaged.passUnretained(self).toOpaque())
      defer { strata_set_context_block(outer) }
      // The thread's pointer is not a strong reference.
      return try withExtendedLifetime(self) { try body() }
    }
  }

  func contains(_ context: NSManagedObjectContext) -> Bool {
    self.context === context || outer?.contains(context) == true
  }
}

/// Runs blocks on its own queue. Libraries have long declared a `performAndWait` that returns a value on the classes
/// themselves: their declaration takes precedence over one on a protocol, while two on the class would be ambiguous.
public protocol _BlockRunning {}

extension _BlockRunning where Self: NSManagedObjectContext {
  /// Runs a block on the context's queue and waits for it. If the caller is already on the queue, the block runs
  /// immediately.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try wait(for: block) }
}

extension NSManagedObjectContext: _BlockRunning {
  /// Whether the caller is on the context's queue. The queue of a block that waits for the caller's block is idle, and
  /// counts as the caller's own: a child's block inside one of its parent may use the parent.
  var isCurrent: Bool {
    switch concurrencyType {
    case _ where executor.confined != nil: true
    case .mainQueueConcurrencyType where MainQueue.isCurrent || ContextBlock.current?.isOnMain == true: true
    case .privateQueueConcurrencyType
    where ContextQueue.others.current == ObjectIdentifier(executor.queue):
      true
    default: ContextBlock.current?.contains(self) == true
    }
  }

  /// Runs what others have enqueued for a context without a queue, such as merges of their saves. Objects that they have deleted
  /// leave the context.
  package final func runEnqueuedBlocks() {
    guard let confined = executor.confined else { return }
    confined.run()
    detachGone()
  }

  func schedule(_ block: @escaping () -> Void) {
    // Only one queue runs the block, and nothing retains it.
    nonisolated(unsafe) let block = block
    enqueue {
      self.beginBlock()
      self.run(block)
      self.endEvent()
      self.endBlock()
    }
  }

  /// Runs a block on the context's queue and waits for it.
  func wait<T>(for block: () throws -> T) rethrows -> T {
    if isCurrent { return try run(block) }
    let waiting = ContextBlock.current
    let isOnMain = waiting?.isOnMain ?? MainQueue.isCurrent
    return try enter(fromMain: isOnMain) {
      beginBlock()
      defer { endBlock() }
      return try run(block, in: waiting, isOnMain: isOnMain)
    }
  }

  /// Runs a block on the context's queue, and processes pending changes afterwards. The task waits without blocking a
  /// thread.
  ///
  /// Blocks do not overlap, but between two calls other blocks may change the context: do what belongs together in one
  /// block.
  ///
  /// ```swift
  /// let strongest = try await context.perform {
  ///   let request = NSFetchRequest<Quake>(entityName: "Quake")
  ///   request.sortDescriptors = [
  ///     NSSortDescriptor(key: "magnitude", ascending: false)
  ///   ]
  ///   request.fetchLimit = 1
  ///   return try context.fetch(request).first?.objectID  // Not the object.
  /// }
  /// ```
  /// - Parameters:
  ///   - schedule: whether the block runs immediately if the caller is already on the queue.
  ///   - block: the work; its objects must not leave it.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block.
  public func perform<T, E: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: sending @escaping () throws(E) -> T
  ) async throws(E) -> sending T {
    // One queue runs the block and returns its result; neither is kept.
    nonisolated(unsafe) let block = block
    if schedule == .immediate, isCurrent { return try finish(Result { () throws(E) -> T in try block() }) }
    let passed = PassedBlock {
      self.beginBlock()
      let result = self.run { Result { () throws(E) -> T in try block() } }
      self.endEvent()
      self.endBlock()
      return result
    }
    nonisolated(unsafe) let result: Result<T, E> = await withCheckedContinuation { continuation in
      enqueue {
        nonisolated(unsafe) let result = passed.run()
        continuation.resume(returning: result)
      }
    }
    return try finish(result)
  }

  private func finish<T, E: Error>(_ result: sending Result<T, E>) throws(E) -> sending T {
    nonisolated(unsafe) let value = try result.get()
    return value
  }

  /// The context's name in logged SQL.
  var label: String { name ?? "0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))" }

  /// A block in which a deletion was merged may still use the objects; the next block no longer finds them.
  private func beginBlock() { detachGone() }

  /// Ends the events and leases of a block on the queue.
  func endBlock() {
    releaseKept()
    endUndoEvent()
  }

  private func run<T>(_ block: () throws -> T) rethrows -> T {
    let outer = ContextBlock.current
    return try run(block, in: outer, isOnMain: outer?.isOnMain == true)
  }

  private func run<T>(_ block: () throws -> T, in outer: ContextBlock?, isOnMain: Bool) rethrows -> T {
    let isOnMain = isOnMain || concurrencyType == .mainQueueConcurrencyType
    return try ContextBlock(self, in: outer, isOnMain: isOnMain).run {
      if !tracker.outdated.isEmpty { rebaseOutdated() }
      return try block()
    }
  }
}

/// The locks from before contexts had queues. They exclude only other callers of these methods.
extension NSManagedObjectContext: NSLocking {
  /// Acquires the context's lock, which keeps out only callers of this method.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func lock() { executor.lock.lock() }

  /// Releases the context's lock.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func unlock() { executor.lock.unlock() }

  /// Acquires the context's lock if it is free.
  /// - Returns: whether the lock was acquired.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func tryLock() -> Bool { executor.lock.try() }
}
