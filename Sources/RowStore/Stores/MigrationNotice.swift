import Dispatch
import Synchronization

/// Notifies the owner of an open store, once, that another opener has migrated it to another version of the model.
///
/// The store posts the notice wherever it detects the migration: while it reads, writes or follows the commits of other
/// processes, that is, while it holds its locks. The handler therefore runs on the observer's queue: it may release the store,
/// whose deinitializer takes the same locks. After the migration, reads and writes of the open store fail.
package final class MigrationNotice: Sendable {
  private struct Observer {
    let queue: DispatchQueue
    let handler: @Sendable () -> Void

    func notify() { queue.async(execute: handler) }
  }

  private enum State {
    case waiting(Observer)
    /// Noticed before `observe`.
    case early
    case idle
    case posted
  }

  private let state = Mutex(State.idle)

  package init() {}

  /// Calls `handler` on `queue` once the store has been migrated, or right away if it already was; at most once. Replaces an
  /// earlier observer.
  package func observe(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
    let observer = Observer(queue: queue, handler: handler)
    let isEarly = state.withLock { state in
      switch state {
      case .early:
        state = .posted
        return true
      case .idle, .waiting:
        state = .waiting(observer)
        return false
      case .posted: return false
      }
    }
    if isEarly { observer.notify() }
  }

  /// Notes that the store has been migrated.
  package func post() {
    let observer: Observer? = state.withLock { state in
      switch state {
      case .waiting(let observer):
        state = .posted
        return observer
      case .idle:
        state = .early
        return nil
      case .early, .posted: return nil
      }
    }
    observer?.notify()
  }
}
