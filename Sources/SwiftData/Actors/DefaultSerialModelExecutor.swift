import Dispatch

/// Runs the code of a model actor on a queue: the main queue for the main context, otherwise one of its own.
///
/// See <https://developer.apple.com/documentation/swiftdata/defaultserialmodelexecutor>
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
  // Sendable: the context is used on the queue alone.

  /// The context that the code uses.
  public final let modelContext: ModelContext
  private let queue: DispatchQueue

  /// Makes an executor of a context, which nothing else may use from now on.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    queue = modelContext.isMain ? .main : DispatchQueue(label: "ModelActor")
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
