import CoreData
import ServiceLifecycle
import Synchronization

/// Follows the store, and passes the commits of all processes to the clients of this one.
final class ChangeFeed: Service {
  private let shop: BookShop
  private let follower: HistoryFollower
  private let clients = Mutex<[UUID: AsyncStream<CommitMessage>.Continuation]>([:])

  init(of shop: BookShop) throws {
    self.shop = shop
    follower = try shop.follower()
  }

  /// Runs until the service shuts down.
  func run() async throws {
    try await cancelWhenGracefulShutdown {
      do {
        for try await transaction in self.follower.transactions {
          let message = try await self.shop.message(about: transaction)
          if message.isEmpty { continue }
          let listening = self.clients.withLock { Array($0.values) }
          for client in listening { client.yield(message) }
        }
      } catch is CancellationError {
        // The shutdown came while a message waited for its turn.
      }
    }
  }

  /// The commits from now on.
  func commits() -> AsyncStream<CommitMessage> {
    // A client that does not read fast enough loses the oldest messages, not the memory of the service.
    let (stream, continuation) = AsyncStream.makeStream(
      of: CommitMessage.self, bufferingPolicy: .bufferingNewest(1_000))
    let id = UUID()
    continuation.onTermination = { [weak self] _ in self?.clients.withLock { $0[id] = nil } }
    clients.withLock { $0[id] = continuation }
    return stream
  }
}

extension BookShop {
  fileprivate func message(about transaction: NSPersistentHistoryTransaction) async throws -> CommitMessage {
    let changes = transaction.changes ?? []
    return try await read { context in
      let request: NSFetchRequest<Book> = Book.fetchRequest()
      request.predicate = NSPredicate(format: "SELF IN %@", changes.map(\.changedObjectID))
      let books = try context.fetch(request)
      let isbns = Dictionary(uniqueKeysWithValues: books.map { ($0.objectID, $0.isbn ?? "") })
      var message = CommitMessage()
      for change in changes where change.changedObjectID.entity.name == "Book" {
        // A later transaction may have deleted the book. Then it has no ISBN here, except in the change that deleted it,
        // because the model preserves the ISBN of deleted books.
        let isbn = isbns[change.changedObjectID]
        switch change.changeType {
        case .insert: message.inserted += [isbn].compactMap(\.self)
        case .update: message.updated += [isbn].compactMap(\.self)
        case .delete: message.deleted += [change.tombstone?["isbn"] as? String].compactMap(\.self)
        @unknown default: break
        }
      }
      return message
    }
  }
}
