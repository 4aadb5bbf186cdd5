/// The result of importing one body.
struct ImportReport: Equatable, Sendable {
  var new = 0
  var changed = 0
  var unchanged = 0
  /// Features that could not be used.
  var bad = 0
  /// Ids that occurred in the body more than once; they are also counted above.
  var repeated = 0
  /// Whether the body was truncated.
  var isCutOff = false

  var events: Int { new + changed + unchanged }

  /// Whether there were events, or the body was complete and empty.
  var isUsable: Bool { events > 0 || (bad == 0 && !isCutOff) }

  mutating func note(_ problem: FeedProblem) {
    if problem.isBadFeature { bad += 1 }
    if problem.reason == .cutOff || problem.reason == .unreadableRest { isCutOff = true }
  }
}

extension ImportReport: CustomStringConvertible {
  var description: String {
    let text = "\(events) events: \(new) new, \(changed) changed, \(unchanged) unchanged, \(bad) bad"
    return text + (repeated > 0 ? ", \(repeated) repeated" : "") + (isCutOff ? ", body incomplete" : "")
  }
}
