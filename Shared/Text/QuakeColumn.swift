import Foundation

/// A column of tables of earthquakes: a field as people read it, or one of those that only tables have.
public struct QuakeColumn: Sendable {
  /// The name of the field as commands write it, or the column's own.
  public let name: String
  let heading: String
  let alignment: Alignment
  /// The least width. Texts of flexible columns are not truncated to fewer columns while others can be removed.
  let minimumWidth: Int
  /// The least width in lists whose other rows are not known yet.
  let defaultWidth: Int
  /// The text of an earthquake, in the style of the table; empty if it is not known.
  let text: @Sendable (QuakeFacts, QuakeTable) -> String

  enum Alignment {
    /// Of texts.
    case start
    /// Of numbers.
    case end
    /// Of texts that a narrow terminal truncates.
    case flexible
  }

  private init(
    _ name: String, _ heading: String, _ alignment: Alignment = .start, minimum: Int = 0, default usual: Int = 0,
    _ text: @escaping @Sendable (QuakeFacts, QuakeTable) -> String
  ) {
    (self.name, self.heading, self.alignment, self.text) = (name, heading, alignment, text)
    minimumWidth = max(minimum, alignment == .flexible ? 0 : DisplayWidth.columns(heading))
    defaultWidth = max(usual, minimumWidth)
  }

  var isFlexible: Bool { alignment == .flexible }

  /// The least width for short texts.
  var textWidth: Int { isFlexible ? DisplayWidth.columns(heading) : minimumWidth }

  /// The blanks between this column and the next one.
  var gap: String { name == "marks" ? " " : "  " }

  /// The text, which cannot control the terminal.
  func printable(_ quake: QuakeFacts, in table: QuakeTable) -> String { Terminal.printable(text(quake, table)) }
}

// MARK: - All columns

extension QuakeColumn {
  /// All of them, the most important first: a narrow terminal loses those at the end.
  public static let all: [QuakeColumn] = {
    let main = first + fields
    return main + FactField.all.filter { field in !main.contains { $0.name == field.name } }.map { QuakeColumn($0) }
  }()

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  private static let otherNames = ["age": "when", "source": "network"]

  /// - Parameter name: also another name of the field, as in `FactField.named`.
  /// - Returns: nil if there is no such column.
  public static func named(_ name: String) -> QuakeColumn? {
    byName[name] ?? byName[otherNames[name] ?? FactField.named(name)?.name ?? name]
  }

  /// The error message for a name that is not a column's.
  public static func unknownName(_ name: String) -> String {
    Suggestion.unknownName("column", name, among: all.map(\.name))
  }

  /// The columns that a user names, each once, however often and under whichever of its names it is listed.
  ///
  /// - Parameter unknown: the error for a name that is not a column's.
  public static func named<Problem: Error>(
    _ names: [String], unknown: (String) -> Problem
  ) throws(Problem) -> [QuakeColumn] {
    try NameList.values(names, named: named, unknown: unknown, name: \.name)
  }

  /// The clock time for terminals on which the whole one leaves too little room for other columns.
  static func shortTime(_ style: DisplayStyle) -> QuakeColumn {
    QuakeColumn("time", "TIME", default: style.shortTimeWidth) { $1.style.shortTime($0.time, at: $1.now) }
  }

  /// The columns of the usual tables, without creating all others, which status bars never need.
  static func usual(_ names: [String]) -> [QuakeColumn] {
    names.compactMap { name in first.first { $0.name == name } }
  }

