import Foundation
import StrataManagedModel
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataRowStore
import StrataStoreConformance
import StrataTestSupport
import Synchronization
import Testing

/// A factory of stores in a separate schema for each store name.
private final class PostgreSQLStoreFactory: StoreFactory {
  let isDurable = true
  let keepsNUL = false
  private let server: PostgreSQLServer
  private let urls = Mutex<[String: URL]>([:])

  init() throws { server = try PostgreSQLServer.shared.get() }

  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd {
    let url = urls.withLock { urls in
      let url = urls[name] ?? server.freshURL()
      urls[name] = url
      return url
    }
    var options = PostgreSQLStoreOptions()
    options.keepsHistory = keepsHistory
    return try PostgreSQLStore(opening: url, model: model, number: number, options: options)
  }
}

@Suite(.waitsForProcesses) struct PostgreSQLConformanceTests {
  @Test(arguments: StoreConformance.checks)
  func `a PostgreSQL store conforms to the store contract`(_ check: ConformanceCheck) throws {
    try check.run(try PostgreSQLStoreFactory())
  }
}
