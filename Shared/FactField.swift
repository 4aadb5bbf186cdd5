import Foundation

/// A field of an earthquake as commands write it, by its name.
public struct FactField: Sendable {
  public let name: String
  public let value: @Sendable (QuakeFacts) -> FactValue

  init(_ name: String, _ value: @escaping @Sendable (QuakeFacts) -> FactValue) {
    (self.name, self.value) = (name, value)
  }

  /// In the order in which JSON has them.
  public static let all = [
    FactField("id") { .text($0.identifier) },
    FactField("magnitude") { .number($0.magnitude) },
    FactField("magnitude_type") { .text($0.magnitudeType) },
    FactField("place") { .text($0.place) },
    FactField("time") { .date($0.time) },
    FactField("updated") { .date($0.updated) },
    FactField("nearest_city") { .city($0.nearestCity) },
    FactField("region") { .text($0.region) },
    FactField("longitude") { .number($0.longitude) },
    FactField("latitude") { .number($0.latitude) },
    FactField("depth_km") { .number($0.depth) },
    distance,
    FactField("type") { .text($0.type) },
    FactField("status") { .text($0.status) },
    FactField("alert") { .text($0.alert) },
    FactField("tsunami_flag") { .integer($0.tsunami) },
    FactField("significance") { .integer($0.significance) },
    FactField("felt_reports") { .integer($0.felt) },
    FactField("reported_intensity") { .number($0.cdi) },
    FactField("computed_intensity") { .number($0.mmi) },
    FactField("network") { .text($0.network) },
    FactField("standing") { .text($0.standing.description) },
    FactField("standing_reason") { .text($0.standingReason) },
    FactField("aliases") { .texts($0.aliases) },
    FactField("url") { .text($0.url) },
    FactField("title") { .text($0.title) },
    starred, acknowledged, note,
  ]

  /// Without the unit, which is a part of the name: `depth`.
  private static let otherNames = ["depth": "depth_km", "distance": "distance_km"]

  /// - Returns: nil if there is no such field.
  public static func named(_ name: String) -> FactField? {
    let name = otherNames[name] ?? name
    return all.first { $0.name == name }
  }

  /// From the point that was asked for, to 100 meters.
  private static let distance = FactField("distance_km") { .number($0.distance.map { ($0 * 10).rounded() / 10 }) }

  /// The user's own.
  private static let starred = FactField("starred") { .bool($0.mark?.isStarred) }
  private static let acknowledged = FactField("acknowledged") { .date($0.mark?.acknowledged) }
  private static let note = FactField("note") { .text($0.mark?.note) }

  /// The fields of an earthquake, with a distance only if a point was given, and with marks only if they were read.
  static func all(of quake: QuakeFacts) -> [FactField] {
    let left = (quake.distance == nil ? [distance] : []) + (quake.mark == nil ? [starred, acknowledged, note] : [])
    return left.isEmpty ? all : all.filter { field in !left.contains { $0.name == field.name } }
  }
}

/// A field's value.
public enum FactValue: Sendable {
  case text(String?)
  case number(Double?)
  case integer(Int?)
  case bool(Bool?)
  case date(Date?)
  case texts([String])
  case city(NearestCity?)

  /// As people read it; empty if it is not known.
  public var text: String {
    switch self {
    case .text(let text): text ?? ""
    case .number(let number): number.map { Int(exactly: $0).map(String.init) ?? String($0) } ?? ""
    case .integer(let integer): integer.map(String.init) ?? ""
    case .bool(let bool): bool.map(String.init) ?? ""
    case .date(let date): date.map { ISO8601.text($0) } ?? ""
    case .texts(let texts): texts.joined(separator: ",")
    case .city(let city): city?.text() ?? ""
    }
  }
}

extension JSONText {
  /// Writes one earthquake as in `quakes list --json` and `quakes show --json`.
  ///
  /// - Parameter fields: nil for all.
  public mutating func quake(_ key: String? = nil, _ quake: QuakeFacts, fields: [FactField]? = nil) {
    object(key) { json in
      for field in fields ?? FactField.all(of: quake) { json.value(field.name, field.value(quake)) }
    }
  }

  private mutating func value(_ key: String, _ value: FactValue) {
    switch value {
    case .text(let text): string(key, text)
    case .number(let number): self.number(key, number)
    case .integer(let integer): self.integer(key, integer)
    case .bool(let bool?): self.bool(key, bool)
    case .bool(nil): string(key, nil)
    case .date(let date): self.date(key, date)
    case .texts(let texts): array(key) { array in for text in texts { array.string(text) } }
    case .city(let city): nearestCity(key, city)
    }
  }
}
