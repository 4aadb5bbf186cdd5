import Foundation

/// Keeps the main queue and the contexts below its contexts from waiting for each other.
///
/// A thread on the main queue that waits for a context below answers meanwhile what the block that runs there asks of
/// contexts on the main queue; `DispatchQueue.sync` alone would wait for ever.
final class MainQueueLoan: @unchecked Sendable {
  // Sendable: what changes does so under the condition's lock.

  static let shared = MainQueueLoan()

  /// A block for the main queue, and on whose queues the thread is that waits for it.
  private final class Question: @unchecked Sendable {
    // Sendable: the block is run and forgotten by the one thread that took the question from the list.
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

  /// The turn of a thread that waits for a queue: the queue is at rest while the thread runs its block.
  private final class Turn: @unchecked Sendable {
    // Sendable: whether it has come is under the condition's lock.
    var hasCome = false
    let isOver = DispatchSemaphore(value: 0)
  }

  private let condition = NSCondition()
  private var questions: [Question] = []

  /// Runs `body` on the main queue, on which the caller is not, and waits for it.
  func ask<T>(_ body: () throws -> T) rethrows -> T {
    try Self.handOver(body, rescue: { throw $0 }) { work in
      let question = Question(work, by: ContextBlock.queues)
      condition.withLock {
        questions.append(question)
        condition.signal()
      }
      ContextQueue.main.async { if self.take({ $0 === question }) != nil { question.answer() } }
      question.wait()
    }
  }

  private func take(_ isWanted: (Question) -> Bool) -> Question? {
    condition.withLock { questions.firstIndex(where: isWanted).map { questions.remove(at: $0) } }
  }

  /// Puts a block on the queue of a context below the main queue.
  func enqueue(_ block: @escaping @Sendable () -> Void, for context: NSManagedObjectContext) {
    condition.withLock {
      context.blocks += 1
      context.queue.async {
        block()
        self.leave(context)
      }
    }
  }

  private func leave(_ context: NSManagedObjectContext) { condition.withLock { context.blocks -= 1 } }

  /// Runs `body` on the queue of a context below the main queue, on which the caller is not, and waits for it.
  /// - Parameter isOnMain: whether the caller is on the main queue.
  func enter<T>(_ context: NSManagedObjectContext, fromMain isOnMain: Bool, _ body: () throws -> T) rethrows -> T {
    condition.lock()
    context.blocks += 1
    defer { leave(context) }
    guard isOnMain else {
      condition.unlock()
      return try context.queue.sync(execute: body)
    }
    // Nobody else can come before `body` as long as the lock is held.
    if context.blocks == 1 {
      return try context.queue.sync {
        condition.unlock()
        return try body()
      }
    }
    let turn = Turn()
    context.queue.async {
      self.condition.withLock {
        turn.hasCome = true
        self.condition.signal()
      }
      turn.isOver.wait()
    }
    condition.unlock()
    defer { turn.isOver.signal() }
    answer(until: turn, sequence(first: context, next: \.parent).map(ObjectIdentifier.init))
    return try body()
  }

  /// Answers on the main queue what threads ask that stand before a turn: those on the queues of `contexts`. Others wait
  /// for the main queue, whose block knows nothing of their changes.
  private func answer(until turn: Turn, _ contexts: [ObjectIdentifier]) {
    func isInTheWay(_ question: Question) -> Bool { question.askers.contains(where: contexts.contains) }
    while true {
      condition.lock()
      while !turn.hasCome, !questions.contains(where: isInTheWay) { condition.wait() }
      let isOver = turn.hasCome
      condition.unlock()
      if isOver { return }
      take(isInTheWay)?.answer()
    }
  }

  /// Hands `body` over to another thread by way of `pass`, which waits for it, and passes on what it returns or throws.
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
  /// The contexts on whose queues the calling thread is.
  fileprivate static var queues: [ObjectIdentifier] {
    let blocks = sequence(first: current, next: { $0?.outer }).prefix { $0 != nil }
    let contexts = blocks.compactMap { $0.map { ObjectIdentifier($0.context) } }
    return contexts + (DispatchQueue.getSpecific(key: ContextQueue.owner).map { [$0] } ?? [])
  }
}

extension NSManagedObjectContext {
  /// Runs `body` on the context's queue, on which the caller is not, and waits for it.
  /// - Parameter isOnMain: whether the caller is on the main queue.
  func enter<T>(fromMain isOnMain: Bool, _ body: () throws -> T) rethrows -> T {
    if concurrencyType == .mainQueueConcurrencyType { return try MainQueueLoan.shared.ask(body) }
    if isBelowMain { return try MainQueueLoan.shared.enter(self, fromMain: isOnMain, body) }
    return try queue.sync(execute: body)
  }

  /// Puts a block on the context's queue.
  func enqueue(_ block: @escaping @Sendable () -> Void) {
    if isBelowMain { MainQueueLoan.shared.enqueue(block, for: self) } else { queue.async(execute: block) }
  }
}
