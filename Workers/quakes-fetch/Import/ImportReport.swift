/// What came of importing one body.
struct ImportReport: Equatable, Sendable {
  var new = 0
  var changed = 0
  var unchanged = 0
  /// Features that could not be used.
  var bad = 0
  /// Ids that stood in the body more than once; they count under what they did.
  var repeated = 0
  /// The body ended before its end.
  var isCutOff = false

  var events: Int { new + changed + unchanged }

  /// There was something to use, or the body was whole and said that nothing happened.
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
