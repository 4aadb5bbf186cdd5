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
  public var state: QuakeState {
    func text(_ value: String?) -> QuakeState.Value? { value.map(QuakeState.Value.text) }
    func number(_ value: NSNumber?) -> QuakeState.Value? { value.map { .number($0.doubleValue) } }
    func date(_ value: Date?) -> QuakeState.Value? { value.map(QuakeState.Value.date) }
    var state = QuakeState()
    // Key-value coding would look up each key and cast its value: half the time of an export.
    for field in QuakeField.allCases {
      state[field] =
        switch field {
        case .identifier: text(identifier)
        case .magnitude: number(magnitude)
        case .magnitudeType: text(magnitudeType)
        case .place: text(place)
        case .time: date(time)
        case .updated: date(updated)
        case .longitude: .number(longitude)
        case .latitude: .number(latitude)
        case .depth: number(depth)
        case .url: text(url)
        case .detail: text(detail)
        case .felt: number(felt)
        case .cdi: number(cdi)
        case .mmi: number(mmi)
        case .alert: text(alert)
        case .status: text(status)
        case .tsunami: number(tsunami)
        case .significance: number(significance)
        case .network: text(network)
        case .code: text(code)
        case .ids: text(ids)
        case .sources: text(sources)
        case .types: text(types)
        case .nst: number(nst)
        case .dmin: number(dmin)
        case .rms: number(rms)
        case .gap: number(gap)
        case .type: text(type)
        case .title: text(title)
        case .standing: .number(Double(standing))
        case .standingReason: text(standingReason)
        }
    }
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
