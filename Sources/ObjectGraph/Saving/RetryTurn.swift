import Dispatch
import Synchronization

/// The turn of saves that must be repeated because others have committed the same rows; one at a time for each source.
///
/// Each commit makes all saves of these rows stale that wait for the store. If all of them repeat at once, only one in each
/// round succeeds, and one of many may lose in every round. Only those that have lost take a turn: a first attempt waits
/// for nobody.
struct RetryTurn {
  /// The turns of the sources for which a save has or awaits one.
  private static let turns = Mutex<[ObjectIdentifier: (turn: DispatchSemaphore, saves: Int)]>([:])

  /// How long to wait. A merge policy or an observer that runs in a turn may wait for a context whose save waits here.
  private static let patience = DispatchTimeInterval.seconds(1)

  private let source: ObjectIdentifier
  private let turn: DispatchSemaphore

  /// Waits for the turn. The caller ends it.
  /// - Returns: nil if others took too long.
  init?(of source: any ObjectSource) {
    let identifier = ObjectIdentifier(source as AnyObject)
    self.source = identifier
    turn = Self.turns.withLock { turns in
      var entry = turns[identifier] ?? (DispatchSemaphore(value: 1), 0)
      entry.saves += 1
      turns[identifier] = entry
      return entry.turn
    }
    guard turn.wait(timeout: .now() + Self.patience) == .success else {
      leave()
      return nil
    }
  }

  func end() {
    turn.signal()
    leave()
  }

  private func leave() {
    Self.turns.withLock { turns in
      turns[source]?.saves -= 1
      if turns[source]?.saves == 0 { turns[source] = nil }
    }
  }
}
