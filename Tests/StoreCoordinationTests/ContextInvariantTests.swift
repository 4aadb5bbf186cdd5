import CoreData
import Foundation
import StrataObjectGraph
import StrataStoreConformance
import StrataTestSupport
import Testing

/// Random operations on related contexts, whose contents must stay consistent.
@Suite struct ContextInvariantTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `random operations keep related contexts consistent`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let main = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    main.persistentStoreCoordinator = coordinator
    main.undoManager = UndoManager()
    main.undoManager?.groupsByEvent = false
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = main
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = coordinator
    for context in [main, other] {
      context.automaticallyMergesChangesFromParent = true
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }
    for _ in 0..<150 {
      let context = [main, main, child, other][Int.random(in: 0..<4, using: &random)]
      try context.performAndWait { try Self.change(in: context, &random) }
      for context in [main, child, other] { context.performAndWait { context.checkInvariants() } }
    }
  }

  private static func change(in context: NSManagedObjectContext, _ random: inout SeededRandom) throws {
    func any(_ entity: String) throws -> NSManagedObject? {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.fetchBatchSize = Int.random(in: 0...2, using: &random)
      request.returnsObjectsAsFaults = Bool.random(using: &random)
      return try context.fetch(request).randomElement(using: &random)
    }
    switch Int.random(in: 0..<16, using: &random) {
    case 0...2:
      let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
      quake.setValue("q\(random.next())", forKey: "name")
      quake.setValue(try any("Region"), forKey: "region")
    case 3, 4: _ = NSEntityDescription.insertNewObject(forEntityName: "Region", into: context)
    case 5, 6: try any("Quake")?.setValue(try any("Region"), forKey: "region")
    case 7: try any("Region")?.mutableSetValue(forKey: "quakes").removeAllObjects()
    case 8: try any("Region").map { context.refresh($0, mergeChanges: true) }
    case 9: (try any("Region") ?? any("Quake")).map(context.delete)
    case 10: try any("Quake").map(context.delete)
    case 11: context.rollback()
    case 12: Bool.random(using: &random) ? context.undo() : context.redo()
    case 13: Bool.random(using: &random) ? context.refreshAllObjects() : context.reset()
    default:
      // A save fails if another context has deleted an object.
      do { try context.save() } catch { context.rollback() }
    }
  }

  private static let model = makeModel(makeEntity("Region"), makeEntity("Quake", [attribute("name")]))
    .relate("Region", "quakes", .many, "Quake", "region", .one)
}
