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
      for try await transaction in self.follower.transactions {
        let message = try await self.shop.message(about: transaction)
        let listening = self.clients.withLock { Array($0.values) }
        for client in listening { client.yield(message) }
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
      var message = CommitMessage()
      for change in changes where change.changedObjectID.entity.name == "Book" {
        if change.changeType == .delete {
          // The model preserves the ISBN of deleted books.
          if let isbn = change.tombstone?["isbn"] as? String { message.deleted.append(isbn) }
          continue
        }
        // A later transaction may have deleted the book.
        guard let book = try? context.existingObject(with: change.changedObjectID) as? Book, let isbn = book.isbn
        else { continue }
        if change.changeType == .insert { message.inserted.append(isbn) } else { message.updated.append(isbn) }
      }
      return message
    }
  }
}
