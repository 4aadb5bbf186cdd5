/// A field of an earthquake's state.
public enum QuakeField: Int, CaseIterable, Sendable {
  case identifier, magnitude, magnitudeType, place, time, updated, longitude, latitude, depth, url, detail
  case felt, cdi, mmi, alert, status, tsunami, significance, network, code, ids, sources, types
  case nst, dmin, rms, gap, type, title, standing, standingReason

  private static let names = allCases.map { "\($0)" }
  private static let byName = Dictionary(uniqueKeysWithValues: zip(names, allCases))

  /// The attribute's.
  public var name: String { Self.names[rawValue] }

  public init?(name: String) {
    guard let field = Self.byName[name] else { return nil }
    self = field
  }

  public enum Kind: Sendable {
    case number, text, date
  }

  public var kind: Kind {
    switch self {
    case .time, .updated: .date
    case .magnitude, .longitude, .latitude, .depth, .felt, .cdi, .mmi, .tsunami, .significance, .nst, .dmin, .rms, .gap,
      .standing:
      .number
    case .identifier, .magnitudeType, .place, .url, .detail, .alert, .status, .network, .code, .ids, .sources, .types,
      .type, .title, .standingReason:
      .text
    }
  }
}
