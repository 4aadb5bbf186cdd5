/// The rejected fields of an event that is kept.
struct FieldProblem {
  /// The field that was refused; nil if the problem is the event's.
  var field: EventField?
  var reason: FeedProblem.Reason
  /// The byte offset in the body.
  var position: Int
}

/// The fields that a body's events lost, each kind of problem once: a service that errs does so in every event.
struct FieldProblems {
  private var kinds: [FeedProblem] = []

  /// Concludes an event, and adds its problems if it is good otherwise.
  ///
  /// - Parameters:
  ///   - index: the number of events before it in the body, good and bad.
  ///   - start: where it begins in the body.
  ///   - place: the line and column of a byte in the body, in formats of lines.
  mutating func conclude(
    _ draft: inout EventDraft, index: Int, start: Int, place: (Int) -> TextPlace? = { _ in nil }
  ) -> EventDocument.Item {
    if let loss = draft.conclude(at: start) {
      return .problem(
        FeedProblem(
          feature: index, position: loss.position, place: place(loss.position), identifier: draft.identifier,
          reason: loss.reason))
    }
    if !draft.problems.isEmpty { add(draft.problems, feature: index, identifier: draft.identifier, place: place) }
    return .event(draft.event)
  }

  private mutating func add(
    _ problems: [FieldProblem], feature: Int, identifier: String?, place: (Int) -> TextPlace?
  ) {
    for refused in problems {
      if let known = kinds.firstIndex(where: { $0.reason.isSameKind(as: refused.reason) }) {
        kinds[known].events = (kinds[known].events ?? 0) + 1
      } else {
        var problem = FeedProblem(
          feature: feature, position: refused.position, place: place(refused.position), identifier: identifier,
          reason: refused.reason)
        problem.events = 1
        kinds.append(problem)
      }
    }
  }

  /// Removes and returns the next kind, in the order of their first events.
  mutating func next() -> FeedProblem? {
    kinds.isEmpty ? nil : kinds.removeFirst()
  }
}