  private static let first = [
    QuakeColumn("magnitude", "MAG", .end, minimum: 4) { quake, _ in quake.magnitudeText },
    QuakeColumn("time", "TIME") { quake, table in table.style.tableTime(quake.time) },
    QuakeColumn("when", "WHEN", default: 10) { Age.text(of: $0.time, at: $1.now, style: $1.style) },
    QuakeColumn("place", "PLACE", .flexible, minimum: 24) { quake, _ in quake.placeText },
    QuakeColumn("marks", "", minimum: 2) { marks($0.mark, isASCII: $1.terminal.isASCII) },
    QuakeColumn("distance_km", "DISTANCE", .end) { quake, table in
      quake.distance.map { table.style.distance($0) } ?? ""
    },
    QuakeColumn("depth_km", "DEPTH", .end, minimum: 6) { $1.style.depth(of: $0) },
    QuakeColumn("id", "ID", default: 10) { quake, _ in quake.identifier },
    QuakeColumn("intensity", "INTENSITY", .end) { quake, _ in
      (quake.number(.mmi) ?? quake.number(.cdi)).map(DecimalText.oneDigit) ?? ""
    },
  ]

  /// Fields with headings of their own, and those that matter more than others.
  private static let fields = [
    ("felt_reports", "FELT"), ("reported_intensity", "CDI"), ("computed_intensity", "MMI"), ("alert", "ALERT"),
    ("tsunami_flag", "TSUNAMI FLAG"), ("magnitude_type", "MAG TYPE"), ("type", "TYPE"), ("status", "STATUS"),
    ("network", "NETWORK"), ("nearest_city", "NEAREST CITY"), ("region", "REGION"), ("latitude", "LATITUDE"),
    ("longitude", "LONGITUDE"), ("updated", "UPDATED"),
  ].compactMap { name, heading in FactField.named(name).map { QuakeColumn($0, heading: heading) } }

  /// A star, and a check mark for what was acknowledged. Each has a place and a meaning of its own.
  private static func marks(_ mark: QuakeMark?, isASCII: Bool) -> String {
    (mark?.isStarred == true ? isASCII ? "*" : "★" : " ")
      + (mark?.acknowledged != nil ? isASCII ? "a" : "✓" : " ")
  }
}

// MARK: - Fields

extension QuakeColumn {
  /// Texts of any length.
  private static let sentences: Set = [
    "nearest_city", "region", "title", "standing_reason", "aliases", "note",
  ]

  private init(_ field: FactField, heading: String? = nil) {
    let isDistance = field.name.hasSuffix("_km")
    let alignment: Alignment =
      switch field.value(QuakeFacts()) {
      case .number: .end
      case .integer: field.name == "tsunami_flag" ? .start : .end
      default: Self.sentences.contains(field.name) ? .flexible : .start
      }
    let words = isDistance ? String(field.name.dropLast("_km".count)) : field.name
    self.init(
      field.name, heading ?? words.replacing("_", with: " ").uppercased(), alignment,
      minimum: alignment == .flexible ? 16 : 0
    ) { quake, table in
      switch field.value(quake) {
      case .number(let number?) where isDistance: table.style.distance(number, hasTenths: true)
      // To about 100 meters.
      case .number(let number?) where ["latitude", "longitude"].contains(field.name): String(format: "%.3f", number)
      case .number(let number?) where field.name.hasSuffix("_intensity"): DecimalText.oneDigit(number)
      case .integer(let flag) where field.name == "tsunami_flag": flag == 1 ? "set" : ""
      case .date(let date?): table.style.tableTime(date)
      case .bool(let bool): bool == true ? "yes" : ""
      case .city(let city): city?.text(table.style) ?? ""
      case let value: value.text
      }
    }
  }
}

/// Which columns a table has.
public enum ColumnChoice: Sendable {
  /// Those that fit the earthquakes and the terminal.
  ///
  /// - Parameter hasClock: whether the clock time takes the place of the age.
  case usual(hasClock: Bool = false)
  case named([QuakeColumn])

  /// Whether a column with one of these names was chosen.
  public func has(_ names: String...) -> Bool {
    guard case .named(let columns) = self else { return false }
    return columns.contains { names.contains($0.name) }
  }

  public func without(_ names: Set<String>) -> ColumnChoice {
    guard case .named(let columns) = self else { return self }
    let others = columns.filter { !names.contains($0.name) }
    return others.isEmpty ? .usual() : .named(others)
  }
}
