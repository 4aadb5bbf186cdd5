import CoreData
import Foundation

/// One state of an earthquake, and since when.
public struct RecordedState: Equatable, Sendable {
  /// The time of the service's first report: when it generated the body, or changed the event.
  public var said: Date
  /// When it was imported.
  public var learnt: Date
  public var state: QuakeState

  public init(said: Date, learnt: Date, state: QuakeState) {
    (self.said, self.learnt, self.state) = (said, learnt, state)
  }
}

extension Quake {
  public var standingValue: Standing { Standing(rawValue: standing) ?? .live }

  /// The current state.
  public var state: QuakeState { state(of: StoredField.all) }

  /// Those fields of the current state.
  func state(of fields: [StoredField]) -> QuakeState {
    var state = QuakeState()
    for field in fields { state[field.field] = field.attribute.value(of: self) }
    return state
  }

  /// The revisions, oldest first.
  public var orderedRevisions: [Revision] {
    revisions.sorted { first, second in
      (first.said ?? .distantPast, first.learnt ?? .distantPast)
        < (second.said ?? .distantPast, second.learnt ?? .distantPast)
    }
  }

  /// Every state, oldest first; the last is the current one.
  public var history: [RecordedState] {
    var state = state
    var records = [RecordedState(said: said ?? .distantPast, learnt: learnt ?? .distantPast, state: state)]
    for revision in orderedRevisions.reversed() {
      state.apply(QuakeState.changes(of: revision.changes ?? "{}"))
      records.append(
        RecordedState(said: revision.said ?? .distantPast, learnt: revision.learnt ?? .distantPast, state: state))
    }
    return records.reversed()
  }

  /// The state as known at a time; nil if it was not known yet.
  public func state(asOf time: Date) -> QuakeState? {
    if let said, said <= time { return state }
    if let firstSaid, firstSaid > time { return nil }
    return history.last { $0.said <= time }?.state
  }
}
