import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Reading the history of a store.
@Suite struct HistoryTests {
  private let container: NSPersistentContainer

  init() throws { container = try QuakeHistory.container() }

  @Test func `a transaction has its author, changes and date`() throws {
    let before = Date()
    let id = try container.save("a", author: "fetch", context: "import")
    let transaction = try #require(container.transactions(.fetchHistory(after: Date.distantPast)).first)
    #expect(transaction.transactionNumber == 1)
    #expect(transaction.storeID == container.persistentStoreCoordinator.persistentStores[0].identifier)
    #expect(transaction.author == "fetch")
    #expect(transaction.contextName == "import")
    #expect(!transaction.bundleID.isEmpty)
    #expect(transaction.processID == "\(getpid())")
    #expect(transaction.timestamp >= before.addingTimeInterval(-1) && transaction.timestamp <= Date())
    #expect(transaction.token == container.token)
    let change = try #require(transaction.changes?.first)
    #expect(transaction.changes?.count == 1)
    #expect(change.changedObjectID == id)
    #expect(change.changedObjectID.entity === container.managedObjectModel.entitiesByName["Quake"])
    #expect(change.changeType == .insert)
    #expect(change.changeID == 1)
    #expect(change.transaction == transaction)
    #expect(change.tombstone == nil && change.updatedProperties == nil)
    #expect(transaction.copy() as? NSPersistentHistoryTransaction == transaction)
    #expect(change.copy() as? NSPersistentHistoryChange == change)
  }

  @Test func `updates list their properties and deletions keep values`() throws {
    let context = container.newBackgroundContext()
    let (time, uuid) = (Date(timeIntervalSinceReferenceDate: 1234.5), UUID())
    let page = try #require(URL(string: "https://example.org/q"))
    try context.performAndWait {
      let region = context.insert("Region", ["name": "Tonga"])
      let quake = context.insert(
        "GreatQuake",
        [
          "code": "us1", "magnitude": 8.1, "time": time, "uuid": uuid, "page": page,
          "cost": NSDecimalNumber(string: "12.5"), "reviewed": true, "place": "sea", "wave": Data([1, 2]), "deaths": 7,
        ])
      let plain = context.insert("Quake")
      try context.save()
      quake.setValue(8.2, forKey: "magnitude")
      quake.setValue(region, forKey: "region")
      try context.save()
      context.delete(quake)
      context.delete(plain)
      try context.save()
    }
    let transactions = try container.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    #expect(transactions.count == 3)
    let updates = try #require(transactions[1].changes)
    let names = Dictionary(
      updates.map { ($0.changedObjectID.entity.name ?? "", Set($0.updatedProperties?.map(\.name) ?? [])) },
      uniquingKeysWith: { first, _ in first })
    #expect(names == ["GreatQuake": ["magnitude", "region"], "Region": ["quakes"]])
    let deletions = try #require(transactions[2].changes).filter { $0.changeType == .delete }
    let tombstone = try #require(deletions.first { $0.changedObjectID.entity.name == "GreatQuake" }?.tombstone)
    #expect(tombstone["code"] as? String == "us1")
    #expect(tombstone["magnitude"] as? Double == 8.2)
    #expect(tombstone["time"] as? Date == time)
    #expect(tombstone["uuid"] as? UUID == uuid)
    #expect(tombstone["page"] as? URL == page)
    #expect(tombstone["cost"] as? NSDecimalNumber == NSDecimalNumber(string: "12.5"))
    #expect(tombstone["reviewed"] as? Bool == true)
    #expect(tombstone["deaths"] as? Int == 7)
    #expect(tombstone.count == 8, "\(tombstone) contains only values that the model preserves, and no large data.")
    #expect(deletions.first { $0.changedObjectID.entity.name == "Quake" }?.tombstone == nil)
  }

  @Test func `a child's batch requests have the author and name of the root context`() throws {
    let container = try Store.sqlite.container(history: true)
    let root = container.viewContext
    (root.transactionAuthor, root.name) = ("root", "view")
    let middle = root.child()
    let child = middle.child(.privateQueueConcurrencyType)
    (child.transactionAuthor, child.name) = ("child", "below")
    try child.performAndWait {
      _ = try child.execute(NSBatchInsertRequest(entityName: "Quake", objects: [["code": "a"]]))
      let update = NSBatchUpdateRequest(entityName: "Quake")
      update.propertiesToUpdate = ["place": "moved"]
      _ = try child.execute(update)
    }
    let transactions = try container.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    #expect(transactions.map(\.author) == ["root", "root"] && transactions.map(\.contextName) == ["view", "view"])
  }

