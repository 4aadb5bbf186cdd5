import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataStoreConformance
import StrataTestSupport
import Testing

/// A factory of stores in a separate folder for each check.
final class SQLStoreFactory: StoreFactory {
  let isDurable = true
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd {
    var options = SQLStoreOptions()
    options.keepsHistory = keepsHistory
    options.timeout = 120
    return try SQLStore(opening: folder.url(name + ".sqlite"), model: model, number: number, options: options)
  }
}

@Test(arguments: StoreConformance.checks)
func `an SQLite store conforms to the store contract`(_ check: ConformanceCheck) throws {
  try check.run(try SQLStoreFactory())
}

/// A factory of in-memory databases, whose names are unique to the check.
private final class NullDeviceFactory: StoreFactory {
  /// A store ceases to exist with its last connection.
  let isDurable = false
  private let prefix = UUID().uuidString

  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd {
    var options = SQLStoreOptions()
    options.keepsHistory = keepsHistory
    return try SQLStore(
      opening: URL(fileURLWithPath: "/dev/null/\(prefix) \(name)"), model: model, number: number, options: options)
  }
}

@Test(arguments: StoreConformance.checks)
func `an in-memory SQLite store conforms to the store contract`(_ check: ConformanceCheck) throws {
  try check.run(NullDeviceFactory())
}
