import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// The patterns of Apple's articles "Consuming relevant store changes" and "Loading and displaying a large data feed",
/// step by step: remote change, history after the last token, merge, token in a file, purge.
/// See https://developer.apple.com/documentation/coredata/consuming_relevant_store_changes
@MainActor @Suite struct HistoryIdiomTests {
  /// The typical persistent container of such a program.
  @MainActor private final class QuakesProvider {
    let container: NSPersistentContainer
    private let tokenFile: URL
    private var notificationToken: (any NSObjectProtocol)?
    private(set) var mergedTransactions: [NSPersistentHistoryTransaction] = []

    /// The last processed token, which outlives the program.
    private var lastToken: NSPersistentHistoryToken? {
      didSet {
        guard let token = lastToken,
          let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        else { return }
        try? data.write(to: tokenFile, options: .atomic)
      }
    }

    init(at url: URL, author: String) throws {
      container = try QuakeHistory.container(at: url, remote: true)
      tokenFile = url.deletingLastPathComponent().appendingPathComponent("\(author).token")
      if let data = try? Data(contentsOf: tokenFile) {
        lastToken = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
      }
      container.viewContext.automaticallyMergesChangesFromParent = false
      container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      container.viewContext.transactionAuthor = author
      notificationToken = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
      ) { [weak self] _ in
        Task { @MainActor in try? await self?.fetchPersistentHistoryTransactionsAndChanges() }
      }
    }

    func end() throws {
      if let notificationToken { NotificationCenter.default.removeObserver(notificationToken) }
      try container.close()
    }

    private func newTaskContext() -> NSManagedObjectContext {
      let taskContext = container.newBackgroundContext()
      taskContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      taskContext.undoManager = nil
      return taskContext
    }

    func fetchPersistentHistoryTransactionsAndChanges() async throws {
      let taskContext = newTaskContext()
      taskContext.name = "persistentHistoryContext"
      let token = lastToken
      let history = try await taskContext.perform {
        let changeRequest = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let historyResult = try taskContext.execute(changeRequest) as? NSPersistentHistoryResult
        return historyResult?.result as? [NSPersistentHistoryTransaction] ?? []
      }
      if !history.isEmpty { await mergePersistentHistoryChanges(from: history) }
    }

    private func mergePersistentHistoryChanges(from history: [NSPersistentHistoryTransaction]) async {
      let viewContext = container.viewContext
      await viewContext.perform {
        for transaction in history {
          viewContext.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
      }
      // Two tasks may have read the same transactions: count each only once.
      let known = mergedTransactions.last?.transactionNumber ?? 0
      mergedTransactions += history.filter { $0.transactionNumber > known }
      lastToken = history.last?.token
    }

    func purgeHistory(before date: Date) async throws {
      let taskContext = newTaskContext()
      try await taskContext.perform {
        _ = try taskContext.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
      }
    }

    /// Imports the feed with a batch request, which contexts see only through the history.
    func importQuakes(_ codes: [String]) async throws {
      let taskContext = newTaskContext()
      (taskContext.name, taskContext.transactionAuthor) = ("importContext", "importQuakes")
      try await taskContext.perform {
        let batch = NSBatchInsertRequest(entityName: "Quake", objects: codes.map { ["code": $0, "magnitude": 5.0] })
        let result = try taskContext.execute(batch) as? NSBatchInsertResult
        guard result?.result as? Bool == true else { throw CocoaError(.persistentStoreOperation) }
      }
    }
  }

  private func until(_ condition: () -> Bool) async throws {
    let end = Date(timeIntervalSinceNow: 120)
    while Date() < end, !condition() { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func `the view context follows imports through the history`() async throws {
    let url = try TemporaryFolder.make().appendingPathComponent("Quakes.sqlite")
    let app = try QuakesProvider(at: url, author: "app")
    let worker = try QuakesProvider(at: url, author: "worker")
    try await app.importQuakes(["a", "b"])
    try await until { app.mergedTransactions.count == 1 }
    let quakes = try app.container.viewContext.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
    #expect(quakes.map { $0.value(forKey: "code") as? String } == ["a", "b"])
    // A worker changes a displayed quake and imports more.
    let other = worker.container.newBackgroundContext()
    try await other.perform {
      try other.fetch("Quake", "code == 'a'")[0].setValue("sea", forKey: "place")
      try other.save()
    }
    try await worker.importQuakes(["c"])
    try await until { app.mergedTransactions.count == 3 }
    #expect(app.mergedTransactions.map(\.transactionNumber) == [1, 2, 3])
    #expect(quakes[0].value(forKey: "place") as? String == "sea")
    #expect(!app.container.viewContext.hasChanges)
    try app.end()
    // The worker continues while the app is not running; then the app reads its token from the file.
    try await worker.importQuakes(["d", "e"])
    let again = try QuakesProvider(at: url, author: "app")
    try await again.fetchPersistentHistoryTransactionsAndChanges()
    #expect(again.mergedTransactions.map(\.transactionNumber) == [4])
    #expect(again.mergedTransactions[0].author == "importQuakes")
    let sevenDaysAgo = try #require(Calendar.current.date(byAdding: .day, value: -7, to: Date()))
    try await again.purgeHistory(before: sevenDaysAgo)
    #expect(try again.container.transactions(.fetchHistory(after: Date.distantPast)).count == 4)
    try await until { worker.mergedTransactions.count == 4 }
    try await again.purgeHistory(before: Date.distantFuture)
    #expect(try again.container.transactions(.fetchHistory(after: Date.distantPast)).isEmpty)
    try await again.fetchPersistentHistoryTransactionsAndChanges()
    try again.end()
    try worker.end()
  }
}
