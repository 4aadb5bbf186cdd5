import Foundation

/// How often earthquakes of each size occur, by the law of Gutenberg and Richter, and what this is based on.
public struct FrequencyMagnitude: Equatable, Sendable {
  /// One by each method; empty if there are too few earthquakes.
  public let estimates: [CompletenessEstimate]
  /// The magnitude of completeness that was given or else estimated by maximum curvature; nil if there are too few.
  public let completeness: Double?
  public let isCompletenessGiven: Bool
  /// The number of earthquakes with a magnitude.
  public let total: Int
  /// The number of earthquakes of the magnitude of completeness and above.
  public let count: Int
  /// nil if these are too few, or all alike.
  public let bValue: BValue?
  public let intervals: MagnitudeBootstrap?

  /// - Parameters:
  ///   - histogram: of earthquakes alone; other events follow no such law.
  ///   - completeness: nil to estimate it.
  public init(_ histogram: MagnitudeHistogram, completeness: Double? = nil) {
    estimates = CompletenessEstimate.all(of: histogram)
    let given = completeness.flatMap(MagnitudeHistogram.bin)
    isCompletenessGiven = given != nil
    self.completeness = given.map(MagnitudeHistogram.magnitude) ?? estimates.first?.magnitude
    let bin = self.completeness.flatMap(MagnitudeHistogram.bin)
    total = histogram.total
    count = bin.map(histogram.count) ?? 0
    bValue = bin.flatMap { BValue(histogram, from: $0) }
    intervals = bValue == nil ? nil : MagnitudeBootstrap(histogram, from: given)
  }

  /// The lowest and the highest magnitude of completeness that the methods found.
  public var completenessRange: ClosedRange<Double>? { Self.range(estimates.compactMap(\.magnitude)) }

  /// The lowest and the highest b-value that follow from these.
  public var bRange: ClosedRange<Double>? { Self.range(estimates.compactMap { $0.bValue?.b }) }

  private static func range(_ values: [Double]) -> ClosedRange<Double>? {
    guard let least = values.min(), let most = values.max() else { return nil }
    return least...most
  }
}
