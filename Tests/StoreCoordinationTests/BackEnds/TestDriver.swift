import Foundation
import StrataManagedModel
import StrataRowStore
import StrataStoreCoordination

/// Stores of the type "TestDatabase", at URLs such as `test://host/name`.
struct TestDriver: StoreDriver {
  static let type = "TestDatabase"

  /// Registers the driver, as importing a module would.
  static let isRegistered: Bool = {
    StoreDrivers.register(TestDriver(), forStoreType: type)
    return true
  }()

  func open(_ request: OpenRequest) throws -> any BackEnd {
    guard let url = request.url, url.scheme == "test" else {
      throw StoreError(.notOpen, "A test database needs a URL such as test://host/name.")
    }
    let database = try TestDatabase.shared(
      at: url, model: request.model, configuration: request.configuration, number: request.number)
    guard
      try request.options.ignoresVersions
        || request.model.isConfiguration(
          withName: request.configuration, compatibleWithStoreMetadata: Self.metadata(of: database))
    else { throw StoreError(.incompatibleModel, "\(url.absoluteString) uses another version of the model.") }
    return TestStore(
      database, keepsHistory: request.options.keepsHistory, isReadOnly: request.options.isReadOnly)
  }

  static func metadata(of database: TestDatabase) throws -> [String: any Sendable] {
    try database.rows.metadata.merging(["NSStoreType": type]) { _, own in own }
  }

  private func database(at url: URL) throws -> TestDatabase {
    guard let database = TestDatabase.at(url) else {
      throw StoreError(.notOpen, "The test database at \(url.absoluteString) does not exist.")
    }
    return database
  }

  func exists(at url: URL) throws -> Bool { TestDatabase.at(url) != nil }

  func isInMemory(_ url: URL) -> Bool { false }

  func metadata(at url: URL) throws -> [String: any Sendable] { try Self.metadata(of: database(at: url)) }

  func setMetadata(_ metadata: [String: any Sendable], at url: URL, options: StoreOptions) throws {
    try database(at: url).rows.setMetadata(metadata)
  }

  func destroy(at url: URL, options: StoreOptions) throws { TestDatabase.drop(url) }

  func replace(at url: URL, with source: URL, options: StoreOptions) throws {
    throw StoreError(.unsupported, "Test databases are copied object by object.")
  }
}
