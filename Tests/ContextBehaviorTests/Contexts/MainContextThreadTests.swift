import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Use of contexts on threads that are not their queue's, as in the asynchronous `setUp` of many tests, while concurrency
/// checks are disabled.
@Suite struct MainContextThreadTests {
  @Test func `another thread can save in the main context`() async throws {
    await #expect(processExitsWith: .success) {
      setenv("COREDATA_CONCURRENCY_DEBUG", "0", 1)
      for store in Store.allCases {
        let container = try store.container()
        let context = container.viewContext
        try await Task.detached {
          for _ in 0..<50 {
            for number in 0..<200 {
              let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
              tag.setValue("\(number)", forKey: "name")
            }
            try context.save()
          }
        }.value
        try await MainActor.run {
          let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
          #expect(count == 10_000)
        }
      }
    }
  }

  @Test func `a context with a private queue can save on the thread that made it`() async throws {
    await #expect(processExitsWith: .success) {
      setenv("COREDATA_CONCURRENCY_DEBUG", "0", 1)
      let coordinator = try Store.sqlite.library().persistentStoreCoordinator
      try await Task.detached {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.insert("Tag").setValue("rare", forKey: "name")
        try context.save()
        let count = try context.fetch("Tag").count
        #expect(count == 1)
      }.value
    }
  }
}
