/// The steps by which lists, maps and status bars distinguish magnitudes.
///
/// They are not the classes of `QuakeFacts.magnitudeClass`: 2.5 and 4.5 are the limits of the summary feeds.
public enum MagnitudeStep: Int, CaseIterable, Sendable {
  case unknown, micro, light, moderate, strong, major

  /// The step of a magnitude; `unknown` for nil and for NaN.
  public init(_ magnitude: Double?) {
    switch magnitude ?? .nan {
    case ..<2.5: self = .micro
    case ..<4.5: self = .light
    case ..<6: self = .moderate
    case ..<7: self = .strong
    case 7...: self = .major
    default: self = .unknown
    }
  }
}
