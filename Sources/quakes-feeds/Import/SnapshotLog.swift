import CoreData
import Foundation
import StrataQuakes

/// The snapshots of one service that were imported: they order what it said, and show what it withdrew.
///
/// Their lists of IDs are only read when needed, which is rare: a current body is newer than all of them.
final class SnapshotLog {
  private struct Entry {
    var window: FeedWindow
    var id: NSManagedObjectID
    var listed: ListedIDs?
  }

  /// Oldest first.
  private var entries: [Entry] = []
  private let context: NSManagedObjectContext

  /// - Parameter generated: when the body to judge was generated: only what was generated later matters to it, or at
  ///   about the same time. nil for a body that does not say.
  /// - Throws: the error of the fetch.
  init(of service: String, judging generated: Date?, in context: NSManagedObjectContext) throws {
    self.context = context
    let request = NSFetchRequest<NSDictionary>(entityName: "Snapshot")
    let id = NSExpressionDescription()
    (id.name, id.expression, id.expressionResultType) = ("id", .expressionForEvaluatedObject(), .objectIDAttributeType)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [id, "feed", "generated", "since", "minimumMagnitude", "isWhole"]
    let start = generated?.addingTimeInterval(-FeedWindow.generatedMargin) ?? .distantPast
    let all = Snapshot.all(of: service, since: start)
    (request.predicate, request.sortDescriptors) = (all.predicate, all.sortDescriptors)
    entries = try context.fetch(request).compactMap { row in
      guard let window = FeedWindow(row), let id = row["id"] as? NSManagedObjectID else { return nil }
      return Entry(window: window, id: id)
    }
  }

  var newest: Date { entries.last?.window.generated ?? .distantPast }

  /// When the service last said the current state: when it began to, or in the newest snapshot that lists it.
  func lastSaid(of quake: Quake) -> Date {
    let said = quake.said ?? .distantPast
    guard quake.standingValue != .retracted, quake.standingValue != .merged, let id = quake.identifier else {
      return said
    }
    for index in entries.indices.reversed() {
      guard entries[index].window.generated > said else { break }
      if listed(index).contains(id) { return entries[index].window.generated }
    }
    return said
  }

  private func listed(_ index: Int) -> ListedIDs {
    if let listed = entries[index].listed { return listed }
    // A snapshot that another process deleted lists nothing any more.
    let snapshot = try? context.existingObject(with: entries[index].id) as? Snapshot
    let listed = ListedIDs(snapshot?.listed ?? Data())
    entries[index].listed = listed
    return listed
  }

  /// The first snapshot that proves that an event was withdrawn after a time.
  func withdrawal(ofEventAt time: Date, after said: Date) -> FeedWindow? {
    guard said < newest else { return nil }
    return entries.first { $0.window.provesAbsence(time: time, lastSaid: said) }?.window
  }
}

/// The IDs of a body while it is read, in eight bytes each: it may have a million.
struct BodyIDs {
  fileprivate var hashes: Set<UInt64> = []

  var count: Int { hashes.count }

  /// - Returns: whether it is new.
  mutating func insert(_ identifier: String) -> Bool { hashes.insert(FNV1a(identifier).value).inserted }

  func contains(_ identifier: String) -> Bool { hashes.contains(FNV1a(identifier).value) }
}

/// A set of IDs in four bytes each. Of 10,000 others, one in 400,000 seems to be in it: it is then taken as said a
/// little later than it was.
struct ListedIDs: Equatable {
  private let hashes: [UInt32]

  init(_ identifiers: BodyIDs) {
    hashes = identifiers.hashes.map(Self.folded).sorted()
  }

  init(_ data: Data) {
    hashes = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  var data: Data { hashes.withUnsafeBytes { Data($0) } }

  func contains(_ identifier: String) -> Bool {
    let hash = Self.folded(FNV1a(identifier).value)
    var range = hashes[...]
    while !range.isEmpty {
      let middle = range.startIndex + range.count / 2
      if range[middle] == hash { return true }
      range = range[middle] < hash ? range[(middle + 1)...] : range[..<middle]
    }
    return false
  }

  private static func folded(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ (hash >> 32)) }
}

extension FeedWindow {
  /// - Parameter row: a snapshot's attributes.
  fileprivate init?(_ row: NSDictionary) {
    guard let feed = row["feed"] as? String, let generated = row["generated"] as? Date,
      let since = row["since"] as? Date
    else { return nil }
    self.init(
      feed: feed, generated: generated, since: since, minimumMagnitude: row["minimumMagnitude"] as? Double,
      isWhole: row["isWhole"] as? Bool ?? false)
  }

  init?(_ snapshot: Snapshot) {
    guard let feed = snapshot.feed, let generated = snapshot.generated, let since = snapshot.since else { return nil }
    self.init(
      feed: feed, generated: generated, since: since, minimumMagnitude: snapshot.minimumMagnitude?.doubleValue,
      isWhole: snapshot.isWhole)
  }

  /// Whether a window may prove what was withdrawn.
  private var isProof: Bool { isWhole && minimumMagnitude == nil }

  /// The snapshots that a new one of this window may replace or make superfluous.
  func neighbors(of service: String) -> NSFetchRequest<Snapshot> {
    let reach = 4 * generated.timeIntervalSince(since)
    return Snapshot.all(
      of: service, since: generated.addingTimeInterval(-reach), until: generated.addingTimeInterval(reach))
  }

  /// Whether the last recorded snapshot of the feed is so old that one without news is worth a commit.
  func isDue(after snapshots: [Snapshot]) -> Bool {
    let times = snapshots.filter { $0.feed == feed }.compactMap(\.generated).filter { $0 <= generated }
    guard let last = times.max() else { return true }
    return generated.timeIntervalSince(last) > max(3600, generated.timeIntervalSince(since) / 4)
  }

  /// Adds a snapshot of this window, and deletes those that are no longer needed.
  func insert(
    into context: NSManagedObjectContext, beside snapshots: [Snapshot], service: String, listed: ListedIDs, learnt: Date
  ) {
    let stored = snapshots.compactMap { snapshot in FeedWindow(snapshot).map { (window: $0, snapshot: snapshot) } }
    guard !stored.contains(where: { $0.window == self || $0.window.replaces(self) }) else { return }
    let ofFeed = (stored.map(\.window).filter { $0.feed == feed && $0.isWhole == isWhole } + [self])
      .sorted { $0.generated < $1.generated }
    let superfluous = Self.superfluous(among: ofFeed)
    for (window, snapshot) in stored {
      if replaces(window) || (superfluous.contains(window) && !window.isProof) {
        context.delete(snapshot)
      } else if superfluous.contains(window), snapshot.listed != nil {
        // It still proves what was gone by then, and that takes no list.
        snapshot.listed = nil
      }
    }
    if superfluous.contains(self), !isProof { return }
    let snapshot = Snapshot(context: context)
    (snapshot.feed, snapshot.service, snapshot.generated, snapshot.learnt) = (feed, service, generated, learnt)
    (snapshot.since, snapshot.isWhole) = (since, isWhole)
    snapshot.listed = superfluous.contains(self) ? nil : listed.data
    snapshot.minimumMagnitude = minimumMagnitude.map(NSNumber.init(value:))
  }
}
