import StrataRowStore
import StrataSupport
import Synchronization

/// Warns when something begins to fail, and not again until it has succeeded.
final class RepeatedWarning: Sendable {
  private let isFailing = Atomic(false)

  func warn(_ text: () -> String) {
    if !isFailing.exchange(true, ordering: .relaxed) { Diagnostics.warn(text()) }
  }

  /// Notes a success.
  func end() { if isFailing.load(ordering: .relaxed) { isFailing.store(false, ordering: .relaxed) } }
}

/// Signals commits, and warns of the first of several that cannot be signaled.
struct SignalWarning: Sendable {
  private let warning = RepeatedWarning()

  func post(_ signal: any CommitSignal, for store: @autoclosure () -> String) {
    do {
      try signal.post()
      warning.end()
    } catch {
      warning.warn { "other processes hear late of commits to '\(store())', until they can be signaled: \(error)" }
    }
  }
}
