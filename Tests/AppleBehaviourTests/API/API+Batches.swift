import CoreData
import Foundation
import Testing

/// Everything that programs name of requests that are executed, and of batch requests.
@Suite struct BatchAPI {
  @Test func requestsAreThere() {
    use(
      "method|NSManagedObjectContext|execute(_:)",
      NSManagedObjectContext.execute(_:)
        as (NSManagedObjectContext) -> (NSPersistentStoreRequest) throws -> NSPersistentStoreResult)
    use(
      "method|NSPersistentStoreCoordinator|execute(_:with:)",
      NSPersistentStoreCoordinator.execute(_:with:)
        as (NSPersistentStoreCoordinator) -> (NSPersistentStoreRequest, NSManagedObjectContext) throws -> Any)
  }
}
