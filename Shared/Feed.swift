import CoreData
import Foundation

/// A feed's fetch log: what was fetched when, and the result.
public class Feed: NSManagedObject {
  @NSManaged public var name: String?
  @NSManaged public var url: String?
  /// When the service generated the last body read.
  @NSManaged public var generated: Date?
  @NSManaged public var lastFetched: Date?
  @NSManaged public var lastSucceeded: Date?
  /// `ok`, or the error message of the last attempt.
  @NSManaged public var lastStatus: String?
  /// When the first of the failures since the last success came; nil if the last attempt succeeded.
  @NSManaged public var failingSince: Date?
  @NSManaged public var newCount: Int32
  @NSManaged public var changedCount: Int32
  @NSManaged public var unchangedCount: Int32
  @NSManaged public var badCount: Int32
  /// The summary feed, such as `all_week`, whose last body lacked so many earthquakes that it is doubted; nil without a
  /// doubt. The feed's own name may be that of a file.
  @NSManaged public var doubtFeed: String?
  /// When the service generated the doubtful body.
  @NSManaged public var doubtGenerated: Date?
  /// The IDs of its events, as in a `Snapshot`.
  @NSManaged public var doubtListed: Data?
}

extension Feed {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Feed> {
    NSFetchRequest<Feed>(entityName: "Feed")
  }

  /// All feeds, by name.
  public static func all() -> NSFetchRequest<Feed> {
    let request: NSFetchRequest<Feed> = fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    request.returnsObjectsAsFaults = false
    return request
  }

  public static func named(_ name: String) -> NSFetchRequest<Feed> {
    let request: NSFetchRequest<Feed> = fetchRequest()
    request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
    request.fetchLimit = 1
    return request
  }
}

extension Feed {
  /// The doubts about a summary feed, oldest first.
  public static func doubts(about feed: String) -> NSFetchRequest<Feed> {
    let request: NSFetchRequest<Feed> = fetchRequest()
    request.predicate = NSPredicate(format: "doubtFeed == %@", argumentArray: [feed])
    request.sortDescriptors = [NSSortDescriptor(key: "doubtGenerated", ascending: true)]
    return request
  }

  public func endDoubt() {
    (doubtFeed, doubtGenerated, doubtListed) = (nil, nil, nil)
  }
}

extension Feed {
  /// Why it fails, without its address or path: several feeds of one service then fail for the same reason.
  public var failure: String {
    var reason = lastStatus ?? "?"
    if let url {
      reason.replace(url, with: "the service")
      // The address of a period ends with its times.
      if !url.contains("?"), let query = reason.firstRange(of: "the service?") {
        let rest = reason[query.upperBound...]
        let end = rest.firstRange(of: ": ")?.lowerBound ?? rest.firstIndex(of: " ") ?? reason.endIndex
        reason.removeSubrange(reason.index(before: query.upperBound)..<end)
      }
    }
    if let name, name.contains("/") { reason.replace(name, with: "it") }
    return Terminal.printable(reason)
  }

  /// Whether this stands for imported files instead of a feed.
  public var isImport: Bool { url == nil && failingSince == nil }

  /// `3 imported files, the last 5 min ago`; nil without imported files.
  public static func importsText(_ feeds: [Feed], at now: Date) -> String? {
    let times = feeds.filter(\.isImport).map(\.lastSucceeded)
    guard let last = times.compactMap(\.self).max() else { return nil }
    return "\(CountText.of(times.count, "imported file")), the last \(Age.text(of: last, at: now))"
  }

  /// How the feed is: `all_day: its last news came 3 min ago`, or since when it fails and why.
  public func stateText(at now: Date) -> String {
    let name = name ?? "?"
    if let failingSince {
      return Terminal.printable("\(name): failing since \(DisplayStyle().time(failingSince)): \(failure)")
    }
    guard let lastSucceeded else { return Terminal.printable("\(name): never fetched") }
    return Terminal.printable("\(name): last fetched \(Age.text(of: lastSucceeded, at: now))")
  }
}
