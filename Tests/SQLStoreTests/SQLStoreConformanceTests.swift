import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataStoreConformance
import StrataTestSupport
import Testing

/// Each store name is a file name in a folder of the check's own.
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
func conforms(_ check: ConformanceCheck) throws { try check.run(try SQLStoreFactory()) }

/// Each store name, combined with the check's own, is an in-memory database.
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
func storeInMemoryConforms(_ check: ConformanceCheck) throws { try check.run(NullDeviceFactory()) }
