import Foundation

/// Notifications as an asynchronous sequence, which Foundation on Linux lacks.
extension NotificationCenter {
  /// Returns the notifications with a name as an asynchronous sequence. Notifications that are posted after an iterator
  /// was created wait for it.
  /// - Parameters:
  ///   - name: the name of the notifications.
  ///   - object: the sender; nil for all senders.
  public func notifications(
    named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
  ) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// An asynchronous sequence of notifications. It ends when its task is canceled.
  ///
  /// See <https://developer.apple.com/documentation/foundation/notificationcenter/notifications>
  public final class Notifications: AsyncSequence, @unchecked Sendable {
    // Sendable: it is immutable, and a center accepts calls from every thread.
    /// The elements are notifications.
    public typealias Element = Notification

    private let center: NotificationCenter
    private let name: Notification.Name
    private let object: (any AnyObject & Sendable)?

    fileprivate init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
      (self.center, self.name, self.object) = (center, name, object)
    }

    /// Returns an iterator, which listens from now on.
    public func makeAsyncIterator() -> Iterator {
      let (stream, continuation) = AsyncStream.makeStream(of: Letter.self)
      let observer = center.addObserver(forName: name, object: object, queue: nil) {
        continuation.yield(Letter(notification: $0))
      }
      return Iterator(letters: stream.makeAsyncIterator(), ear: Ear(center, observer))
    }

    /// Listens for notifications as long as it exists.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var letters: AsyncStream<Letter>.Iterator
      fileprivate let ear: Ear

      /// Returns the next notification; nil once the task is canceled.
      public mutating func next() async -> Notification? { await letters.next()?.notification }

      /// Returns the next notification to a caller in an actor; nil once the task is canceled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await letters.next(isolation: actor)?.notification
      }
    }
  }
}

@available(*, unavailable)
extension NotificationCenter.Notifications.Iterator: Sendable {}

/// Carries a notification to the waiting task.
private struct Letter: @unchecked Sendable {
  // Sendable: as with an observer's block, the poster must ensure that its contents may be shared.
  let notification: Notification
}

/// Observes as long as it exists.
private final class Ear {
  private let center: NotificationCenter
  private let observer: any NSObjectProtocol

  init(_ center: NotificationCenter, _ observer: any NSObjectProtocol) {
    (self.center, self.observer) = (center, observer)
  }

  deinit { center.removeObserver(observer) }
}
