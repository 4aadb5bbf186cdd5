import CoreData

/// The server behind an incremental store: rows by entity and name, with versions. Independent of Core Data.
public final class Server: @unchecked Sendable {
  // @unchecked: all state is locked.

  struct Row {
    var values: [String: Any] = [:]
    /// Names of other rows, as `Entity/name`.
    var links: [String: [String]] = [:]
    var version: UInt64 = 1
  }

  private let lock = NSRecursiveLock()
  private var tables: [String: [String: Row]] = [:]
  private var last = 0
  /// Metadata that programs stored.
  var notes: [String: Any] = [:]
  /// The number of row reads.
  public private(set) var reads = 0
  /// The error of the next write.
  public var nextFailure: (any Error)?
  /// The error of every read, as if the server were unavailable; nil while it is available.
  public var readFailure: (any Error)? {
    get { lock.withLock { failRead?() } }
    set { failReads { newValue } }
  }
  private var failRead: (() -> (any Error)?)?

  /// Makes each read fail with the error that the closure returns, unless it is nil.
  public func failReads(_ error: @escaping () -> (any Error)?) { lock.withLock { failRead = error } }

  nonisolated(unsafe) private static var servers: [String: Server] = [:]
  private static let serversLock = NSLock()

  /// The server at an address. It exists until the program ends.
  public static func at(_ url: URL) -> Server {
    serversLock.withLock {
      if let known = servers[url.absoluteString] { return known }
      let new = Server()
      servers[url.absoluteString] = new
      return new
    }
  }

  func newName() -> String {
    lock.withLock {
      last += 1
      return String(last)
    }
  }

  func names(of entity: String) throws -> [String] {
    try lock.withLock {
      if let error = failRead?() { throw error }
      return tables[entity].map { Array($0.keys) } ?? []
    }
  }

  func row(_ name: String, of entity: String) throws -> Row? {
    try lock.withLock {
      reads += 1
      if let error = failRead?() { throw error }
      return tables[entity]?[name]
    }
  }

  /// Applies all changes or none.
  func write(_ changes: () throws -> Void) throws {
    try lock.withLock {
      let before = tables
      do {
        try changes()
        if let failure = nextFailure {
          nextFailure = nil
          throw failure
        }
      } catch {
        tables = before
        throw error
      }
    }
  }

  func put(_ row: Row, _ name: String, of entity: String) {
    var row = row
    row.version = (tables[entity]?[name]?.version ?? 0) + 1
    tables[entity, default: [:]][name] = row
  }

  func remove(_ name: String, of entity: String) {
    tables[entity]?[name] = nil
    let gone = "\(entity)/\(name)"
    for (entity, table) in tables {
      for (name, row) in table where row.links.values.contains(where: { $0.contains(gone) }) {
        tables[entity]?[name]?.links = row.links.mapValues { $0.filter { $0 != gone } }
      }
    }
  }
}
