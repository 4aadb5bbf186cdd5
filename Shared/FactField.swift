import Foundation

/// A field of an earthquake as commands write it, by its name.
public struct FactField: Sendable {
  public let name: String
  public let value: @Sendable (QuakeFacts) -> FactValue

  init(_ name: String, _ value: @escaping @Sendable (QuakeFacts) -> FactValue) {
    (self.name, self.value) = (name, value)
  }

  /// A stored field under its name for commands.
  private init?(_ stored: StoredField) {
    guard let name = stored.outputName else { return nil }
    let field = stored.field
    self.init(name) { quake in
      switch stored.kind {
      case _ where field == .standing: .text(quake.standing.description)
      case .number: .number(quake.number(field))
      case .integer: .integer(quake.integer(field))
      case .text: .text(quake.text(field))
      case .date: .date(quake.date(field))
      case .list: .texts(quake.list(field))
      }
    }
  }

  /// In the order in which JSON has them: the stored fields, and those that follow from them.
  public static let all =
    StoredField.facts.flatMap { stored -> [FactField] in
      let others: [FactField] =
        switch stored.field {
        case .updated: [nearestCity, region]
        case .depth: [distance]
        default: []
        }
      return [FactField(stored)].compactMap { $0 } + others
    } + marks

  private static let units = ["km", "degrees", "seconds", "g", "cm_s"]
  private static let abbreviations = [
    "lat": "latitude", "lon": "longitude", "lng": "longitude", "dist": "distance", "city": "nearest_city",
  ]

  /// - Parameter name: also without the unit, as in `depth`; abbreviated, as in `lat`; or the USGS's name, such as `mag`.
  /// - Returns: nil if there is no such field.
  public static func named(_ name: String) -> FactField? {
    let usual = abbreviations[name] ?? name
    let names = [usual] + units.map { "\(usual)_\($0)" }
    return all.first { names.contains($0.name) } ?? StoredField.facts.first { $0.usgs?.name == name }.flatMap(Self.init)
  }

  /// The fields that a user names, each once, however often and under whichever of its names it is listed.
  ///
  /// - Parameter unknown: the error for a name that is not a field's.
  public static func named<Problem: Error>(
    _ names: [String], unknown: (String) -> Problem
  ) throws(Problem) -> [FactField] {
    try NameList.values(names, named: named, unknown: unknown, name: \.name)
  }

  private static let nearestCity = FactField("nearest_city") { .city($0.nearestCity) }
  private static let region = FactField("region") { .text($0.region) }

  /// From the point that was asked for, to 100 meters.
  private static let distance = FactField("distance_km") { .number($0.distance.map { ($0 * 10).rounded() / 10 }) }

  /// The user's own.
  private static let starred = FactField("starred") { .bool($0.mark?.isStarred) }
  private static let acknowledged = FactField("acknowledged") { .date($0.mark?.acknowledged) }
  private static let note = FactField("note") { .text($0.mark?.note) }

  private static let marks = [starred, acknowledged, note]
  private static let withoutDistance = all(except: [distance])
  private static let withoutMarks = all(except: marks)
  private static let withoutBoth = all(except: [distance] + marks)

  private static func all(except others: [FactField]) -> [FactField] {
    all.filter { field in !others.contains { $0.name == field.name } }
  }

  /// The fields of an earthquake, with a distance only if a point was given, and with marks only if they were read.
  static func all(of quake: QuakeFacts) -> [FactField] {
    switch (quake.distance != nil, quake.mark != nil) {
    case (true, true): all
    case (false, true): withoutDistance
    case (true, false): withoutMarks
    case (false, false): withoutBoth
    }
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
    case .number(let number): number.map(DecimalText.shortest) ?? ""
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
