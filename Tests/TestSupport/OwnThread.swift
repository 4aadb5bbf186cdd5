import Foundation

/// Runs `body` on a separate thread.
///
/// The tests run on as many threads as there are processors. A test that blocks one of them for seconds, for example until a
/// timeout, prevents other tests from running.
public func onOwnThread<Result>(_ body: () throws -> Result) async rethrows -> Result {
  try await withTaskExecutorPreference(OwnThreads()) { try body() }
}

/// Runs each job on a new thread.
private final class OwnThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
