import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// The mechanisms that batch requests bypass, and those that they use.
@MainActor @Suite struct BatchRulesTests {
  private func update(_ values: [String: Any], where format: String? = nil) -> NSBatchUpdateRequest {
    let request = NSBatchUpdateRequest(entityName: "Quake")
    request.propertiesToUpdate = values
    request.predicate = format.map { NSPredicate(format: $0) }
    return request
  }

  private func delete(where format: String) -> NSBatchDeleteRequest {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    fetch.predicate = NSPredicate(format: format)
    return NSBatchDeleteRequest(fetchRequest: fetch)
  }

  // MARK: Bypassing contexts

  @Test(arguments: Store.allCases)
  func `batch requests bypass validation`(in store: Store) throws {
    let context = try store.container(of: Rules.model).viewContext
    _ = try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["title": "x", "amount": 3]]))
    let item = try #require(try context.fetch("Item").first)
    #expect(item.text("title") == "x" && item.value(forKey: "amount") as? Int == 3)
    #expect(throws: CocoaError.self) { try item.validateForUpdate() }
    let request = NSBatchUpdateRequest(entityName: "Item")
    request.propertiesToUpdate = ["title": "far too long"]
    _ = try context.execute(request)
    context.refreshAllObjects()
    #expect(item.text("title") == "far too long")
  }

  @Test(arguments: Store.allCases)
  func `batch requests call no object hooks`(in store: Store) throws {
    let context = try store.people().viewContext
    context.startLog()
    let rows = [["name": "Ada"], ["name": "Eve"]]
    _ = try context.execute(NSBatchInsertRequest(entityName: "Person", objects: rows))
    let request = NSBatchUpdateRequest(entityName: "Person")
    request.propertiesToUpdate = ["age": 40]
    _ = try context.execute(request)
    _ = try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Person")))
    #expect(context.takeLog().isEmpty && context.registeredObjects.isEmpty)
  }

  // MARK: Results

  @Test(arguments: Store.allCases)
  func `a batch result is a Boolean by default`(in store: Store) throws {
    let context = try store.container().viewContext
    let insert = NSBatchInsertRequest(entityName: "Quake", objects: [["code": "a"]])
    let (update, delete) = (update(["felt": 1]), delete(where: "felt == 1"))
    #expect(insert.resultType == .statusOnly && update.resultType == .statusOnlyResultType)
    #expect(delete.resultType == .resultTypeStatusOnly && update.includesSubentities)
    #expect((try context.execute(insert) as? NSBatchInsertResult)?.result as? Bool == true)
    #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Bool == true)
    #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Bool == true)
    #expect(try context.fetch("Quake").isEmpty)
  }

  @Test(arguments: Store.allCases)
  func `updated rows count as inserted`(in store: Store) throws {
    let context = try store.coordinator().context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    _ = context.insert("Person", ["email": "ada@x", "name": "Ada"])
    try context.save()
    let request = NSBatchInsertRequest(
      entityName: "Person", objects: [["email": "ada@x", "name": "Countess"], ["email": "bob@x"]])
    request.resultType = .count
    #expect((try context.execute(request) as? NSBatchInsertResult)?.result as? Int == 2)
    #expect(try context.fetch("Person").count == 2)
  }

  // MARK: History, signals and snapshots

  @Test func `a request that changes nothing is not a transaction`() throws {
    let container = try QuakeHistory.container()
    let context = container.viewContext
    _ = try context.execute(NSBatchInsertRequest(entityName: "Quake", objects: []))
    _ = try context.execute(update(["place": "x"], where: "magnitude > 5"))
    _ = try context.execute(delete(where: "magnitude > 5"))
    try context.save()
    _ = context.insert("Quake")
    context.rollback()
    try context.save()
    #expect(try container.transactions(.fetchHistory(after: Date.distantPast)).isEmpty)
    #expect(NSPersistentHistoryResultType.transactionsAndChanges.rawValue == 5)
  }

  @Test func `a transaction has the bundle identifier of its program`() throws {
    let container = try QuakeHistory.container()
    try container.save("a")
    let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    #expect(try container.transactions(.fetchHistory(after: Date.distantPast)).map(\.bundleID) == [name])
  }

  @Test(arguments: [false, true])
  func `batch requests post remote change notifications`(history: Bool) async throws {
    let listening = try QuakeHistory.container(history: history, remote: true)
    let other = try QuakeHistory.container(at: listening.url, history: history)
    nonisolated(unsafe) var count = 0
    let lock = NSLock()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: listening.persistentStoreCoordinator, queue: nil
    ) { _ in lock.withLock { count += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    for request in [
      NSBatchInsertRequest(entityName: "Quake", objects: [["code": "a"]]), update(["place": "x"]),
      delete(where: "place == 'x'"),
    ] {
      let before = lock.withLock { count }
      _ = try other.viewContext.execute(request)
      try await eventually { lock.withLock { count } > before }
    }
    let before = lock.withLock { count }
    _ = try listening.viewContext.execute(NSBatchInsertRequest(entityName: "Quake", objects: [["code": "b"]]))
    try await eventually { lock.withLock { count } > before }
  }

  @Test func `a pinned context does not see batch changes`() throws {
    let context = try Store.sqlite.container().viewContext
    try context.addQuakes(2)
    try context.setQueryGenerationFrom(.current)
    #expect(try context.fetch("Quake").count == 2)
    let token = context.queryGenerationToken
    _ = try context.execute(NSBatchInsertRequest(entityName: "Quake", objects: [["code": "b"]]))
    _ = try context.execute(update(["place": "x"]))
    _ = try context.execute(delete(where: "code == 'q0'"))
    #expect(context.queryGenerationToken == token)
    #expect(try context.fetch("Quake").count == 2 && context.fetch("Quake", "place == 'x'").isEmpty)
    try context.setQueryGenerationFrom(.current)
    #expect(try context.fetch("Quake", "place == 'x'").count == 2)
  }

  // MARK: Merging history

  /// A transaction's dictionary has the same effect as a notification of its changes.
  @Test func `merging a transaction's dictionary changes the context`() throws {
    let container = try QuakeHistory.container()
    let reader = try QuakeHistory.container(at: container.url)
    let writer = container.viewContext
    let quakes = ["a", "b"].map { writer.insert("Quake", ["code": $0, "place": "old"]) }
    try writer.save()
    let known = try reader.viewContext.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
    #expect(known.map { $0.text("place") } == ["old", "old"])
    quakes[0].setValue("new", forKey: "place")
    writer.delete(quakes[1])
    _ = writer.insert("Quake", ["code": "c"])
    try writer.save()
    let last = try #require(try reader.transactions(.fetchHistory(after: Date.distantPast)).last)
    nonisolated(unsafe) var userInfo: [AnyHashable: Any] = [:]
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: reader.viewContext, queue: nil
    ) { userInfo = $0.userInfo ?? [:] }
    defer { NotificationCenter.default.removeObserver(observer) }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: last.objectIDNotification().userInfo ?? [:], into: [reader.viewContext])
    #expect(known[0].text("place") == "new" && known[1].isDeleted && !reader.viewContext.hasChanges)
    #expect((userInfo[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.map { $0.text("code") } == ["c"])
    #expect(userInfo[NSDeletedObjectsKey] as? Set<NSManagedObject> == [known[1]])
  }
}
