import Foundation

/// Prevents deadlocks between the main queue and contexts whose ancestors use it.
///
/// While a main-queue thread waits for such a context, it runs the main-queue work that the context's block requests;
/// with `DispatchQueue.sync` alone the two would wait for each other forever.
final class MainQueueHandoff: @unchecked Sendable {
  // Sendable: mutable state is protected by the condition's lock.

  static let shared = MainQueueHandoff()

  /// A block to run on the main queue, and the context queues that the waiting thread occupies.
  private final class Question: @unchecked Sendable {
    // Sendable: only the thread that removed the question from the list runs and releases the block.
    private var work: (() -> Void)?
    let askers: [ObjectIdentifier]
    private let answered = DispatchSemaphore(value: 0)

    init(_ work: @escaping () -> Void, by askers: [ObjectIdentifier]) {
      self.work = work
      self.askers = askers
    }

    func answer() {
      work?()
      work = nil
      answered.signal()
    }

    func wait() { answered.wait() }
  }

  /// A thread waiting for a queue: the queue is idle while the thread runs its block.
  private final class Turn: @unchecked Sendable {
    // Sendable: `hasCome` is protected by the condition's lock.
    var hasCome = false
    let isOver = DispatchSemaphore(value: 0)
  }

  private let condition = NSCondition()
  private var questions: [Question] = []

  /// Runs `body` on the main queue and waits for it. The caller must not be on the main queue.
  func ask<T>(_ body: () throws -> T) rethrows -> T {
    try Self.handOver(body, rescue: { throw $0 }) { work in
      let question = Question(work, by: ContextBlock.queues)
      condition.withLock {
        questions.append(question)
        condition.signal()
      }
      ContextQueue.main.async { if self.removeQuestion({ $0 === question }) != nil { question.answer() } }
      question.wait()
    }
  }

  private func removeQuestion(_ isWanted: (Question) -> Bool) -> Question? {
    condition.withLock { questions.firstIndex(where: isWanted).map { questions.remove(at: $0) } }
  }

  /// Enqueues a block on the queue of a context below the main queue.
  func enqueue(_ block: @escaping @Sendable () -> Void, for context: NSManagedObjectContext) {
    condition.withLock {
      context.executor.blocks += 1
      context.executor.queue.async {
        block()
        self.leave(context)
      }
    }
  }

  private func leave(_ context: NSManagedObjectContext) { condition.withLock { context.executor.blocks -= 1 } }

  /// Runs `body` on the queue of a context below the main queue and waits for it. The caller must not be on that queue.
  /// - Parameter isOnMain: whether the caller is on the main queue.
  func enter<T>(_ context: NSManagedObjectContext, fromMain isOnMain: Bool, body: () throws -> T) rethrows -> T {
    condition.lock()
    context.executor.blocks += 1
    defer { leave(context) }
    guard isOnMain else {
      condition.unlock()
      return try context.executor.queue.sync(execute: body)
    }
    // No other thread can enter before `body` while the lock is held.
    if context.executor.blocks == 1 {
      return try context.executor.queue.sync {
        condition.unlock()
        return try body()
      }
    }
    let turn = Turn()
    context.executor.queue.async {
      self.condition.withLock {
        turn.hasCome = true
        self.condition.signal()
      }
      turn.isOver.wait()
    }
    condition.unlock()
    defer { turn.isOver.signal() }
    let ahead = sequence(first: context, next: \.parent)
    let queues = ahead.filter { $0.concurrencyType == .privateQueueConcurrencyType }.map {
      ObjectIdentifier($0.executor.queue)
    }
    answer(until: turn, ahead.map(ObjectIdentifier.init) + queues)
    return try body()
  }

  /// Runs, on the main queue, the questions of threads that are ahead of a turn: those on the queues of `contexts`, which
  /// are named by the contexts and by the queues themselves.
  /// Others wait until the main queue is free, since its current block does not expect their changes.
  private func answer(until turn: Turn, _ contexts: [ObjectIdentifier]) {
    func isInTheWay(_ question: Question) -> Bool { question.askers.contains(where: contexts.contains) }
    while true {
      condition.lock()
      while !turn.hasCome, !questions.contains(where: isInTheWay) { condition.wait() }
      let isOver = turn.hasCome
      condition.unlock()
      if isOver { return }
      removeQuestion(isInTheWay)?.answer()
    }
  }

  /// Passes `body` to another thread through `pass`, which waits for it, and returns or rethrows its result.
  private static func handOver<T>(
    _ body: () throws -> T, rescue: (any Error) throws -> T, by pass: (@escaping () -> Void) -> Void
  ) rethrows -> T {
    var result: Result<T, any Error>?
    withoutActuallyEscaping(body) { body in pass { result = Result { try body() } } }
    switch result {
    case .success(let value)?: return value
    case .failure(let error)?: return try rescue(error)
    case nil: fatalError("A block for the main queue was not run.")
    }
  }
}

extension ContextBlock {
  /// The contexts whose queues the calling thread occupies, and the private queue that it is on.
  fileprivate static var queues: [ObjectIdentifier] {
    let blocks = sequence(first: current, next: { $0?.outer }).prefix { $0 != nil }
    let contexts = blocks.compactMap { $0.map { ObjectIdentifier($0.context) } }
    return contexts + (ContextQueue.others.current.map { [$0] } ?? [])
  }
}

extension NSManagedObjectContext {
  /// Runs `body` on the context's queue and waits for it. The caller must not be on that queue.
  /// - Parameter isOnMain: whether the caller is on the main queue.
  func enter<T>(fromMain isOnMain: Bool, _ body: () throws -> T) rethrows -> T {
    if concurrencyType == .mainQueueConcurrencyType { return try MainQueueHandoff.shared.ask(body) }
    if executor.isBelowMainQueue { return try MainQueueHandoff.shared.enter(self, fromMain: isOnMain, body: body) }
    return try executor.queue.sync(execute: body)
  }

  /// Enqueues a block on the context's queue.
  func enqueue(_ block: @escaping @Sendable () -> Void) {
    if let confined = executor.confined {
      confined.add(block)
    } else if executor.isBelowMainQueue {
      MainQueueHandoff.shared.enqueue(block, for: self)
    } else {
      executor.queue.async(execute: block)
    }
  }
}
