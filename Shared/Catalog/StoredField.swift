/// The description of one field of an earthquake's state: the only place that knows its names in documents and commands.
///
/// Parsers, the history, filters, and the writers of JSON, CSV, GeoJSON and QuakeML are driven by it. Only a field that
/// needs more than its kind, its bounds and its names is mentioned elsewhere. It is a class because loops over all fields
/// would copy every part of a structure.
public final class StoredField: Sendable {
  public let field: QuakeField
  public let attribute: QuakeAccessor
  public let kind: Kind
  /// As commands write it; nil if they do not.
  let outputName: String?
  /// For people, in a history.
  public let displayName: String
  /// Whether a history does not mention its changes: it follows from other fields, or means little to people.
  public let isHiddenInHistory: Bool
  /// The numbers that are not errors of the service.
  public let bounds: ClosedRange<Double>?
  public let usgs: USGSName?
  public let quakeML: QuakeMLPath?

  public enum Kind: Sendable {
    case number, integer, text, date
    /// `,a,b,`: a text with commas around each member.
    case list
  }

  /// - Parameter outputName: as commands write it; nil if they do not.
  init(
    _ field: QuakeField, _ kind: Kind, _ attribute: QuakeAccessor, _ outputName: String?, displayName: String? = nil,
    isHiddenInHistory: Bool = false, in bounds: ClosedRange<Double>? = nil, usgs: USGSName? = nil,
    quakeML: QuakeMLPath? = nil
  ) {
    (self.field, self.kind, self.attribute, self.outputName) = (field, kind, attribute, outputName)
    (self.displayName, self.isHiddenInHistory, self.bounds) = (displayName ?? field.name, isHiddenInHistory, bounds)
    (self.usgs, self.quakeML) = (usgs, quakeML)
  }

  /// By the raw values of their fields.
  public static let all = table.sorted { $0.field.rawValue < $1.field.rawValue }

  /// Those that commands write.
  static let facts = all.filter { $0.outputName != nil }
}

/// A field's name in the documents of the USGS: https://earthquake.usgs.gov/earthquakes/feed/v1.0/
public struct USGSName: Sendable {
  public let name: String
  /// The column of tables, from 1 on; nil if tables do not have it. The tables of the USGS have 22, and those that
  /// `quakes export` writes have the others too.
  public let column: Int?
  /// Whether the GeoJSON of the summary feeds has it, null or not.
  public let isInSummary: Bool

  init(_ name: String, column: Int? = nil, isInSummary: Bool = true) {
    (self.name, self.column, self.isInSummary) = (name, column, isInSummary)
  }
}

/// Where QuakeML has a field's value.
public struct QuakeMLPath: Sendable {
  public enum Element: Sendable {
    case origin, magnitude
  }

  public let element: Element
  /// The names of the elements in it.
  public let names: [String]
  /// Whether QuakeML has meters, and the field kilometers.
  public let isInMeters: Bool

  static func origin(_ names: String..., isInMeters: Bool = false) -> QuakeMLPath {
    QuakeMLPath(element: .origin, names: names, isInMeters: isInMeters)
  }

  static func magnitude(_ names: String...) -> QuakeMLPath {
    QuakeMLPath(element: .magnitude, names: names, isInMeters: false)
  }
}
