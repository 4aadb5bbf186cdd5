import CoreData
import Foundation
import StrataQuakes

/// The snapshots of one service that were imported: they order what it said, and show what it withdrew.
struct SnapshotLog {
  /// A snapshot and the events in it.
  struct Entry {
    var window: FeedWindow
    var listed: ListedIDs
  }

  /// Oldest first.
  private(set) var entries: [Entry]

  init(_ snapshots: [Snapshot]) {
    entries = snapshots.compactMap { snapshot in
      FeedWindow(snapshot).map { Entry(window: $0, listed: ListedIDs(snapshot.listed ?? Data())) }
    }
  }

  /// When the service last said the current state: when it began to, or in the newest snapshot that lists it.
  func lastSaid(of quake: Quake) -> Date {
    let said = quake.said ?? .distantPast
    guard quake.standingValue != .retracted, quake.standingValue != .merged, let id = quake.identifier else {
      return said
    }
    let listing = entries.last { $0.window.generated <= said || $0.listed.contains(id) }
    return max(said, listing?.window.generated ?? said)
  }

  /// The first snapshot that proves that an event was withdrawn after a time.
  func withdrawal(ofEventAt time: Date, after said: Date) -> FeedWindow? {
    entries.first { $0.window.provesAbsence(time: time, lastSaid: said) }?.window
  }
}

/// A set of ids in four bytes each. Of 10,000 others, one in 400,000 seems to be in it: it is then taken as said a
/// little later than it was.
struct ListedIDs: Equatable {
  private let hashes: [UInt32]

  init(_ identifiers: some Sequence<String>) {
    hashes = identifiers.map(Self.hash).sorted()
  }

  init(_ data: Data) {
    hashes = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  var data: Data { hashes.withUnsafeBytes { Data($0) } }

  func contains(_ identifier: String) -> Bool {
    let hash = Self.hash(identifier)
    var range = hashes[...]
    while !range.isEmpty {
      let middle = range.startIndex + range.count / 2
      if range[middle] == hash { return true }
      range = range[middle] < hash ? range[(middle + 1)...] : range[..<middle]
    }
    return false
  }

  /// 32-bit FNV-1a: short, and the same in every process.
  private static func hash(_ identifier: String) -> UInt32 {
    identifier.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

extension FeedWindow {
  init?(_ snapshot: Snapshot) {
    guard let feed = snapshot.feed, let generated = snapshot.generated, let since = snapshot.since else { return nil }
    self.init(
      feed: feed, generated: generated, since: since, minimumMagnitude: snapshot.minimumMagnitude?.doubleValue,
      isWhole: snapshot.isWhole)
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
    for (window, snapshot) in stored where replaces(window) || superfluous.contains(window) { context.delete(snapshot) }
    if superfluous.contains(self) { return }
    let snapshot = Snapshot(context: context)
    (snapshot.feed, snapshot.service, snapshot.generated, snapshot.learnt) = (feed, service, generated, learnt)
    (snapshot.since, snapshot.isWhole, snapshot.listed) = (since, isWhole, listed.data)
    snapshot.minimumMagnitude = minimumMagnitude.map(NSNumber.init(value:))
  }
}
