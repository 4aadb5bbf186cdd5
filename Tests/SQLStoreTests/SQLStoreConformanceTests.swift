import Foundation
import ManagedModel
import RowStore
import SQLStore
import StoreConformance
import Testing

/// Stores of a name are files of that name in a folder of the check's own.
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
