import StrataQuakes

/// The first line of a table: what its columns mean, by their names.
struct TableHeader {
  /// The field of a column; nil for ignored columns.
  enum Column: Equatable {
    case field(QuakeField)
    /// The service's ID, and who says so.
    case eventID, author, catalog, contributor
  }

  var format: EventFormat
  var columns: [Column?]

  /// - Returns: nil if the line is not the header of a table of events.
  init?(_ line: String) {
    guard line.utf8.count <= TableRow.maximumLineLength else { return nil }
    let text = line.hasPrefix("#") ? line.dropFirst() : line[...]
    let names: [String: Column]
    if text.contains("|") {
      (format, names) = (.fdsnText, Self.ofText)
    } else {
      (format, names) = (.csv, Self.ofCSV)
    }
    let separator: Character = format == .csv ? "," : "|"
    columns = text.split(separator: separator, omittingEmptySubsequences: false).map { name in
      names[name.filter { !$0.isWhitespace }.lowercased()]
    }
    let needed: [Column] = [
      format == .csv ? .field(.identifier) : .eventID, .field(.time), .field(.latitude), .field(.longitude),
    ]
    guard needed.allSatisfy(columns.contains) else { return nil }
  }

  private static let ofCSV = names(
    StoredField.all.compactMap { stored in
      stored.usgs.flatMap { $0.column == nil ? nil : ($0.name, .field(stored.field)) }
    })

  /// https://www.fdsn.org/webservices/fdsnws-event-1.2.pdf
  private static let ofText = names([
    ("EventID", .eventID), ("Time", .field(.time)), ("Latitude", .field(.latitude)),
    ("Longitude", .field(.longitude)), ("Depth/km", .field(.depth)), ("Depth", .field(.depth)), ("Author", .author),
    ("Catalog", .catalog), ("Contributor", .contributor), ("MagType", .field(.magnitudeType)),
    ("Magnitude", .field(.magnitude)), ("MagAuthor", .field(.magnitudeSource)), ("EventLocationName", .field(.place)),
    ("EventType", .field(.type)),
  ])

  private static func names(_ list: [(String, Column)]) -> [String: Column] {
    Dictionary(uniqueKeysWithValues: list.map { ($0.0.lowercased(), $0.1) })
  }
}
