import CoreData
import CoreDataPostgreSQL
import StrataPostgreSQLServer
import StrataTestSupport

/// The store of one seed, of a kind that the command line names.
final class GraphStore {
  enum Kind: String, Sendable {
    case sqlite, memory, xml, binary, postgresql

    var type: String {
      switch self {
      case .sqlite: NSSQLiteStoreType
      case .memory: NSInMemoryStoreType
      case .xml: NSXMLStoreType
      case .binary: NSBinaryStoreType
      case .postgresql: NSPostgreSQLStoreType
      }
    }

    /// Whether several coordinators share the store and merge each other's commits.
    var isShared: Bool { self == .sqlite || self == .postgresql }
    /// Whether a new coordinator can read what another one wrote.
    var isOnDisk: Bool { self != .memory }
  }

  private static let model = GraphSchema.model()
  let kind: Kind
  let url: URL
  /// The folder of a store in a file; nil for the store of another process.
  private let folder: TemporaryFolder?
  private var coordinators: [NSPersistentStoreCoordinator] = []

  init(_ kind: Kind) throws {
    self.kind = kind
    let folder = try TemporaryFolder()
    self.folder = folder
    url = kind == .postgresql ? try PostgreSQLServer.shared.get().freshURL() : folder.url("Graph.store")
  }

  /// Uses a store that another process created.
  init(_ kind: Kind, at url: URL) { (self.kind, self.url, folder) = (kind, url, nil) }

  func makeCoordinator() throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    let options: [AnyHashable: Any] =
      kind.isShared
      ? [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true] : [:]
    try coordinator.addPersistentStore(
      ofType: kind.type, configurationName: nil, at: kind == .memory ? nil : url, options: options)
    coordinators.append(coordinator)
    return coordinator
  }

  /// Closes the store in the newest coordinator.
  func close() throws {
    guard let coordinator = coordinators.popLast() else { return }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  func closeAll() throws { while !coordinators.isEmpty { try close() } }
}