  @Test func `the history contains batch requests`() throws {
    let context = container.newBackgroundContext()
    context.transactionAuthor = "batch"
    try context.performAndWait {
      let rows = (0..<3).map { ["code": "\($0)", "magnitude": Double($0)] as [String: Any] }
      _ = try context.execute(NSBatchInsertRequest(entityName: "Quake", objects: rows))
      let update = NSBatchUpdateRequest(entityName: "Quake")
      update.predicate = NSPredicate(format: "magnitude > 0")
      update.propertiesToUpdate = ["place": "moved"]
      _ = try context.execute(update)
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
      fetch.predicate = NSPredicate(format: "magnitude < 2")
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
    }
    let transactions = try container.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    #expect(transactions.map(\.author) == ["batch", "batch", "batch"])
    let kinds: [[NSPersistentHistoryChangeType]] = [
      [.insert, .insert, .insert], [.update, .update], [.delete, .delete],
    ]
    #expect(transactions.map { $0.changes?.map(\.changeType) } == kinds)
    let updated = transactions[1].changes?.map { Set($0.updatedProperties?.map(\.name) ?? []) }
    #expect(updated == [["place"], ["place"]])
    let codes = transactions[2].changes?.map { $0.tombstone?["code"] as? String }
    #expect(codes == ["0", "1"])
    #expect(transactions[2].changes?.last?.tombstone?["magnitude"] as? Double == 1)
  }

  @Test func `fetching after a token, date or transaction excludes it`() throws {
    try container.save("a")
    let token = container.token
    Thread.sleep(forTimeInterval: 0.01)
    let date = Date()
    try container.save("b")
    try container.save("c")
    let all = try container.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    #expect(all.map(\.transactionNumber) == [1, 2, 3])
    #expect(try container.transactions(.fetchHistory(after: token)) == Array(all[1...]))
    #expect(try container.transactions(.fetchHistory(after: date)) == Array(all[1...]))
    #expect(try container.transactions(.fetchHistory(after: all[1])) == [all[2]])
    #expect(try container.transactions(.fetchHistory(after: all[2].token)).isEmpty)
    #expect(try container.transactions(.fetchHistory(after: nil as NSPersistentHistoryTransaction?)) == all)
    #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: token).token == token)
    #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: all[1]).token == all[1].token)
    #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: date).token == nil)
  }

  @Test func `the result has the requested type`() throws {
    let context = container.newBackgroundContext()
    let ids = try context.performAndWait {
      let quakes = ["a", "b"].map { context.insert("Quake", ["code": $0]) }
      try context.save()
      quakes[0].setValue("sea", forKey: "place")
      try context.save()
      return quakes.map(\.objectID)
    }
    func request(_ type: NSPersistentHistoryResultType) -> NSPersistentHistoryChangeRequest {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      #expect(request.resultType == .transactionsAndChanges)
      request.resultType = type
      return request
    }
    #expect(try container.history(request(.statusOnly), as: Bool.self))
    #expect(try container.history(request(.count), as: Int.self) == 2)
    #expect(try Set(container.history(request(.objectIDs), as: [NSManagedObjectID].self)) == Set(ids))
    #expect(try container.history(request(.objectIDs), as: [NSManagedObjectID].self).count == 2)
    let bare = try container.history(request(.transactionsOnly), as: [NSPersistentHistoryTransaction].self)
    #expect(bare.count == 2 && bare.allSatisfy { $0.changes == nil })
    let changes = try container.history(request(.changesOnly), as: [NSPersistentHistoryChange].self)
    #expect(changes.map(\.changeType) == [.insert, .insert, .update])
    #expect(changes.last?.transaction?.transactionNumber == 2)
    let result = try context.performAndWait { try context.execute(request(.count)) as? NSPersistentHistoryResult }
    #expect(result?.resultType == .count)
  }

  @Test func `a transaction merges into contexts`() throws {
    let other = try QuakeHistory.container(at: container.url)
    let id = try container.save("a")
    let reader = other.newBackgroundContext()
    try reader.performAndWait {
      let quake = try #require(reader.fetch("Quake").first)
      #expect(quake.value(forKey: "place") == nil)
    }
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      try writer.existingObject(with: id).setValue("sea", forKey: "place")
      _ = writer.insert("Quake", ["code": "b"])
      try writer.save()
    }
    let last = try #require(other.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?)).last)
    let note = last.objectIDNotification()
    #expect(note.name == .NSManagedObjectContextDidSaveObjectIDs)
    #expect((note.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
    #expect((note.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
    #expect(note.userInfo?[NSDeletedObjectIDsKey] == nil)
    try reader.performAndWait {
      let quake = try #require(reader.fetch("Quake").first { $0.objectID == id })
      reader.mergeChanges(fromContextDidSave: note)
      #expect(quake.value(forKey: "place") as? String == "sea")
    }
    let second = other.newBackgroundContext()
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: note.userInfo ?? [:], into: [second])
    second.performAndWait { #expect(!second.hasChanges) }
  }
}
