import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Use of the main-queue context on another thread, as in the asynchronous `setUp` of many tests.
@Suite struct MainContextThreadTests {
  @Test(arguments: Store.allCases) func `another thread can save in the main context`(store: Store) async throws {
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
