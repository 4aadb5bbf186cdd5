import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes

/// Cells of one degree, the regions made of them, and the fetches by region.
struct DegreeCellsTests {
  private static func cells(_ runs: [(row: Int, first: Int, last: Int)]) -> DegreeCells {
    DegreeCells(runs.compactMap { DegreeCells.Run(row: $0.row, first: $0.first, last: $0.last) })
  }

  /// A made-up world: one region around 0° 0°, one across the date line, one at both poles.
  private static let world = RegionTable([
    .init(
      number: 1, name: "Middle of Örland", cells: cells([(-2, -3, 1), (-1, -3, 1), (0, -3, -2), (0, 1, 1), (1, 0, 0)])),
    .init(number: 2, name: "West Örland Sea", cells: cells([(10, 178, 180), (10, -181, -179), (-11, 180, 180)])),
    .init(number: 7, name: "Poles", cells: cells([(90, -181, 180), (-91, -181, 180), (-90, 5, 9)])),
  ])

  @Test(arguments: [
    (0.0, 0.0, 0, 0), (-0.0, -0.0, 0, 0), (0.999, -0.001, 0, -1), (-1, -1, -2, -2), (-0.999, 1, -1, 1),
    (90, 180, 90, 180), (-90, -180, -91, -181), (89.999, 179.999, 89, 179), (-89.999, -179.999, -90, -180),
  ])
  func `coordinates map to cells of one degree`(_ latitude: Double, _ longitude: Double, _ row: Int, _ column: Int) {
    let cell = DegreeCells.cell(latitude: latitude, longitude: longitude)
    #expect(cell?.row == row && cell?.column == column)
  }

  @Test(arguments: [
    (Double.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity), (90.001, 0), (-91, 0), (0, 180.001), (0, -1e300),
  ])
  func `an invalid position is in no region`(_ latitude: Double, _ longitude: Double) {
    #expect(DegreeCells.cell(latitude: latitude, longitude: longitude) == nil)
    #expect(Self.world.region(latitude: latitude, longitude: longitude) == nil)
  }

  @Test func `adjacent runs are joined and round-trip through bytes`() {
    let cells = Self.cells([(3, 5, 9), (3, 0, 4), (3, 7, 20), (3, 22, 22), (-4, -1, -1)])
    #expect(cells == Self.cells([(-4, -1, -1), (3, 0, 20), (3, 22, 22)]))
    #expect(cells.data.count == 3 * 6 && DegreeCells(cells.data) == cells)
    #expect(DegreeCells(Data()) == DegreeCells([]) && DegreeCells(cells.data.dropLast()).runs.count == 2)
  }

  @Test func `bytes that do not describe cells are ignored`() {
    // Row, first and last column.
    for bytes: [UInt8] in [
      [91, 0, 0, 0, 0, 0], [0, 0, 5, 0, 4, 0], [0, 0, 0, 0, 181, 0], [0, 0x80, 0, 0x80, 0xFF, 0x7F],
    ] {
      #expect(DegreeCells(Data(bytes)) == DegreeCells([]), "\(bytes)")
    }
  }

  /// Positions on each edge and close to it, inside and outside of the world's regions.
  private static let positions: [(latitude: Double, longitude: Double)] = {
    let latitudes = [-90.0, -89.5, -12, -11, -10, -3, -2, -1, 0, 1, 2, 3, 9, 10, 11, 89.5, 90]
    let longitudes = [-180.0, -179, -178, -5, -4, -3, -2, -1, 0, 1, 2, 3, 5, 10, 100, 178, 179, 180]
    func near(_ numbers: [Double], _ limit: Double) -> [Double] {
      numbers.flatMap { [$0, $0.nextUp, $0.nextDown, $0 + 0.5] }.filter { abs($0) <= limit } + [-0.0]
    }
    // A step that divides neither number of coordinates.
    return near(latitudes, 90).flatMap { latitude in near(longitudes, 180).map { (latitude, $0) } }.sampled(every: 7)
  }()

