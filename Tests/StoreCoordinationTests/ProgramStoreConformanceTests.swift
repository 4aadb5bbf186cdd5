import CoreData
import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSampleStores
import StrataStoreConformance
import StrataStoreCoordination
import Synchronization
import Testing

/// Stores implemented by a program, behind the adapters. They fulfill the contract of every back end, except for history and
/// batch requests. An incremental store supports uniqueness if the program does.
@Suite struct ProgramStoreConformanceTests {
  @Test(arguments: StoreConformance.plainChecks + StoreConformance.constraintChecks)
  func `atomic stores conform to the back-end contract`(_ check: ConformanceCheck) throws {
    try check.run(try ProgramStoreFactory(PropertyListStore.type, isDurable: false))
  }

  /// The first two checks use bytes that no value transformer can read, but program stores receive values. The third needs
  /// one owner per row in a relationship without an inverse, which is up to the program.
  private static let excludedChecks = [
    "every kind of value is read back", "every kind of value can become nil and back",
    "a member without inverse has one owner",
  ]

  @Test(arguments: StoreConformance.plainChecks.filter { !Self.excludedChecks.contains($0.name) })
  func `incremental stores conform to the back-end contract`(_ check: ConformanceCheck) throws {
    try check.run(try ProgramStoreFactory(ServerStore.type, isDurable: true))
  }
}

/// A factory whose store names are files in a separate folder for each check.
final class ProgramStoreFactory: StoreFactory {
  let isDurable: Bool
  let keepsHistory = false
  private let type: String
  private let folder: URL
  /// Retains the back ends' stores.
  private let coordinators = Mutex<[NSPersistentStoreCoordinator]>([])

  init(_ type: String, isDurable: Bool) throws {
    self.type = type
    self.isDurable = isDurable
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-stores-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    PropertyListStore.register()
    ServerStore.register()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    coordinators.withLock { $0.append(coordinator) }
    // A coordinator assigns numbers from 1.
    for _ in 1..<number {
      try coordinator.remove(
        try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null")))
    }
    return try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: folder.appendingPathComponent(name)
    ).backEnd
  }
}
