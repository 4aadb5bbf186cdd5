import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct RequestTests {
  private final class OtherRequest: NSPersistentStoreRequest {}

  @Test(arguments: Store.allCases)
  func `save requests and unknown requests are refused`(in store: Store) throws {
    let context = try store.container().viewContext
    for request in [NSSaveChangesRequest(), OtherRequest()] {
      let error = #expect(throws: CocoaError.self) { try context.execute(request) }
      #expect(error?.code.rawValue == 134091)
    }
  }

  @Test(arguments: Store.allCases)
  func `batch requests change only their affected stores`(in store: Store) throws {
    let coordinator = try store.coordinator([nil, nil])
    let context = coordinator.context()
    let stores = coordinator.persistentStores
    for number in 0..<2 {
      let request = NSBatchInsertRequest(entityName: "Team", objects: [["name": "team \(number)"]])
      request.affectedStores = [stores[number]]
      #expect(request.affectedStores == [stores[number]])
      _ = try context.execute(request)
    }
    #expect(try Set(context.fetch("Team").map { $0.objectID.persistentStore }) == Set(stores))
    let update = NSBatchUpdateRequest(entityName: "Team")
    update.propertiesToUpdate = ["name": "second"]
    update.affectedStores = [stores[1]]
    update.resultType = .updatedObjectsCountResultType
    #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 1)
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Team")
    fetch.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    fetch.fetchLimit = 1
    let delete = NSBatchDeleteRequest(fetchRequest: fetch)
    delete.resultType = .resultTypeCount
    #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 1)
    #expect(try context.fetch("Team").map { $0.text("name") } == ["team 0"])
  }

  @Test(arguments: Store.allCases)
  func `a coordinator executes requests only for its own contexts`(in store: Store) throws {
    let coordinator = try store.coordinator()
    let request = NSBatchInsertRequest(entityName: "Team", objects: [["name": "a"]])
    let result = try coordinator.execute(request, with: coordinator.context())
    #expect((result as? NSBatchInsertResult)?.result as? Bool == true)
    #expect(throws: CocoaError.self) { try store.coordinator().execute(request, with: coordinator.context()) }
  }
}
