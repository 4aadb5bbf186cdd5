/// A block that runs on a queue while the caller waits for its result.
///
/// It releases the block and its captures before the waiting caller resumes. A queue would keep them a moment longer.
package final class PassedBlock<Value>: @unchecked Sendable {
  // Sendable: the block is put in before it is queued, and taken out once, where it runs.

  private var block: (() -> Value)?

  package init(_ block: @escaping () -> Value) { self.block = block }

  /// Runs the block and releases it.
  package func run() -> Value {
    guard let block = block.take() else { preconditionFailure("A block that was passed to a queue runs once.") }
    return block()
  }
}
