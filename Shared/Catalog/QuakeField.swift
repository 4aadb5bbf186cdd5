/// A field of an earthquake's state, described by `StoredField`. Commands write the fields in this order.
public enum QuakeField: Int, CaseIterable, Sendable {
  case identifier, magnitude, magnitudeType, place, time, updated, longitude, latitude, depth
  case type, status, alert, tsunami, significance, felt, cdi, mmi
  case peakAcceleration, peakVelocity, types, network, standing, standingReason, ids, url, title
  case horizontalError, depthError, magnitudeError, nst, magnitudeStations, dmin, gap, rms
  case locationSource, magnitudeSource, firstSeen
  case code, detail, sources

  private static let names = allCases.map { "\($0)" }
  private static let byName = Dictionary(uniqueKeysWithValues: zip(names, allCases))

  /// The attribute's.
  public var name: String { Self.names[rawValue] }

  public init?(name: String) {
    guard let field = Self.byName[name] else { return nil }
    self = field
  }

  /// How it is stored, written and read.
  public var stored: StoredField { StoredField.all[rawValue] }
}

/// A set of fields, in one word.
public struct QuakeFieldSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  public init() {}

  public init(_ fields: some Sequence<QuakeField>) {
    for field in fields { insert(field) }
  }

  public var isEmpty: Bool { bits == 0 }

  public func contains(_ field: QuakeField) -> Bool { bits & (1 << UInt64(field.rawValue)) != 0 }

  public mutating func insert(_ field: QuakeField) { bits |= 1 << UInt64(field.rawValue) }

  public mutating func formUnion(_ other: QuakeFieldSet) { bits |= other.bits }
}

extension QuakeFieldSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral fields: QuakeField...) {
    self.init(fields)
  }
}
