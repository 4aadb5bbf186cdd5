/// How much harm an earthquake may have done, as the service estimates it (PAGER).
public enum AlertLevel: String, CaseIterable, Sendable {
  case green, yellow, orange, red

  /// This level and those above it.
  var andAbove: [String] { Self.allCases.drop { $0 != self }.map(\.rawValue) }
}
