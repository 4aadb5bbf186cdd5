import Synchronization

/// Notifies the owner of an open store, once, that another opener has migrated it to another version of the model.
///
/// The store calls it wherever it notices: reading, writing, or when it follows the commits of others. Nothing can be read
/// or written from then on.
package final class MigrationNotice: Sendable {
  private enum State {
    case waiting(@Sendable () -> Void)
    /// Noticed before `observe`.
    case early
    case idle
    case posted
  }

  private let state = Mutex(State.idle)

  package init() {}

  /// Calls `handler` when the store has been migrated, now if it was already; at most once.
  package func observe(_ handler: @escaping @Sendable () -> Void) {
    let isEarly = state.withLock { state in
      switch state {
      case .early:
        state = .posted
        return true
      case .idle, .waiting:
        state = .waiting(handler)
        return false
      case .posted: return false
      }
    }
    if isEarly { handler() }
  }

  /// Notes that the store has been migrated.
  package func post() {
    let handler: (@Sendable () -> Void)? = state.withLock { state in
      switch state {
      case .waiting(let handler):
        state = .posted
        return handler
      case .idle:
        state = .early
        return nil
      case .early, .posted: return nil
      }
    }
    handler?()
  }
}
