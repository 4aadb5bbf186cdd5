/// A field of an earthquake's state; its raw value is the attribute's name.
public enum QuakeField: String, CaseIterable, Sendable {
  case identifier, magnitude, magnitudeType, place, time, updated, longitude, latitude, depth, url, detail
  case felt, cdi, mmi, alert, status, tsunami, significance, network, code, ids, sources, types
  case nst, dmin, rms, gap, type, title, standing, standingReason

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
