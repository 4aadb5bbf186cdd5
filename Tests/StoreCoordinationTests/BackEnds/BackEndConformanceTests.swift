import Foundation
import StrataManagedModel
import StrataRowStore
import StrataStoreConformance
import Testing

/// Runs the checks of all back ends on the tests' own back end, so that it can represent any of them.
@Suite struct BackEndConformanceTests {
  /// All clients share the store number in the database's IDs, so a client cannot choose its own number.
  private static let excludedChecks = ["another store on the same file sees commits"]

  @Test(arguments: StoreConformance.checks.filter { !Self.excludedChecks.contains($0.name) })
  func `the test database conforms to the back-end contract`(_ check: ConformanceCheck) throws {
    try check.run(TestDatabaseFactory())
  }
}

private final class TestDatabaseFactory: StoreFactory {
  let isDurable = true
  private let host = UUID().uuidString

  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd {
    let url = try #require(URL(string: "test://\(host)/\(name)"))
    return TestStore(
      try TestDatabase.shared(at: url, model: model, configuration: nil, number: number), keepsHistory: keepsHistory,
      isReadOnly: false)
  }
}
