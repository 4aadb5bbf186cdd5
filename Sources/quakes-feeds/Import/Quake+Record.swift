import CoreData
import Foundation
import StrataQuakes

/// The time of a report, and the time of its import.
struct RecordTime: Equatable, Sendable {
  var said: Date
  var learnt: Date
}

/// The result of importing an older document of a known earthquake.
enum PastRecord: Sendable {
  case nothing
  /// A known state was said earlier than was known.
  case earlierTime
  case state
}

extension Quake {
  /// Why an earthquake is retracted that its service deleted.
  static let deletionReason = "the service reports it as deleted"

  /// Records a state that is not older than the current one, which becomes a revision.
  ///
  /// An earthquake that its service lists again is live again; another agency's report stays joined.
  ///
  /// - Returns: the fields that changed, with their former values.
  func record(_ event: ParsedEvent, at time: RecordTime) -> QuakeState.Changes {
    var changes = adopt(event)
    let isDeleted = event.isDeleted
    if isDeleted, standingValue != .retracted {
      changes.merge(stand(.retracted, reason: Quake.deletionReason)) { first, _ in first }
    } else if !isDeleted, standingValue == .retracted || standingValue == .merged {
      changes.merge(stand(.live, reason: nil)) { first, _ in first }
    }
    keep(changes, at: time)
    addAliases(event)
    return changes
  }

  /// Records that an earthquake is no longer listed, or listed again.
  func record(_ standing: Standing, reason: String?, main: Quake? = nil, at time: RecordTime) {
    keep(stand(standing, reason: reason, main: main), at: time)
  }

  /// Sets the first state of a new object.
  func begin(_ event: ParsedEvent, service: String, at time: RecordTime) {
    adoptFirst(event)
    self.service = service
    (said, firstSaid, learnt, firstSeen) = (time.said, time.said, time.learnt, time.learnt)
    if event.isDeleted { _ = stand(.retracted, reason: Quake.deletionReason) }
    var others = event.otherIDs
    if others.count > 1 { others = Array(Set(others)) }
    for identifier in others { insertAlias(identifier) }
  }

  private func stand(_ new: Standing, reason: String?, main: Quake? = nil) -> QuakeState.Changes {
    var changes: QuakeState.Changes = [:]
    if standing != new.rawValue {
      changes[.standing] = .number(Double(standing))
      standing = new.rawValue
    }
    if standingReason != reason {
      changes[.standingReason] = .some(standingReason.map { .text($0) })
      standingReason = reason
    }
    if self.main != main { self.main = main }
    return changes
  }

  /// Makes the former state a revision, unless the same import set it: an event may occur in a body twice.
  private func keep(_ changes: QuakeState.Changes, at time: RecordTime) {
    guard !changes.isEmpty, let context = managedObjectContext else { return }
    if said != time.said || learnt != time.learnt {
      let revision = Revision(context: context)
      revision.changes = QuakeState.text(of: changes)
      (revision.said, revision.learnt, revision.quake) = (said, learnt, self)
    }
    (said, learnt) = (time.said, time.learnt)
    if firstSaid == nil { firstSaid = time.said }
  }

  /// Adds the event's IDs, and this earthquake's former ID. Aliases are never taken away.
  private func addAliases(_ event: ParsedEvent) {
    let others = event.otherIDs
    guard !others.isEmpty else { return }
    addAliases(others)
  }

  func addAliases(_ identifiers: [String]) {
    var known = Set(aliases.map { $0.identifier ?? "" })
    for identifier in identifiers where identifier != self.identifier && known.insert(identifier).inserted {
      insertAlias(identifier)
    }
  }

  private func insertAlias(_ identifier: String) {
    guard let context = managedObjectContext else { return }
    let alias = Alias(context: context)
    (alias.identifier, alias.quake) = (identifier, self)
  }
}

// MARK: - The past

extension Quake {
  /// Records a state that is older than the current one, in its place among the revisions.
  ///
  /// - Parameter confirmed: when the service last said the current state.
  /// - Returns: what the event adds to the history.
  func recordPast(_ event: ParsedEvent, at time: RecordTime, confirmed: Date) -> PastRecord {
    var states = history
    let next = states.firstIndex { $0.said > time.said } ?? states.count
    var state = states[max(0, next - 1)].state
    state.overlay(event)
    if next > 0, states[next - 1].state == state {
      return .nothing
    } else if next < states.count, states[next].state == state {
      states[next].said = time.said
      rewrite(states)
      return .earlierTime
    } else {
      states.insert(RecordedState(said: time.said, learnt: time.learnt, state: state), at: next)
      if next > 0, next + 1 < states.count {
        // A withdrawal keeps the last state's values.
        states[next + 1].state.follow(state, insteadOf: states[next - 1].state)
      }
      // The current state was said before this one, and after it.
      if next == states.count - 1 {
        states.append(RecordedState(said: confirmed, learnt: learnt ?? time.learnt, state: states[next - 1].state))
      }
    }
    rewrite(states)
    return .state
  }

  /// Adds what another document of the same update tells and the current state lacks, such as the peaks of shaking in a
  /// detail document. The state is still that of its report, and the states before it stay as they are.
  ///
  /// - Returns: whether anything was added.
  func complete(_ event: ParsedEvent) -> Bool {
    guard let updated, updated == event.updated else { return false }
    let missing = StoredField.all.filter {
      event.has($0.field) && event.state[$0.field] != nil && $0.attribute.value(of: self) == nil
    }
    guard !missing.isEmpty else { return false }
    var states = history
    for stored in missing { states[states.count - 1].state[stored.field] = event.state[stored.field] }
    rewrite(states)
    return true
  }

  /// Replaces the history; the last state becomes this object's.
  private func rewrite(_ states: [RecordedState]) {
    guard let context = managedObjectContext, let last = states.last else { return }
    for (field, value) in last.state.changes(from: state) { field.stored.attribute.set(value, of: self) }
    if said != last.said { said = last.said }
    if firstSaid != states[0].said { firstSaid = states[0].said }
    var old = orderedRevisions[...]
    for (state, next) in zip(states, states.dropFirst()) {
      let revision = old.popFirst() ?? Revision(context: context)
      let changes = QuakeState.text(of: state.state.changes(from: next.state))
      if revision.changes != changes { revision.changes = changes }
      if revision.said != state.said { revision.said = state.said }
      if revision.learnt != state.learnt { revision.learnt = state.learnt }
      if revision.quake == nil { revision.quake = self }
    }
    for revision in old { context.delete(revision) }
  }
}

extension QuakeState {
  /// Takes over the fields of the state before, if this one differed from its former one in its standing only.
  fileprivate mutating func follow(_ state: QuakeState, insteadOf former: QuakeState) {
    let standing: Set<QuakeField> = [.standing, .standingReason]
    let changed = changes(from: former).keys
    guard changed.contains(.standing), standing.isSuperset(of: changed) else { return }
    let (own, reason) = (self[.standing], self[.standingReason])
    self = state
    (self[.standing], self[.standingReason]) = (own, reason)
  }

  /// Applies the fields of an older document to the state before it.
  fileprivate mutating func overlay(_ event: ParsedEvent) {
    for field in QuakeField.allCases where event.has(field) { self[field] = event.state[field] }
    self[.standing] = .number(Double((event.isDeleted ? Standing.retracted : .live).rawValue))
    self[.standingReason] = event.isDeleted ? .text(Quake.deletionReason) : nil
  }
}
