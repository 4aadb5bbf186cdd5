import Foundation
import Synchronization
import Testing

/// Runs the tests of a suite on separate threads.
///
/// The tests run on as many threads as there are processors, and a test that waits for other processes occupies one of
/// them without working. On these threads, such tests can delay only each other.
public struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared, operation: function)
  }
}

extension Trait where Self == WaitingTests {
  /// For tests that mostly wait for other processes.
  public static var waitsForProcesses: Self { WaitingTests() }
}

/// Runs jobs in order on a fixed number of threads.
private final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads(count: 2 * ProcessInfo.processInfo.activeProcessorCount)

  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  private init(count: Int) {
    for _ in 0..<count { Thread.detachNewThread { [self] in runJobs() } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  private func runJobs() {
    while true {
      arrivals.wait()
      let job = jobs.withLock { $0.removeFirst() }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
