import CoreData
import Foundation
import StrataTestSupport
import Testing

extension PlainCrate {
  // As Xcode writes it.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<PlainCrate> {
    NSFetchRequest<PlainCrate>(entityName: "PlainCrate")
  }
}

/// Requests for one type of result where Apple's framework takes any, which is a cast on its systems.
@MainActor @Suite struct AnyResultTests {
  private func filled(_ store: Store, _ model: NSManagedObjectModel? = nil) throws -> NSManagedObjectContext {
    let container = NSPersistentContainer(name: "Crates", managedObjectModel: try model ?? Crates.model())
    let description = NSPersistentStoreDescription(url: try TemporaryFolder.make().appendingPathComponent("C.sqlite"))
    description.type = store.rawValue
    container.persistentStoreDescriptions = [description]
    try container.load()
    for weight in 0..<10 { PlainCrate(context: container.viewContext).weight = weight }
    try container.viewContext.save()
    return container.viewContext
  }

  private func deleted(_ request: NSBatchDeleteRequest, in context: NSManagedObjectContext) throws -> Int? {
    request.resultType = .resultTypeCount
    return (try context.execute(request) as? NSBatchDeleteResult)?.result as? Int
  }

  @Test(arguments: Store.allCases)
  func aBatchDeleteTakesARequestOfAnyResult(_ store: Store) throws {
    let context = try filled(store)
    let request: NSFetchRequest<PlainCrate> = PlainCrate.fetchRequest()
    request.predicate = NSPredicate(format: "weight < 3")
    let delete = NSBatchDeleteRequest(fetchRequest: request)
    request.predicate = nil
    #expect(try deleted(delete, in: context) == 3)
    let some: NSFetchRequest<NSFetchRequestResult> = PlainCrate.fetchRequest()
    some.fetchLimit = 2
    #expect(try deleted(NSBatchDeleteRequest(fetchRequest: some), in: context) == 2)
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "PlainCrate")
    ids.fetchLimit = 1
    #expect(try deleted(NSBatchDeleteRequest(fetchRequest: ids), in: context) == 1)
    #expect(try deleted(NSBatchDeleteRequest(fetchRequest: PlainCrate.fetchRequest()), in: context) == 4)
    let none = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "PlainCrate"))
    #expect(try deleted(none, in: context) == 0)
    #expect(try deleted(NSBatchDeleteRequest(fetchRequest: OverridingCrate.fetchRequest()), in: context) == 0)
  }

  @Test(arguments: Store.allCases)
  func aFetchIsMadeByTheMethodOfAnyClass(_ store: Store) throws {
    let context = try filled(store)
    #expect(try context.fetch(PlainCrate.fetchRequest()).count == 10)
    let any: NSFetchRequest<NSFetchRequestResult> = PlainCrate.fetchRequest()
    #expect(try context.count(for: any) == 10)
    #expect(try context.fetch(any).compactMap { $0 as? PlainCrate }.count == 10)
    #expect(try count(PlainCrate.self, in: context) == 10)
  }

  private func count<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) throws -> Int {
    try context.count(for: type.fetchRequest())
  }

  @Test func aTemplateIsOfAnyResult() throws {
    let model = try Crates.model()
    let request: NSFetchRequest<PlainCrate> = PlainCrate.fetchRequest()
    request.predicate = NSPredicate(format: "weight < $MOST")
    model.setFetchRequestTemplate(request, forName: "Light")
    let plain = model.fetchRequestFromTemplate(withName: "Light", substitutionVariables: ["MOST": 4])
    let typed: NSFetchRequest<PlainCrate>? = model.fetchRequestFromTemplate(
      withName: "Light", substitutionVariables: ["MOST": 5])
    model.setFetchRequestTemplate(request, forName: "Gone")
    model.setFetchRequestTemplate(nil, forName: "Gone")
    #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["Light"])
    let context = try filled(.memory, model)
    #expect(try context.count(for: try #require(plain)) == 4)
    #expect(try context.fetch(try #require(typed)).allSatisfy { $0.weight < 5 })
    #expect(try context.count(for: try #require(typed)) == 5)
  }

  @Test func historyIsAskedWithARequestOfAnyResult() {
    let fetch = NSFetchRequest<NSPersistentHistoryTransaction>(entityName: "Transaction")
    fetch.fetchLimit = 3
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    #expect(request.fetchRequest?.fetchLimit == 3 && request.fetchRequest?.entityName == "Transaction")
  }
}
