import Foundation
import StrataManagedModel
import StrataRowStore
import StrataStoreConformance
import Testing

/// The tests' own back end keeps the promises of every back end, so it can stand in for one.
@Suite struct BackEndConformanceTests {
  /// All clients share the store number in the database's ids, so none can choose its own.
  private static let others = ["another store on the same file sees commits"]

  @Test(arguments: StoreConformance.checks.filter { !Self.others.contains($0.name) })
  func conforms(_ check: ConformanceCheck) throws { try check.run(TestDatabaseFactory()) }
}

private final class TestDatabaseFactory: StoreFactory {
  let isDurable = true
  private let host = UUID().uuidString

  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd {
    let url = try #require(URL(string: "test://\(host)/\(name)"))
    return TestStore(
      try TestDatabase.made(at: url, model: model, configuration: nil, number: number), keepsHistory: keepsHistory,
      isReadOnly: false)
  }
}
