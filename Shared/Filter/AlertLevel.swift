/// How much harm an earthquake may have done, as the service estimates it (PAGER).
public enum AlertLevel: String, CaseIterable, Sendable {
  case green, yellow, orange, red

  /// This level and those above it.
  var andAbove: [String] { levels(">=") }

  /// The levels that are in a relation to this one, such as `>=`.
  func levels(_ sign: String) -> [String] {
    let all = Self.allCases
    let below = Array(all.prefix { $0 != self })
    let above = Array(all.dropFirst(below.count + 1))
    let others = sign.hasPrefix("<") ? below : sign.hasPrefix(">") ? above : []
    return (sign.hasSuffix("=") ? others + [self] : others).map(\.rawValue)
  }
}
