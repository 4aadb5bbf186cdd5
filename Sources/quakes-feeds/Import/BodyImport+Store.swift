import CoreData
import Foundation
import StrataQuakes

extension BodyImport {
  func stored(_ identifiers: [String]) throws -> [String: Quake] {
    let quakes = try identifiers.parts(of: Self.chunkSize).flatMap { try fetch(Quake.identified(by: Array($0))) }
    return Dictionary(quakes.map { ($0.identifier ?? "", $0) }) { first, _ in first }
  }

  /// The same, with what this import inserted or renamed.
  func current(_ identifiers: [String]) throws -> [String: Quake] {
    let request = Quake.identified(by: identifiers)
    request.includesPendingChanges = true
    return Dictionary(try fetch(request).map { ($0.identifier ?? "", $0) }) { first, _ in first }
  }

  /// Which IDs belong to a stored earthquake, as its own or as an alias.
  func takenIDs(among identifiers: [String]) throws -> Set<String> {
    let own = NSFetchRequest<NSDictionary>(entityName: "Quake")
    let aliases = NSFetchRequest<NSDictionary>(entityName: "Alias")
    var taken: Set<String> = []
    for request in [own, aliases] {
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["identifier"]
      for part in identifiers.parts(of: Self.chunkSize) {
        request.predicate = NSPredicate(format: "identifier IN %@", argumentArray: [Array(part)])
        for row in try fetch(request) {
          if let identifier = row["identifier"] as? String { taken.insert(identifier) }
        }
      }
    }
    return taken
  }

  func fetch<Result: NSFetchRequestResult>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    do {
      return try context.fetch(request)
    } catch {
      throw Failure.reading(location, error: error)
    }
  }

  func save() throws {
    guard context.hasChanges else { return }
    do {
      try context.save()
    } catch {
      throw Failure.saving(location, error: error)
    }
  }

  /// Records what the body listed. A body without news is rarely recorded, because each commit wakes the readers.
  func recordSnapshot() throws {
    guard let window else { return }
    guard doubted.isEmpty else { return try recordDoubt(of: window) }
    // A complete body is credible now, so the doubts about earlier ones are settled.
    if window.isWhole {
      for feed in try fetch(Feed.doubts(about: window.feed))
      where feed.doubtGenerated ?? .distantPast <= window.generated {
        feed.endDoubt()
      }
    }
    let snapshots = try fetch(window.neighbors(of: metadata.service))
    guard report.hasChanges || window.isDue(after: snapshots) else { return }
    window.insert(
      into: context, beside: snapshots, service: metadata.service, listed: ListedIDs(listed), learnt: now)
  }

  /// Records that the body is doubted. It proves nothing, but a later body that lacks the same events confirms it.
  private func recordDoubt(of window: FeedWindow) throws {
    let start = window.generated.addingTimeInterval(-FeedWindow.confirmationDelay)
    let last = try fetch(Feed.doubts(about: window.feed)).last?.doubtGenerated
    guard last ?? .distantPast <= start else { return }
    let feed = try fetch(Feed.named(request.name)).first ?? Feed(context: context)
    feed.name = request.name
    (feed.doubtFeed, feed.doubtGenerated) = (window.feed, window.generated)
    feed.doubtListed = ListedIDs(listed).data
  }

  /// The IDs that an earlier doubtful body of the feed listed, and the time at which it was generated; nil if no such body is old
  /// enough to be confirmed by a body of the window.
  func doubt(before window: FeedWindow) throws -> (listed: ListedIDs, generated: Date)? {
    let end = window.generated.addingTimeInterval(-FeedWindow.confirmationDelay)
    let doubts = try fetch(Feed.doubts(about: window.feed)).filter { $0.doubtGenerated ?? .distantFuture <= end }
    return doubts.last.flatMap { doubt in
      doubt.doubtGenerated.map { (ListedIDs(doubt.doubtListed ?? Data()), $0) }
    }
  }

  /// The events that the body lists; nil unless it is a summary feed with a generation time.
  var window: FeedWindow? {
    guard let feed = metadata.feed, let generated = metadata.generated else { return nil }
    return FeedWindow(feed: feed, generated: generated, isWhole: isWhole)
  }

  /// Records the fetch, unless it neither changed anything nor ended a failure, so that readers are not woken.
  func recordFetch() throws {
    let feed = try fetch(Feed.named(request.name)).first
    if feed?.lastStatus == "ok", !report.hasChanges { return }
    let entry = feed ?? Feed(context: context)
    entry.name = request.name
    if let url = request.url { entry.url = url }
    (entry.generated, entry.lastFetched, entry.lastSucceeded) = (metadata.generated, now, now)
    (entry.lastStatus, entry.failingSince) = ("ok", nil)
    (entry.newCount, entry.changedCount) = (Int32(clamping: report.new), Int32(clamping: report.changed))
    (entry.unchangedCount, entry.badCount) = (Int32(clamping: report.unchanged), Int32(clamping: report.bad))
  }
}

extension Array {
  /// The elements in order, in parts of at most a size.
  func parts(of size: Int) -> some Sequence<ArraySlice<Element>> {
    stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
  }
}
