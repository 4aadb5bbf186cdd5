import Foundation

extension DegreeCells {
  /// Neighboring rows with the same columns.
  struct Band: Equatable {
    var rows: ClosedRange<Int>
    let columns: [ClosedRange<Int>]
  }

  /// From the south.
  var bands: [Band] {
    var bands: [Band] = []
    var rest = runs[...]
    while let row = rest.first?.row {
      let columns = rest.prefix { $0.row == row }.map(\.columns)
      rest = rest.dropFirst(columns.count)
      if let last = bands.last, last.rows.upperBound == row - 1, last.columns == columns {
        bands[bands.count - 1].rows = last.rows.lowerBound...row
      } else {
        bands.append(Band(rows: row...row, columns: columns))
      }
    }
    return bands
  }

  /// Whether an object's `latitude` and `longitude` are in one of the cells. The limits between halves of the bands stand
  /// first, and again between the halves of each, so that few are compared with any position.
  public var predicate: NSPredicate { NSPredicate(format: Self.text(bands[...])) }

  private static func text(_ bands: ArraySlice<Band>) -> String {
    guard bands.count > 1 else { return bands.first.map(text) ?? "FALSEPREDICATE" }
    let (south, north) = (bands.prefix(bands.count / 2), bands.dropFirst(bands.count / 2))
    let limit = north[north.startIndex].rows.lowerBound
    return "(\(below("latitude", limit)) AND (\(text(south)))) OR (\(from("latitude", limit)) AND (\(text(north))))"
  }

  private static func text(_ band: Band) -> String {
    let columns = band.columns.map { text("longitude", $0) }.joined(separator: " OR ")
    return "\(text("latitude", band.rows)) AND (\(columns))"
  }

  private static func text(_ key: String, _ cells: ClosedRange<Int>) -> String {
    "\(from(key, cells.lowerBound)) AND \(below(key, cells.upperBound + 1))"
  }

  /// A coordinate that is in a cell or above it.
  private static func from(_ key: String, _ cell: Int) -> String { "\(key) \(cell >= 0 ? ">=" : ">") \(cell)" }

  /// A coordinate that is below a cell.
  private static func below(_ key: String, _ cell: Int) -> String { "\(key) \(cell >= 0 ? "<" : "<=") \(cell)" }
}