  @Test func `a region filter finds the earthquakes in its cells`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("region-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try QuakesContainer.open(StoreLocation(folder: folder, isChosen: true), for: .writing)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for (index, position) in Self.positions.enumerated() {
        let quake = Quake(context: context)
        (quake.identifier, quake.time) = ("us\(index)", Date(timeIntervalSince1970: Double(index)))
        (quake.latitude, quake.longitude) = position
      }
      try context.save()
      for text in ["Middle", "west orland", "7", "ÖRLAND", "o"] {
        var filter = QuakeFilter()
        filter.region = try Self.world.area(named: text)
        let numbers = Set(try Self.world.regions(named: text).map(\.number))
        let expected = Self.positions.indices.filter { index in
          let position = Self.positions[index]
          return Self.world.region(latitude: position.latitude, longitude: position.longitude)
            .map { numbers.contains($0.number) } ?? false
        }
        #expect(!expected.isEmpty)
        let found = try context.fetch(Quake.matching(filter))
        #expect(Set(found.compactMap(\.identifier)) == Set(expected.map { "us\($0)" }), "\(text)")
        // The predicate and `StateFilter` match the same earthquakes as the fetch.
        #expect(found.allSatisfy { filter.predicate.evaluate(with: $0) })
        let state = StateFilter(filter)
        #expect(
          try context.fetch(Quake.fetchRequest()).filter { state.matches($0.state, of: "usgs") }.count == found.count)
      }
    }
  }

  @Test func `region predicates do not match positions that are not numbers`() throws {
    let predicate = try Self.world.area(named: "o").cells.predicate
    #expect(!predicate.evaluate(with: ["latitude": Double.nan, "longitude": 0]))
    #expect(!predicate.evaluate(with: ["latitude": 0, "longitude": Double.nan]))
    #expect(!DegreeCells([]).predicate.evaluate(with: ["latitude": 0, "longitude": 0]))
  }

  /// Every second cell of the Earth is more than SQLite accepts, and half as many are not. The time that SQLite needs
  /// grows with the square of their number.
  @Test func `only regions too large for a statement are refused`() throws {
    func board(_ rows: ClosedRange<Int>) -> RegionTable {
      let runs = rows.flatMap { row in
        stride(from: -180 + row & 1, to: 180, by: 2).map { (row: row, first: $0, last: $0) }
      }
      return RegionTable([.init(number: 1, name: "Board", cells: Self.cells(runs))])
    }
    let failure = #expect(throws: Failure.self) { try board(-90...89).area(named: "board") }
    #expect(failure?.status == .usage)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("region-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try QuakesContainer.open(StoreLocation(folder: folder, isChosen: true), for: .writing)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = Quake(context: context)
      (quake.identifier, quake.time, quake.latitude, quake.longitude) = ("us1", Date(), 0.5, 0.5)
      try context.save()
      var filter = QuakeFilter()
      let rows = Thoroughness.repetitions(10, all: 40)
      filter.region = try board(-rows...rows).area(named: "board")
      #expect(try Quake.count(filter, in: context) == 1)
      quake.longitude = 1.5
      try context.save()
      #expect(try Quake.count(filter, in: context) == 0)
    }
  }

  @Test func `unknown region names are reported with similar names`() {
    for (text, similar) in [("Orlend", "Middle of Örland"), ("west orlnd", "West Örland Sea"), ("pols", "Poles")] {
      let failure = #expect(throws: Failure.self) { try Self.world.area(named: text) }
      #expect(failure?.status == .usage && failure?.message.contains("\"\(similar)\"") == true, "\(text): \(failure)")
    }
    for text in [
      "", " ", "zz", "xyzxyz", "8", "-1", "99999999999999999999", String(repeating: "Örland ", count: 50_000),
    ] {
      let failure = #expect(throws: Failure.self) { try Self.world.area(named: text) }
      #expect(failure?.status == .usage && failure?.message.contains("similar") == false)
    }
  }

  @Test func `the box of a region may cross the date line`() throws {
    func box(_ text: String) throws -> String? { try Self.world.area(named: text).cells.box?.text }
    #expect(try box("middle") == "-3.0,-2.0,2.0,2.0")
    #expect(try box("west") == "178.0,-11.0,-178.0,11.0")
    #expect(try box("poles") == "-180.0,-90.0,180.0,90.0")
    #expect(DegreeCells([]).box == nil)
  }
}
