import Synchronization

/// The keys of the notifications about objects.
enum NoticeKey: Int, CaseIterable {
  case inserted, updated, deleted, refreshed, context, generation
  case insertedIDs, updatedIDs, deletedIDs, refreshedIDs

  fileprivate var name: String {
    switch self {
    case .inserted: NSInsertedObjectsKey
    case .updated: NSUpdatedObjectsKey
    case .deleted: NSDeletedObjectsKey
    case .refreshed: NSRefreshedObjectsKey
    case .context: NSManagedObjectContextKey
    case .generation: NSManagedObjectContextQueryGenerationKey
    case .insertedIDs: NSInsertedObjectIDsKey
    case .updatedIDs: NSUpdatedObjectIDsKey
    case .deletedIDs: NSDeletedObjectIDsKey
    case .refreshedIDs: NSRefreshedObjectIDsKey
    }
  }
}

/// The keys that one notification has.
///
/// Boxing, hashing and comparing them would be most of the work of a notification about one object. There are few
/// combinations; the dictionary of each is laid out once, and from then on only given its values.
struct NoticeKeys {
  private var bits = 0

  var isEmpty: Bool { bits == 0 }

  mutating func insert(_ key: NoticeKey, if isThere: Bool = true) {
    if isThere { bits |= 1 << key.rawValue }
  }

  private func contains(_ key: NoticeKey) -> Bool { bits >> key.rawValue & 1 != 0 }

  private static let layouts = Mutex<[[AnyHashable: NoticeKey]?]>(
    Array(repeating: nil, count: 1 << NoticeKey.allCases.count))

  @inline(__always)
  func userInfo(_ value: (NoticeKey) -> Any) -> [AnyHashable: Any] {
    Self.layouts.withLock { layouts in
      // The boxes of the keys are values that never change; AnyHashable just does not say so.
      nonisolated(unsafe) let layout = layouts[bits] ?? makeLayout()
      layouts[bits] = layout
      return layout
    }.mapValues(value)
  }

  /// With so much room two keys seldom meet: comparing them takes longer than all the rest.
  private func makeLayout() -> [AnyHashable: NoticeKey] {
    var layout = Dictionary(minimumCapacity: 12) as [AnyHashable: NoticeKey]
    for key in NoticeKey.allCases where contains(key) { layout[AnyHashable(key.name)] = key }
    return layout
  }
}

extension Set {
  /// Room for so many members that two of them seldom meet; few of them make their own, since the library looks up the type
  /// of what it reserves for longer than it takes to grow.
  init(roomFor count: Int) { self = count < 4 ? [] : Set(minimumCapacity: 2 * count) }

  /// Members with so much room that two of them seldom meet: comparing objects costs more than a place.
  init(withRoom members: [Element]) {
    self.init(roomFor: members.count)
    for member in members { insert(member) }
  }
}
