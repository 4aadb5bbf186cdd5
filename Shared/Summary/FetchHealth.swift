import CoreData
import Foundation

/// How well the store is kept up to date.
public struct FetchHealth: Equatable, Sendable {
  /// When a fetch last brought news.
  public var lastNews: Date?
  /// The feed that began to fail last, with the reason.
  public var failing: FailingFeed?
  public var isWorkerRunning: Bool

  public init(lastNews: Date?, failing: FailingFeed? = nil, isWorkerRunning: Bool) {
    (self.lastNews, self.failing, self.isWorkerRunning) = (lastNews, failing, isWorkerRunning)
  }

  public struct FailingFeed: Equatable, Sendable {
    public var name: String
    public var since: Date
    public var reason: String

    public init(name: String, since: Date, reason: String) {
      (self.name, self.since, self.reason) = (name, since, reason)
    }
  }

  /// The time of the last successful fetch, inferred from the store. Bodies without news are not committed, so a running
  /// worker without failing feeds has just succeeded, and one with failing feeds succeeded until the last of them failed.
  ///
  /// - Returns: nil if no fetch ever succeeded.
  public func lastSuccess(at now: Date) -> Date? {
    guard isWorkerRunning else { return lastNews }
    guard let failing else { return now }
    return lastNews.map { max($0, failing.since) } ?? failing.since
  }

  /// Why the store is out of date; nil if it is not.
  ///
  /// - Parameter limit: seconds since the last success.
  public func staleReason(at now: Date, after limit: TimeInterval) -> String? {
    let success = lastSuccess(at: now)
    if let success, now.timeIntervalSince(success) <= limit { return nil }
    let last = success.map { "last fetched \(Age.text(of: $0, at: now))" } ?? "never fetched"
    if let failing { return Terminal.printable("\(last); \(failing.name): \(failing.reason)") }
    return isWorkerRunning ? last : "\(last); quakes-fetch is not running"
  }
}

extension FetchHealth {
  /// Reads the feeds' state and asks the system for the worker; locks nothing.
  ///
  /// - Throws: what `fetch` throws.
  public init(in context: NSManagedObjectContext, of location: StoreLocation) throws {
    let feeds = try context.fetch(Feed.all())
    let failing = feeds.compactMap { feed in
      feed.failingSince.map { FailingFeed(name: feed.name ?? "?", since: $0, reason: feed.failure) }
    }
    self.init(
      lastNews: feeds.compactMap(\.lastSucceeded).max(), failing: failing.max { $0.since < $1.since },
      // Without its file, a worker is unknown.
      isWorkerRunning: (try? WorkerFile(for: location).runningProcess()).flatMap { $0 } != nil)
  }
}
