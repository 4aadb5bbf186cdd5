import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

/// SQLite files, which several processes may have open. Only this file of the module knows their back end.
struct SQLiteDriver: StoreMigrating {
  var migrating: (any StoreMigrating)? { self }

  func open(_ request: OpenRequest) throws -> any BackEnd {
    try SQLStore(
      opening: file(request.url), model: request.model, configuration: request.configuration, number: request.number,
      options: SQLStoreOptions(request.options, migratingTo: request.model))
  }

  func exists(at url: URL) throws -> Bool { FileManager.default.fileExists(atPath: url.path) }

  func isInMemory(_ url: URL) -> Bool { SQLStore.isInMemory(url) }

  func metadata(at url: URL) throws -> [String: any Sendable] { try SQLStore.metadata(at: file(url)) }

  func setMetadata(_ metadata: [String: any Sendable], at url: URL, options: StoreOptions) throws {
    try SQLStore.setMetadata(metadata, at: file(url), timeout: options.timeout)
  }

  func destroy(at url: URL, options: StoreOptions) throws {
    try SQLStore.destroy(at: file(url), timeout: options.timeout)
  }

  func replace(at url: URL, with source: URL, options: StoreOptions) throws {
    try SQLStore.replace(at: file(url), with: file(source), timeout: options.timeout)
  }

  func keptModel(at url: URL) throws -> NSManagedObjectModel? { try SQLStore.keptModel(at: file(url)) }

  func rebuild(at url: URL, options: StoreOptions, by fill: (_ copy: URL) throws -> Bool) throws {
    let folder = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent)-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try SQLStore.rebuild(at: file(url), timeout: options.timeout) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let copy = folder.appendingPathComponent("Migrated.sqlite")
      return try fill(copy) ? copy : nil
    }
  }

  func migrateInStages(at url: URL, options: StoreOptions, _ body: () throws -> Void) throws {
    try SQLStore.migrateInStages(at: file(url), timeout: options.timeout, body)
  }

  private func file(_ url: URL?) throws -> URL {
    guard let url, url.isFileURL else {
      throw CocoaError.coreData(
        .open, "A SQLite store needs a file URL; this one has \(url?.shownURL ?? "none").")
    }
    return url
  }
}

extension SQLStoreOptions {
  fileprivate init(_ options: StoreOptions, migratingTo target: NSManagedObjectModel) {
    self.init(processID: "\(getpid())")
    isReadOnly = options.isReadOnly
    keepsHistory = options.keepsHistory
    ignoresVersions = options.ignoresVersions
    timeout = options.timeout
    analyzes = options.flag(NSSQLiteAnalyzeOption)
    vacuums = options.flag(NSSQLiteManualVacuumOption)
    if let count = options.number(NSPersistentStoreConnectionPoolMaxSizeKey) {
      maximumIdleReaders = max(1, count.intValue)
    }
    let given = options.given[NSSQLitePragmasOption]
    if let given = given as? [String: NSObject] {
      for (name, value) in given { pragmas[name] = (value as? NSString).map { $0 as String } ?? "\(value)" }
    } else {
      for (name, value) in given as? [String: Any] ?? [:] { pragmas[name] = "\(value)" }
    }
    migration = options.inferredMigration(to: target)
    // Only for the history: to find the bundle, Foundation reads the program's folder.
    if !isReadOnly { bundleID = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }
  }
}
