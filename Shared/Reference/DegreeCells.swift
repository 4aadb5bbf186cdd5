import Foundation

/// A part of the Earth that consists of cells of one degree.
///
/// The coordinates of a cell are truncated to whole degrees, toward zero. So number 0 reaches from 0 up to 1 without 1, and
/// -1 from -1 to 0 without either. The last ones are the poles and 180° alone.
public struct DegreeCells: Equatable, Sendable {
  /// Neighbors in a row.
  public struct Run: Equatable, Sendable {
    public let row: Int
    public let columns: ClosedRange<Int>

    /// - Returns: nil if there are no such cells.
    public init?(row: Int, first: Int, last: Int) {
      guard DegreeCells.rows ~= row, DegreeCells.columns ~= first, first <= last, last <= DegreeCells.columns.upperBound
      else { return nil }
      (self.row, columns) = (row, first...last)
    }
  }

  public static let rows = -91...90
  public static let columns = -181...180

  /// From the south, from the west; runs of a row have cells between them.
  public let runs: [Run]

  /// - Parameter runs: in any order; they may overlap.
  public init(_ runs: some Sequence<Run>) {
    var joined: [Run] = []
    for run in runs.sorted(by: { ($0.row, $0.columns.lowerBound) < ($1.row, $1.columns.lowerBound) }) {
      if let last = joined.last, last.row == run.row, run.columns.lowerBound <= last.columns.upperBound + 1,
        let both = Run(
          row: run.row, first: last.columns.lowerBound, last: max(last.columns.upperBound, run.columns.upperBound))
      {
        joined[joined.count - 1] = both
      } else {
        joined.append(run)
      }
    }
    self.runs = joined
  }

  /// - Parameters: degrees, north and east positive.
  /// - Returns: nil if there is no such position.
  public static func cell(latitude: Double, longitude: Double) -> (row: Int, column: Int)? {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    return (number(latitude), number(longitude))
  }

  private static func number(_ degrees: Double) -> Int {
    degrees >= 0 ? Int(degrees) : -1 - Int(-degrees)
  }
}

// MARK: - As bytes

extension DegreeCells {
  /// Row, first and last column of each run, as 16-bit numbers, the lowest byte first.
  public var data: Data {
    runs.reduce(into: Data()) { data, run in
      for number in [run.row, run.columns.lowerBound, run.columns.upperBound] {
        withUnsafeBytes(of: Int16(number).littleEndian) { data.append(contentsOf: $0) }
      }
    }
  }

  /// - Parameter data: cells that do not exist are left out.
  public init(_ data: Data) {
    self.init(
      data.withUnsafeBytes { bytes in
        func number(_ index: Int) -> Int {
          Int(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)))
        }
        return (0..<bytes.count / 6).compactMap { index in
          Run(row: number(index * 3), first: number(index * 3 + 1), last: number(index * 3 + 2))
        }
      })
  }
}

// MARK: - Where they are

extension DegreeCells {
  /// The smallest box around them, across the date line if that is smaller; nil without cells.
  public var box: GeoBox? {
    guard let first = runs.first, let last = runs.last else { return nil }
    func degrees(_ edge: Int, _ most: Int) -> Double { Double(max(-most, min(most, edge))) }
    // As if they were in one row.
    let ranges = DegreeCells(runs.compactMap { Run(row: 0, first: $0.columns.lowerBound, last: $0.columns.upperBound) })
      .runs.map { (west: degrees($0.columns.lowerBound, 180), east: degrees($0.columns.upperBound + 1, 180)) }
    // The widest gap is outside.
    let gaps = ranges.indices.map { index in
      index == 0 ? ranges[0].west + 360 - ranges[ranges.count - 1].east : ranges[index].west - ranges[index - 1].east
    }
    let start = gaps.indices.max { gaps[$0] < gaps[$1] } ?? 0
    return GeoBox(
      west: ranges[start].west, south: degrees(first.row, 90),
      east: ranges[(start + ranges.count - 1) % ranges.count].east, north: degrees(last.row + 1, 90))
  }
}
