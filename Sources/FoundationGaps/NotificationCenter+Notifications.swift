import Foundation

/// Notifications as an asynchronous sequence, which Foundation on Linux lacks.
extension NotificationCenter {
  /// The notifications with a name, as they are posted. What is posted after an iterator was made waits for it.
  /// - Parameter object: whose notifications are wanted; nil is everybody's.
  public func notifications(
    named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
  ) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// Notifications of one name. It ends when its task is cancelled.
  /// See https://developer.apple.com/documentation/foundation/notificationcenter/notifications
  public final class Notifications: AsyncSequence, @unchecked Sendable {
    // Sendable: nothing changes after it was made, and a centre takes calls from every thread.
    public typealias Element = Notification

    private let center: NotificationCenter
    private let name: Notification.Name
    private let object: (any AnyObject & Sendable)?

    fileprivate init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
      (self.center, self.name, self.object) = (center, name, object)
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
      let (stream, continuation) = AsyncStream.makeStream(of: Letter.self)
      let observer = center.addObserver(forName: name, object: object, queue: nil) {
        continuation.yield(Letter(notification: $0))
      }
      return Iterator(letters: stream.makeAsyncIterator(), ear: Ear(center, observer))
    }

    /// Hears what is posted for as long as it is there.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var letters: AsyncStream<Letter>.Iterator
      fileprivate let ear: Ear

      /// The next notification; nil once the task was cancelled.
      public mutating func next() async -> Notification? { await letters.next()?.notification }

      /// The next notification, for somebody in an actor; nil once the task was cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await letters.next(isolation: actor)?.notification
      }
    }
  }
}

@available(*, unavailable)
extension NotificationCenter.Notifications.Iterator: Sendable {}

/// A notification on its way to who waits for it.
private struct Letter: @unchecked Sendable {
  // Sendable: as with an observer's block, it is for who posts to see that others may have what is in it.
  let notification: Notification
}

/// Listens until it goes.
private final class Ear {
  private let center: NotificationCenter
  private let observer: any NSObjectProtocol

  init(_ center: NotificationCenter, _ observer: any NSObjectProtocol) {
    (self.center, self.observer) = (center, observer)
  }

  deinit { center.removeObserver(observer) }
}
