import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Descriptions of contexts, coordinators and fetch requests.
@MainActor @Suite struct DescriptionTests {
  @Test(arguments: Store.allCases)
  func `a context's description counts its objects and names its parent`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    context.name = "reader"
    context.transactionAuthor = "tests"
    _ = context.insert("Quake")
    quakes[0].setValue("here", forKey: "place")
    context.delete(quakes[1])
    context.processPendingChanges()
    let text = context.debugDescription
    for part in ["name: reader", "main queue", "author: tests", "1 inserted, 1 updated, 1 deleted", "coordinator"] {
      #expect(text.contains(part), "\(text)")
    }
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    #expect(child.debugDescription.contains("private queue") && child.debugDescription.contains("no store"))
    child.parent = context
    #expect(child.debugDescription.hasSuffix("parent: reader)"))
  }

  @Test func `a coordinator's description lists its stores`() throws {
    let (container, _) = try Store.sqlite.quakes()
    let coordinator = container.persistentStoreCoordinator
    coordinator.name = "all"
    let store = try #require(coordinator.persistentStores.first)
    let lines = coordinator.debugDescription.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("name: all") && lines[0].contains("1 store"))
    #expect(lines[0].contains(coordinator.managedObjectModel.versionChecksum))
    for part in ["SQLite", store.identifier ?? "-", store.url?.absoluteString ?? "-", store.configurationName] {
      #expect(lines[1].contains(part), "\(lines[1])")
    }
  }

  @Test func `a request's description lists its settings`() {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    #expect(request.description.hasSuffix(" (entity: Quake; type: NSManagedObjectResultType)"))
    request.predicate = NSPredicate(format: "magnitude > 5")
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
    request.fetchLimit = 3
    request.resultType = .managedObjectIDResultType
    #expect(
      request.description.hasSuffix(
        " (entity: Quake; predicate: (magnitude > 5); sortDescriptors: ((time, descending)); limit: 3; "
          + "type: NSManagedObjectIDResultType)"), "\(request)")
  }
}
