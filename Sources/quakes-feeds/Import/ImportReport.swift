import StrataQuakes

/// The result of importing one body.
struct ImportReport: Equatable, Sendable {
  var new = 0
  /// Events with a new state, renamed and silently changed ones among them.
  var changed = 0
  var unchanged = 0
  /// Features that could not be used.
  var bad = 0
  /// Ids that occurred in the body more than once; they are also counted above.
  var repeated = 0
  /// Changed events of which the service did not say that it had updated them.
  var silent = 0
  /// Changed events with another ID than before.
  var renamed = 0
  /// Unchanged events of which an earlier state was found.
  var past = 0
  /// Unchanged events whose state turned out to be older than was known.
  var dated = 0
  /// Stored events that are now part of another.
  var merged = 0
  /// Events that the service withdrew, be they stored or in an older body than the one that lacks them.
  var retracted = 0
  /// Stored events that the body lacks and that were kept, because it lacks too many to be credible.
  var doubted = 0
  /// Reports joined to another agency's, and separated from it.
  var joined = 0
  var separated = 0
  /// Whether the body was truncated.
  var isCutOff = false

  var events: Int { new + changed + unchanged }

  /// Whether the catalog differs from before.
  var hasChanges: Bool { new + changed + past + dated + merged + retracted + joined + separated > 0 }

  /// Whether there were events, or the body was complete and empty.
  var isUsable: Bool { events > 0 || (bad == 0 && !isCutOff) }

  mutating func note(_ problem: FeedProblem) {
    if problem.isBadFeature { bad += 1 }
    switch problem.reason {
    case .cutOff, .unreadableRest, .unreadable: isCutOff = true
    default: break
    }
  }
}

extension ImportReport: CustomStringConvertible {
  var description: String {
    let rare = [
      (silent, "changed silently"), (renamed, "renamed"), (past, "with an earlier state"), (merged, "merged"),
      (retracted, "retracted"), (doubted, "missing and kept"), (joined, "joined"), (separated, "separated"),
      (repeated, "repeated"),
    ]
    let parts =
      ["\(new) new", "\(changed) changed", "\(unchanged) unchanged", "\(bad) bad"]
      + rare.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(CountText.of(events, "event")): " + parts.joined(separator: ", ")
      + (isCutOff ? ", body incomplete" : "")
  }
}
