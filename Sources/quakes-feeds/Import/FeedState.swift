import CoreData
import Foundation
import StrataQuakes

/// Tells the readers of the store whether a feed fails, since when and why. Commits only what changes.
struct FeedState {
  var container: QuakesContainer
  var location: StoreLocation

  /// - Throws: `Failure` if the store cannot be read or written.
  func recordFailure(of request: FeedRequest, message: String, now: Date) throws {
    try change(request) { feed in
      guard feed.lastStatus != message || feed.failingSince == nil else { return }
      (feed.lastStatus, feed.lastFetched) = (message, now)
      if feed.failingSince == nil { feed.failingSince = now }
    }
  }

  /// For a success without an import; imports record their own success.
  ///
  /// - Throws: `Failure` if the store cannot be read or written.
  func recordSuccess(of request: FeedRequest) throws {
    try change(request) { feed in
      guard feed.failingSince != nil else { return }
      (feed.lastStatus, feed.failingSince) = ("ok", nil)
    }
  }

  private func change(_ request: FeedRequest, _ body: (Feed) -> Void) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      context.transactionAuthor = "quakes-fetch"
      // Another worker's word on the same feed is as old.
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      do {
        let feed = try context.fetch(Feed.named(request.name)).first ?? Feed(context: context)
        body(feed)
        guard feed.lastStatus != nil, context.hasChanges else { return }
        feed.name = request.name
        if let url = request.url { feed.url = url }
        try context.save()
      } catch {
        throw Failure.saving(location, error: error)
      }
    }
  }
}
