import Dispatch
import StrataRowStore

/// A save that waits for the writer lock, with others that one COMMIT may include.
///
/// The thread that has the lock makes the save while the saving thread waits for the outcome.
final class QueuedCommit: @unchecked Sendable {
  // Sendable: the queue's lock guards `state`. Only the thread with the writer lock reads `batch` and sets `outcome` until the
  // saving thread, which is that thread or waits for it, continues.

  enum State {
    case waiting
    /// The saving thread is to acquire the lock, for itself and for those behind it.
    case leading
    /// A thread with the lock makes the save.
    case taken
  }

  let batch: ChangeBatch
  var state = State.waiting
  var outcome: Result<CommitReceipt, any Error>?
  /// Signaled when the state becomes `leading`, and when the outcome of a taken save is known.
  let wakeup = DispatchSemaphore(value: 0)

  init(_ batch: ChangeBatch) { self.batch = batch }
}
