import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Fetch requests for transactions and changes.
@Suite struct HistoryPredicateTests {
  private let container: NSPersistentContainer
  private let tokens: [NSPersistentHistoryToken]

  /// Four transactions: fetch/import, reader/list, no author, fetch/import.
  init() throws {
    container = try QuakeHistory.container()
    var tokens = [container.token]
    for (code, author, name) in [("a", "fetch", "import"), ("b", "reader", "list"), ("c", nil, nil)] {
      try container.save(code, author: author, context: name)
      tokens.append(container.token)
    }
    let context = container.newBackgroundContext()
    (context.transactionAuthor, context.name) = ("fetch", "import")
    try context.performAndWait {
      let quakes = try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
      quakes[0].setValue("sea", forKey: "place")
      context.delete(quakes[1])
      _ = context.insert("GreatQuake", ["code": "d"])
      _ = context.insert("Region", ["name": "r"])
      try context.save()
    }
    tokens.append(container.token)
    self.tokens = tokens
  }

  private func numbers(_ format: String, _ arguments: Any...) throws -> [Int64] {
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
    return try container.transactions(.fetchHistory(withFetch: fetch)).map(\.transactionNumber)
  }

  @Test func `a predicate selects transactions by author, context and process`() throws {
    #expect(try numbers("author == %@", "fetch") == [1, 4])
    #expect(try numbers("author != %@", "fetch") == [2, 3])
    #expect(try numbers("author == nil") == [3])
    #expect(try numbers("author IN %@ OR contextName BEGINSWITH %@", ["reader"], "imp") == [1, 2, 4])
    #expect(try numbers("contextName == %@", "list") == [2])
    #expect(try numbers("processID == %@ AND bundleID != nil", "\(getpid())") == [1, 2, 3, 4])
    #expect(try numbers("processID == '0'").isEmpty)
    let bundle = try container.transactions("bundleID != nil")[0].bundleID
    #expect(try numbers("bundleID == %@", bundle) == [1, 2, 3, 4])
  }

  @Test func `a predicate selects transactions by token, number and time`() throws {
    #expect(try numbers("token > %@", tokens[1]) == [2, 3, 4])
    #expect(try numbers("token >= %@", tokens[1]) == [1, 2, 3, 4])
    #expect(try numbers("token == %@", tokens[2]) == [2])
    #expect(try numbers("token < %@", tokens[2]) == [1])
    #expect(try numbers("%K <= %@", "token", tokens[3]) == [1, 2, 3])
    // As in Apple's session on several processes: the others' transactions between two tokens.
    #expect(try numbers("token > %@ AND token <= %@ AND author != %@", tokens[1], tokens[4], "fetch") == [2, 3])
    #expect(try numbers("transactionNumber BETWEEN {2, 3}") == [2, 3])
    #expect(try numbers("NOT (token > %@)", tokens[1]) == [1])
    #expect(try numbers("transactionNumber >= %@", Int64.min) == [1, 2, 3, 4])
    #expect(try numbers("transactionNumber <= %@ AND token < %@", Int64.max, Int64.min).isEmpty)
    let second = try container.transactions("transactionNumber == 2")[0]
    #expect(try numbers("timestamp <= %@", second.timestamp) == [1, 2])
    #expect(try numbers("timestamp > %@", Date.distantFuture).isEmpty)
  }

  @Test func `a predicate selects changes by type, object and properties`() throws {
    let kinds: [(NSPersistentHistoryChangeType, Int)] = [(.insert, 5), (.update, 1), (.delete, 1)]
    for (kind, count) in kinds {
      #expect(try container.changes("changeType == %d", kind.rawValue).count == count, "\(kind)")
    }
    let first = try container.transactions("transactionNumber == 1")[0]
    let id = try #require(first.changes?.first?.changedObjectID)
    let changes = try container.changes("changedObjectID == %@", id)
    #expect(changes.map(\.changeType) == [.insert, .update])
    #expect(changes.map { $0.transaction?.transactionNumber } == [1, 4])
    #expect(try container.changes("changedObjectID IN %@", [id]).count == 2)
    let quake = try #require(container.managedObjectModel.entitiesByName["Quake"])
    let great = try #require(container.managedObjectModel.entitiesByName["GreatQuake"])
    #expect(try container.changes("changedEntity == %@", quake).count == 5, "A subentity is a separate entity.")
    #expect(try container.changes("changedEntity == %@ OR changedEntity == %@", quake, great).count == 6)
    #expect(try container.changes("changedObjectID.entity == %@", great).count == 1)
    #expect(try container.changes("'place' IN updatedProperties").count == 1)
    #expect(try container.changes("tombstone.code == 'b'").count == 1)
    #expect(try container.changes("transaction.author == 'reader'").count == 1)
    #expect(try container.changes("token > %@ AND changeType == 1", tokens[1]).count == 1)
  }

  @Test func `an object ID of another coordinator finds changes`() throws {
    let other = try QuakeHistory.container(at: container.url)
    let id = try #require(container.transactions("transactionNumber == 1")[0].changes?.first?.changedObjectID)
    #expect(try other.changes("changedObjectID == %@", id).count == 2)
  }

  @Test func `transactions contain only the changes that match`() throws {
    let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
    fetch.predicate = NSPredicate(format: "changeType == %d", NSPersistentHistoryChangeType.insert.rawValue)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: tokens[2])
    request.fetchRequest = fetch
    let transactions = try container.transactions(request)
    #expect(transactions.map(\.transactionNumber) == [3, 4])
    #expect(transactions.map { $0.changes?.count } == [1, 2])
    request.resultType = .count
    #expect(try container.history(request, as: Int.self) == 3)
    request.resultType = .transactionsOnly
    #expect(try container.transactions(request).allSatisfy { $0.changes == nil })
    request.resultType = .objectIDs
    #expect(try container.history(request, as: [NSManagedObjectID].self).count == 3)
  }

  @Test func `a transaction fetch respects sort order, limit and offset`() throws {
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
    fetch.fetchLimit = 2
    fetch.fetchOffset = 1
    #expect(try container.transactions(.fetchHistory(withFetch: fetch)).map(\.transactionNumber) == [3, 2])
  }

  @Test func `history entities describe the keys of predicates`() throws {
    let context = container.newBackgroundContext()
    let change = try #require(NSPersistentHistoryChange.entityDescription(with: context))
    let name = try #require(change.attributesByName["changedObjectID"]?.name)
    let id = try #require(container.transactions("transactionNumber == 1")[0].changes?.first?.changedObjectID)
    let fetch = NSFetchRequest<any NSFetchRequestResult>()
    fetch.entity = change
    fetch.predicate = NSPredicate(format: "%K = %@", name, id)
    #expect(try container.transactions(.fetchHistory(withFetch: fetch)).map(\.transactionNumber) == [1, 4])
    #expect(NSPersistentHistoryTransaction.entityDescription(with: context)?.attributesByName["author"] != nil)
    #expect(NSPersistentHistoryTransaction.entityDescription?.attributesByName["token"] != nil)
    #expect(NSPersistentHistoryChange.entityDescription != nil)
    let plain = try QuakeHistory.container(history: false).newBackgroundContext()
    #expect(NSPersistentHistoryChange.entityDescription(with: plain) == nil)
  }

  @Test func `a predicate on unknown history keys is refused`() throws {
    #expect(throws: CocoaError.self) { try container.transactions("magnitude > 3") }
    let quakes = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    let error = #expect(throws: CocoaError.self) { try container.transactions(.fetchHistory(withFetch: quakes)) }
    #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
  }
}
