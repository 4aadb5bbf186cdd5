import Dispatch
import Synchronization

/// Notifies the owner of an open store, once, that another opener has migrated it to another version of the model.
///
/// The store posts it wherever it notices: reading, writing, or when it follows the commits of others, and so under its own
/// locks. The handler runs on its queue and not there, because it may release the store, whose deinitializer takes the same
/// locks. Nothing can be read or written from then on.
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

  /// Calls `handler` on a queue when the store has been migrated, also if it was already; at most once.
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
