import CoreData
import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSampleStores
import StrataStoreConformance
import StrataStoreCoordination
import Synchronization
import Testing

/// Stores implemented by a program, behind the adapters, fulfil the contract of every back end except history and batch
/// requests, which they lack; an incremental store supports uniqueness as far as the program does.
@Suite struct ProgramStoreConformanceTests {
  @Test(arguments: StoreConformance.plainChecks + StoreConformance.constraintChecks)
  func atomicStoreConforms(_ check: ConformanceCheck) throws {
    try check.run(try ProgramStoreFactory(PropertyListStore.type, isDurable: false))
  }

  /// Excluded: program stores receive values, and the first two have bytes that no value transformer can read;
  /// enforcing one owner per row in a relationship without inverse is up to the store.
  private static let others = [
    "every kind of value is read back", "every kind of value can become nil and back",
    "a member without inverse has one owner",
  ]

  @Test(arguments: StoreConformance.plainChecks.filter { !Self.others.contains($0.name) })
  func incrementalStoreConforms(_ check: ConformanceCheck) throws {
    try check.run(try ProgramStoreFactory(ServerStore.type, isDurable: true))
  }
}

/// Each store name is a URL in a folder of the check's own.
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
