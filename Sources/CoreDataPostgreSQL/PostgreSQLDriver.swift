import CoreData
import StrataPostgreSQLStore
import StrataRowStore
import StrataStoreCoordination

/// Schemas of a PostgreSQL database, which several hosts may have open.
struct PostgreSQLDriver: StoreMigrating {
  var migrating: (any StoreMigrating)? { self }

  func open(_ request: OpenRequest) throws -> any BackEnd {
    try PostgreSQLStore(
      opening: url(request.url), model: request.model, configuration: request.configuration, number: request.number,
      options: PostgreSQLStoreOptions(request.options, migratingTo: request.model))
  }

  func exists(at url: URL) throws -> Bool { try PostgreSQLStore.exists(at: url) }

  func isInMemory(_ url: URL) -> Bool { false }

  func metadata(at url: URL) throws -> [String: any Sendable] { try PostgreSQLStore.metadata(at: url) }

  func setMetadata(_ metadata: [String: any Sendable], at url: URL, options: StoreOptions) throws {
    try PostgreSQLStore.setMetadata(metadata, at: url)
  }

  func destroy(at url: URL, options: StoreOptions) throws {
    try PostgreSQLStore.destroy(at: url, timeout: options.timeout)
  }

  func replace(at url: URL, with source: URL, options: StoreOptions) throws {
    try PostgreSQLStore.replace(at: url, with: source, timeout: options.timeout)
  }

  func keptModel(at url: URL) throws -> NSManagedObjectModel? { try PostgreSQLStore.keptModel(at: url) }

  func rebuild(at url: URL, options: StoreOptions, by fill: (_ copy: URL) throws -> Bool) throws {
    try PostgreSQLStore.rebuild(at: url, timeout: options.timeout, by: fill)
  }

  func migrateInStages(at url: URL, options: StoreOptions, _ body: () throws -> Void) throws {
    try PostgreSQLStore.migrateInStages(at: url, timeout: options.timeout, body)
  }

  private func url(_ url: URL?) throws -> URL {
    guard let url else {
      throw CocoaError.coreData(
        .open, "A PostgreSQL store needs a URL such as 'postgresql://host/database?schema=books'.")
    }
    return url
  }
}

extension PostgreSQLStoreOptions {
  fileprivate init(_ options: StoreOptions, migratingTo target: NSManagedObjectModel) {
    self.init()
    isReadOnly = options.isReadOnly
    keepsHistory = options.keepsHistory
    ignoresVersions = options.ignoresVersions
    timeout = options.timeout
    if let count = options.number(NSPersistentStoreConnectionPoolMaxSizeKey) {
      maximumIdleReaders = max(1, count.intValue)
    }
    migration = options.inferredMigration(to: target)
    bundleID = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    processID = "\(ProcessInfo.processInfo.processIdentifier)"
  }
}
