import Foundation
import StrataRowStore
import Synchronization

/// The notifications `.NSPersistentStoreRemoteChange` of one store.
///
/// One thread posts at a time, also for the others, so that no older transaction follows a newer one.
final class RemoteChangeAnnouncements: Sendable {
  private struct State {
    /// The newest transaction to post.
    var waiting: Int64?
    var posted: Int64?
    var isPosting = false

    /// - Returns: nil at the end, after which another thread may post.
    mutating func next() -> Int64? {
      guard let number = waiting else {
        isPosting = false
        return nil
      }
      (waiting, posted) = (nil, number)
      return number
    }
  }

  private let identifier: String
  private let url: URL?
  private let state = Mutex(State())

  init(of identifier: String, at url: URL?) { (self.identifier, self.url) = (identifier, url) }

  /// Posts a notification of a delivered transaction, and of all before it.
  /// - Parameter newest: the newest delivered transaction.
  func post(_ number: Int64, delivered newest: Int64, by coordinator: NSPersistentStoreCoordinator?) {
    let isPoster = state.withLock { state in
      // Threads of one group of commits wake in any order. The history of another store may have lower numbers.
      if let posted = state.posted, number < posted, posted <= newest { return false }
      state.waiting = max(state.waiting ?? number, number)
      defer { state.isPosting = true }
      return !state.isPosting
    }
    guard isPoster else { return }
    while let number = state.withLock({ $0.next() }) {
      let token = NSPersistentHistoryToken([identifier: HistoryPosition(number: number)])
      coordinator?.announceRemoteChange(of: identifier, at: url, token: token)
    }
  }
}
