import CoreData
import Foundation

/// The regions of the Reference store in memory: half a megabyte.
public struct RegionTable: Sendable {
  public struct Entry: Sendable {
    public let number: Int
    public let name: String
    public let cells: DegreeCells

    public init(number: Int, name: String, cells: DegreeCells) {
      (self.number, self.name, self.cells) = (number, name, cells)
    }
  }

  /// By number.
  public let entries: [Entry]
  /// The index of each cell's region, row by row from the south; -1 for none.
  private let grid: [Int16]

  /// - Parameter entries: no more than 32,767 have cells.
  public init(_ entries: some Sequence<Entry>) {
    self.entries = entries.sorted { $0.number < $1.number }
    var grid = [Int16](repeating: -1, count: DegreeCells.rows.count * DegreeCells.columns.count)
    for (index, entry) in zip(0...Int16.max, self.entries) {
      for run in entry.cells.runs {
        let start = Self.index(row: run.row, column: run.columns.lowerBound)
        for cell in start..<start + run.columns.count { grid[cell] = index }
      }
    }
    self.grid = grid
  }

  private static func index(row: Int, column: Int) -> Int {
    (row - DegreeCells.rows.lowerBound) * DegreeCells.columns.count + column - DegreeCells.columns.lowerBound
  }

  /// - Parameters: degrees, north and east positive.
  /// - Returns: nil if the position is invalid or outside of all regions.
  public func region(latitude: Double, longitude: Double) -> Entry? {
    guard let cell = DegreeCells.cell(latitude: latitude, longitude: longitude) else { return nil }
    let index = Int(grid[Self.index(row: cell.row, column: cell.column)])
    return index < 0 ? nil : entries[index]
  }
}

extension RegionTable {
  /// Reads the regions of a Reference store, and closes it.
  ///
  /// - Returns: nil if it does not contain regions: it is from an earlier version, or was built without them.
  /// - Throws: `Failure` with status 4.
  public init?(_ location: ReferenceLocation) throws(Failure) {
    let container = QuakesContainer(name: StoreLocation.storeName)
    let store = try container.addReference(location)
    guard store.hasRegions else { return nil }
    let context = container.newBackgroundContext()
    do {
      self.init(try context.performAndWait { try Self.entries(in: context) })
    } catch {
      throw Failure.reference(location, error: error)
    }
    if entries.isEmpty { return nil }
  }

  private static func entries(in context: NSManagedObjectContext) throws -> [Entry] {
    let request = Region.fetchRequest()
    request.returnsObjectsAsFaults = false
    return try context.fetch(request).map {
      Entry(number: Int($0.number), name: $0.name ?? "?", cells: DegreeCells($0.cells ?? Data()))
    }
  }
}
