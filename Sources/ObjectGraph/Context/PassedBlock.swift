/// A block that goes to a queue, and whose result somebody waits for.
///
/// The queue would hold the block, and all that it captured, for a moment after its result is known. Whoever waits would go
/// on meanwhile, and find alive what nobody uses any more. This lets go of it first.
package final class PassedBlock<Value>: @unchecked Sendable {
  // Sendable: the block is put in before it is queued, and taken out once, where it runs.

  private var block: (() -> Value)?

  package init(_ block: @escaping () -> Value) { self.block = block }

  /// Runs the block and lets go of it.
  package func run() -> Value {
    guard let block = block.take() else { preconditionFailure("A block that was passed to a queue runs once.") }
    return block()
  }
}
