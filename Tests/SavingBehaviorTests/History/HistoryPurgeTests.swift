import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Purging history, and stores without history.
@Suite struct HistoryPurgeTests {
  private func numbers(_ container: NSPersistentContainer) throws -> [Int64] {
    try container.transactions(.fetchHistory(after: Date.distantPast)).map(\.transactionNumber)
  }

  private func filled(_ count: Int) throws -> NSPersistentContainer {
    let container = try QuakeHistory.container()
    for number in 0..<count { try container.save("\(number)") }
    return container
  }

  /// Invariant 5: a transaction's number is never reused, not even after a purge.
  @Test func `a purge deletes the transactions before a token`() throws {
    let container = try filled(5)
    let all = try container.transactions(.fetchHistory(after: Date.distantPast))
    #expect(try container.history(.deleteHistory(before: all[0]), as: Bool.self))
    #expect(try numbers(container) == [1, 2, 3, 4, 5], "Before is exclusive.")
    #expect(try container.history(.deleteHistory(before: all[1]), as: Bool.self))
    #expect(try numbers(container) == [2, 3, 4, 5])
    #expect(try container.history(.deleteHistory(before: all[2].token), as: Bool.self))
    #expect(try numbers(container) == [3, 4, 5])
    #expect(try container.history(.deleteHistory(before: all[3].timestamp), as: Bool.self))
    #expect(try numbers(container) == [4, 5])
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    #expect(request.resultType == .statusOnly)
    request.resultType = .count
    #expect(try container.history(request, as: Int.self) == 2)
    #expect(try numbers(container).isEmpty)
    try container.save("new")
    #expect(try numbers(container) == [6], "Numbers are not reused.")
  }

  @Test func `a purge without a token deletes nothing`() throws {
    let container = try filled(2)
    #expect(try container.history(.deleteHistory(before: nil as NSPersistentHistoryToken?), as: Bool.self))
    #expect(try container.history(.deleteHistory(before: nil as NSPersistentHistoryTransaction?), as: Bool.self))
    #expect(try numbers(container) == [1, 2])
  }

  @Test func `a purge does not keep transactions from other coordinators, which still merge them`() throws {
    let container = try filled(1)
    let other = try QuakeHistory.container(at: container.url)
    let context = other.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    for number in 0..<50 {
      try container.save("more \(number)")
      #expect(try container.history(.deleteHistory(before: Date.distantFuture), as: Bool.self))
      #expect(try numbers(container).isEmpty)
    }
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    #expect(try context.performAndWait { try context.count(for: request) } == 51)
  }

  @Test func `a store with history is read-only without the key`() throws {
    let container = try filled(1)
    let url = container.url
    try container.close()
    let plain = try QuakeHistory.container(at: url, history: false)
    #expect(plain.persistentStoreCoordinator.persistentStores[0].isReadOnly)
    #expect(throws: CocoaError.self) { try plain.save("untracked") }
    #expect(try numbers(plain) == [1], "The store and its history can be read.")
    try plain.close()
    let tracked = try QuakeHistory.container(at: url)
    try tracked.save("b")
    #expect(try tracked.history(.deleteHistory(before: Date.distantFuture), as: Bool.self))
    try tracked.close()
    let freed = try QuakeHistory.container(at: url, history: false)
    try freed.save("c")
    #expect(freed.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
  }

  @Test func `the error of a store without history names the option`() throws {
    let plain = try QuakeHistory.container(history: false)
    for container in [plain, try Store.memory.container(history: true)] {
      let error = #expect(throws: CocoaError.self) {
        try container.transactions(.fetchHistory(after: Date.distantPast))
      }
      #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
      #expect(error?.localizedDescription.contains("NSPersistentHistoryTrackingKey") == true)
      #expect(container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    }
  }

  @Test func `a child context can fetch the history`() throws {
    let container = try filled(2)
    let child = container.newBackgroundContext().child(.privateQueueConcurrencyType)
    let result = try child.performAndWait {
      try child.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
    }
    let transactions = (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction]
    #expect(transactions?.count == 2)
  }
}
