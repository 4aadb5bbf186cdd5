/// The wake-up after a commit, for all programs that have the store open: in this process and others.
///
/// A signal carries no data. It may be lost (if its sender dies first), duplicated or combined with others (invariant 2).
/// So a process that wakes reads the history after its own position; a lost signal causes delay, never a lost change
/// (invariant 4).
package protocol CommitSignal: Sendable {
  associatedtype Observation: SignalObservation

  /// Wakes every observer of the store, in this process too. Call it after COMMIT has returned and the writer lock is
  /// released, never before (invariant 2). If the back end's COMMIT itself wakes the others, this does nothing.
  /// - Throws: if others will be notified late. The commit stands regardless.
  func post() throws

  /// Calls `onChange` when a process may have committed, until the observation is canceled or released. The watch
  /// is in place when this returns: read the history afterwards, and no commit is missed.
  ///
  /// `onChange` is called on a thread of the signal's, once for any number of simultaneous signals, and occasionally
  /// without cause. It must not block: hop to a queue of your own.
  func observe(_ onChange: @escaping @Sendable () -> Void) throws -> Observation
}

/// An observation of a store's signal, in force until canceled or released. Thread-safe.
package protocol SignalObservation: AnyObject, Sendable {
  /// Ends the observation: after this returns no call of `onChange` begins, except one already under way. Idempotent;
  /// may be called from `onChange`.
  func cancel()
}

/// A store that others can commit to while it is open here.
package protocol CommitSignaling: BackEnd {
  /// Wakes all observers that have the store open.
  var signal: any CommitSignal { get }

  /// Makes a probe, which notices commits from now on.
  func makeCommitProbe() throws -> any CommitProbe
}

/// Detects commits to a store whose history does not tell.
package protocol CommitProbe: AnyObject, Sendable {
  /// Whether there was a commit since the last call, or since the probe was made.
  func hasChanged() throws -> Bool

  func close()
}
