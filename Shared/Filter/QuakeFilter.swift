import CoreData
import Foundation

/// Which earthquakes to read. Whatever has a limit must be known: an unknown magnitude is in no range.
public struct QuakeFilter: Equatable, Sendable {
  public var minimumMagnitude: Double?
  public var maximumMagnitude: Double?
  /// Kilometers.
  public var minimumDepth: Double?
  /// Kilometers.
  public var maximumDepth: Double?
  public var since: Date?
  public var until: Date?
  /// `earthquake`, `quarry blast`, …
  public var type: String?
  /// `automatic` or `reviewed`.
  public var status: String?
  /// A network or a service.
  public var source: String?
  public var box: GeoBox?
  public var circle: GeoCircle?
  public var region: RegionArea?
  /// Only earthquakes that people reported to have felt.
  public var isFelt = false
  /// The lowest level of alert.
  public var alert: AlertLevel?
  /// Text that the place or the title contains.
  public var text: String?
  /// Limits on other fields.
  public var limits: [FieldLimit] = []
  /// The user's marks that are required or excluded.
  public var marks: [MarkLimit] = []
  /// Also earthquakes that were withdrawn.
  public var includesRetracted = false
  /// Alternatives and exclusions, each of which must hold too.
  public var combinations: [Combination] = []

  /// A combination of filters, of which the circle and the withdrawn do not count.
  public indirect enum Combination: Equatable, Sendable {
    /// At least one of them must match.
    case any([QuakeFilter])
    /// It must not match.
    case not(QuakeFilter)
  }

  /// Marks are in another store than earthquakes: the limit is which earthquakes they are of.
  public struct MarkLimit: Equatable, Sendable {
    /// Completes a sentence: `35 of them are …`.
    public var words: String
    public var identifiers: [String]
    /// Whether an earthquake must not be among them.
    public var isExcluding: Bool

    public init(_ words: String, _ identifiers: [String], isExcluding: Bool = false) {
      (self.words, self.identifiers, self.isExcluding) = (words, identifiers, isExcluding)
    }
  }

  public init(
    minimumMagnitude: Double? = nil, since: Date? = nil, until: Date? = nil, includesRetracted: Bool = false
  ) {
    (self.minimumMagnitude, self.since, self.until) = (minimumMagnitude, since, until)
    self.includesRetracted = includesRetracted
  }

  /// The conditions that a store or a context judges: all but the circle, of which they judge the box around it.
  public var predicate: NSPredicate {
    NSCompoundPredicate(andPredicateWithSubpredicates: conditions().map(\.predicate))
  }

  /// Whether an earthquake that satisfies the predicate is in the circle, if there is one.
  public func isInCircle(latitude: Double, longitude: Double) -> Bool {
    circle?.contains(latitude: latitude, longitude: longitude) ?? true
  }
}
