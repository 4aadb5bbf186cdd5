import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Uses the main queue's context on another thread, as tests often do in an asynchronous `setUp`.
@Suite struct StrayUseTests {
  @Test(arguments: Store.allCases) func `the main context can be filled on another thread`(store: Store) async throws {
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
