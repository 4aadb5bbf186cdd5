import CoreData

/// Provides the earthquakes of a store that others write. Merges their transactions from the history in order.
@MainActor
public final class QuakesProvider {
  public let container: NSPersistentContainer
  private var lastToken: NSPersistentHistoryToken?
  private var merging: Task<Void, Never>?

  public init(storeURL: URL) throws {
    container = NSPersistentContainer(name: "Earthquakes")
    let description = NSPersistentStoreDescription(url: storeURL)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }

    let viewContext = container.viewContext
    viewContext.automaticallyMergesChangesFromParent = false  // mergeHistory() does it
    viewContext.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    viewContext.transactionAuthor = "provider"
    lastToken = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)

    let notifications = NotificationCenter.default.notifications(
      named: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator)
    merging = Task { [weak self] in
      for await _ in notifications {
        do {
          try await self?.mergeHistory()
        } catch {
          print("The history cannot be merged: \(error.localizedDescription)")
        }
      }
    }
  }

  deinit { merging?.cancel() }

  /// Merges others' saves since the last merge.
  public func mergeHistory() async throws {
    let (context, viewContext, token) = (container.newBackgroundContext(), container.viewContext, lastToken)
    do {
      lastToken = try await context.perform {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        if let others = NSPersistentHistoryTransaction.fetchRequest {
          others.predicate = NSPredicate(format: "author != %@", "provider")
          request.fetchRequest = others
        }
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        viewContext.performAndWait {
          for transaction in transactions {
            viewContext.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
          }
        }
        return transactions.last?.token ?? token
      }
    } catch let error as CocoaError where error.code.rawValue == NSPersistentHistoryTokenExpiredError {
      // Transactions that this process had not read were purged.
      lastToken = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
      viewContext.refreshAllObjects()
    }
  }

  /// Deletes the part of the history that this process, the only reader, has merged.
  public func purgeHistory() async throws {
    guard let token = lastToken else { return }
    try await container.performBackgroundTask { context in
      let request = NSPersistentHistoryChangeRequest.deleteHistory(before: token)
      try context.execute(request)
    }
  }
}
