/// A reason to doubt the b-value.
public enum StatisticsWarning: Equatable, Sendable {
  /// The numbers of earthquakes that count for the b-value, the most first.
  case mixedNetworks([NamedCount])
  case mixedMagnitudeTypes([NamedCount])
  /// The magnitude of completeness that was given is below all estimates; the lowest of them.
  case lowCompleteness(Double)
  /// The goodness of fit, in percent, which is too low for each magnitude of completeness.
  case poorFit(Double)

  public struct NamedCount: Equatable, Sendable {
    public var name: String
    public var count: Int
  }

  public var code: String {
    switch self {
    case .mixedNetworks: "mixed_networks"
    case .mixedMagnitudeTypes: "mixed_magnitude_types"
    case .lowCompleteness: "low_completeness"
    case .poorFit: "poor_fit"
    }
  }

  /// - Parameter space: between the name and the number of a count.
  public func text(space: Character = " ") -> String {
    switch self {
    case .mixedNetworks(let counts):
      "the b-value mixes \(counts.count) networks (\(Self.list(counts, space))). Each has its own completeness and its own "
        + "magnitudes; --source selects one."
    case .mixedMagnitudeTypes(let counts):
      "the b-value mixes \(counts.count) types of magnitude (\(Self.list(counts, space))), which are different scales."
    case .lowCompleteness(let least):
      "the given magnitude of completeness is below all estimates, the lowest of which is "
        + "\(DecimalText.oneDigit(least)), so the b-value is probably too small."
    case .poorFit(let fit):
      "the magnitudes do not follow the law of Gutenberg and Richter from any magnitude on: it explains "
        + "\(DecimalText.whole(fit)) % of the counts at best."
    }
  }

  /// `nc 2100, ci 38`.
  private static func list(_ counts: [NamedCount], _ space: Character) -> String {
    counts.map { "\($0.name)\(space)\($0.count)" }.joined(separator: ", ")
  }
}
