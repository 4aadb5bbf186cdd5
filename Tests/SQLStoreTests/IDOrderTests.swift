import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLStore
import StrataTestSupport
import Testing

/// The order of IDs that a query reads from an index.
@Suite struct IDOrderTests {
  @Test(arguments: [[5, 1, 4, 2, 3], [1, 1_000_000, 7], [9, 8, 7, 3, 2]])
  func `IDs are in the order of their keys`(_ keys: [Int64]) throws {
    let folder = try TemporaryFolder()
    let quakes = try QuakeStore(in: folder)
    try quakes.insert(keys.sorted().map { quakes.row("Region", ["name": .string("region \($0)")]) })
    let shell = try quakes.shell()
    // The index by name gives the rows in another order than their keys.
    for (index, key) in keys.sorted().enumerated().reversed() {
      try shell.run("UPDATE ZREGION SET Z_PK = \(key), ZNAME = 'name \(keys.count - index)' WHERE Z_PK = \(index + 1)")
    }
    #expect(try quakes.store.ids(for: FetchQuery(layout: quakes.layout("Region"))).map(\.key) == keys.sorted())
    let named = FetchQuery(
      layout: quakes.layout("Region"),
      filter: .comparison(ComparisonNode(.keyPath(["name"]), .greater, .value(.string("a")))))
    #expect(try quakes.store.ids(for: named).map(\.key) == keys.sorted())
  }
}
